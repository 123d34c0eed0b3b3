"""Measures retrieval: the share of true pairs among the first N candidates, by engine and search method."""

import time
from collections.abc import Sequence

import msgspec
import numpy as np

from bibfold.records.columns import Places
from bibfold.records.columns import found as locate
from evaluation.progress import OnProgress, no_progress
from evaluation.sweeps.labelled_pairs import LabelledPairs, coded
from evaluation.sweeps.proposals import CandidateIndex, proposed
from lookup.retrieve import Retrieval, Retriever

CUTS = (1, 2, 5, 10, 20, 50, 100)
NEVER = np.iinfo(np.int64).max


class SearchMethod(msgspec.Struct, frozen=True):
    """How candidates are found: the fields searched (none means fingerprints), and whether identifiers propose too."""

    searched: tuple[str, ...]
    identifiers: bool = False

    @property
    def retriever(self) -> Retriever:
        """The retriever that this method uses."""
        return "bigrams" if self.searched else "fingerprint"

    @property
    def name(self) -> str:
        """What is searched, in words."""
        fields = {"title": "title", "also": "other keys"}
        found = [fields[field] for field in self.searched] or ["fingerprint"]
        return " + ".join([*found, *(["identifiers"] if self.identifiers else [])])


class Recall(msgspec.Struct, frozen=True):
    """Recall among the first N candidates, for each N of `CUTS`, and what the searches cost.

    `either`: share of pairs of which either record finds the other; `later`: of pairs whose later record finds the
    earlier one; `partner`: of records that find at least one record of their work.
    """

    either: tuple[float, ...]
    later: tuple[float, ...]
    partner: tuple[float, ...]
    queries: int
    candidates: float
    milliseconds: float


def search_methods(retrievers: Sequence[str], identifiers: Sequence[bool]) -> list[SearchMethod]:
    """The methods of these retrievers; bigrams are searched by title alone and with the other keys."""
    searched: list[tuple[str, ...]] = []
    if "bigrams" in retrievers:
        searched += [("title",), ("title", "also")]
    if "fingerprint" in retrievers:
        searched.append(())
    return [SearchMethod(fields, with_them) for with_them in identifiers for fields in searched]


def queries(pairs: LabelledPairs) -> list[int]:
    """The positions of the records of true pairs."""
    places: list[int] = np.unique(np.concatenate((pairs.earlier[pairs.same], pairs.later[pairs.same]))).tolist()
    return places


def recall(
    index: CandidateIndex, pairs: LabelledPairs, method: SearchMethod, on_progress: OnProgress = no_progress
) -> Recall:
    """Search for every record of a true pair and note the rank of its partners."""
    size, places = len(pairs.keys), queries(pairs)
    earlier, later = pairs.earlier[pairs.same], pairs.later[pairs.same]
    forward, backward = coded(earlier, later, size), coded(later, earlier, size)
    expected = np.unique(np.concatenate((forward, backward)))
    ranks = np.full(len(expected), NEVER)
    first = np.full(size, NEVER)
    retrieval = Retrieval(
        method.searched or ("title",), max(CUTS), method.retriever, method.identifiers, index.retrieval.keys
    )
    candidates = 0
    started = time.perf_counter()
    for done, found in proposed(index, places, retrieval):
        at = locate(coded(found.queries, found.candidates, size), expected)
        true = at >= 0
        ranks[at[true]] = found.ranks[true]
        np.minimum.at(first, found.queries[true], found.ranks[true])
        candidates += len(found.ranks)
        on_progress(done)
    seconds = time.perf_counter() - started
    by_later = ranks[locate(backward, expected)]
    return Recall(
        either=_shares(np.minimum(by_later, ranks[locate(forward, expected)])),
        later=_shares(by_later),
        partner=_shares(first[places]),
        queries=len(places),
        candidates=candidates / max(len(places), 1),
        milliseconds=1000 * seconds / max(len(places), 1),
    )


def _shares(ranks: Places) -> tuple[float, ...]:
    return tuple(float((ranks <= cut).mean()) for cut in CUTS)
