"""Measures retrieval: the share of true pairs among the first N candidates, by engine and search method."""

import time
from collections import defaultdict
from collections.abc import Sequence

import msgspec
import numpy as np

from evaluation.progress import OnProgress, no_progress
from evaluation.sweeps.labelled_pairs import LabelledPairs, Places
from evaluation.sweeps.proposals import CandidateIndex, batches
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
    earlier, later = pairs.earlier[pairs.same], pairs.later[pairs.same]
    query_places = queries(pairs)
    retrieval = Retrieval(method.searched or ("title",), max(CUTS), method.retriever, method.identifiers, index.keys)
    ranks: defaultdict[int, dict[int, int]] = defaultdict(dict)
    partners = _partners(earlier, later)
    done = proposed = 0
    started = time.perf_counter()
    for batch, found in batches(index, query_places, retrieval):
        for place, candidates in zip(batch, found, strict=True):
            expected = partners[place]
            ranks[place] = {candidate: rank for rank, candidate in enumerate(candidates, 1) if candidate in expected}
            proposed += len(candidates)
        done += len(batch)
        on_progress(done)
    seconds = time.perf_counter() - started
    backward = _ranks(ranks, later, earlier)
    return Recall(
        either=_shares(np.minimum(backward, _ranks(ranks, earlier, later))),
        later=_shares(backward),
        partner=_shares(np.array([min(ranks[place].values(), default=NEVER) for place in query_places])),
        queries=len(query_places),
        candidates=proposed / max(len(query_places), 1),
        milliseconds=1000 * seconds / max(len(query_places), 1),
    )


def _partners(earlier: Places, later: Places) -> dict[int, set[int]]:
    found: defaultdict[int, set[int]] = defaultdict(set)
    for first, second in zip(earlier.tolist(), later.tolist(), strict=True):
        found[first].add(second)
        found[second].add(first)
    return found


def _ranks(ranks: dict[int, dict[int, int]], asking: Places, looked_for: Places) -> Places:
    pairs = zip(asking.tolist(), looked_for.tolist(), strict=True)
    return np.array([ranks[query].get(partner, NEVER) for query, partner in pairs], np.int64)


def _shares(ranks: Places) -> tuple[float, ...]:
    return tuple(float((ranks <= cut).mean()) for cut in CUTS)
