"""How many true pairs the candidates hold: recall at N, by engine and by the way candidates are found."""

import time
from collections import defaultdict
from collections.abc import Sequence

import msgspec
import numpy as np

from evaluation.sweeps.known import Known, Places
from evaluation.sweeps.proposals import Index, Told, batches
from lookup.retrieve import Retrieval, Retriever

CUTS = (1, 2, 5, 10, 20, 50, 100)
NEVER = np.iinfo(np.int64).max


class Way(msgspec.Struct, frozen=True):
    """A way to find candidates: the fields searched, none for fingerprints, and whether identifiers propose too."""

    searched: tuple[str, ...]
    identifiers: bool = False

    @property
    def retriever(self) -> Retriever:
        """The retriever of this way."""
        return "bigrams" if self.searched else "fingerprint"

    @property
    def name(self) -> str:
        """What is searched, in words."""
        fields = {"title": "title", "also": "other keys"}
        found = [fields[field] for field in self.searched] or ["fingerprint"]
        return " + ".join([*found, *(["identifiers"] if self.identifiers else [])])


class Recall(msgspec.Struct, frozen=True):
    """The share of what should be found that is among the first N candidates, for each N of `CUTS`.

    `either`: pairs of which either record finds the other; `later`: pairs whose later record finds the earlier;
    `partner`: records that find at least one record of their work.
    """

    either: tuple[float, ...]
    later: tuple[float, ...]
    partner: tuple[float, ...]
    queries: int
    candidates: float
    milliseconds: float


def ways(retrievers: Sequence[str], identifiers: Sequence[bool]) -> list[Way]:
    """Every way of these retrievers; bigrams are searched by title alone and with the other keys."""
    searched: list[tuple[str, ...]] = []
    if "bigrams" in retrievers:
        searched += [("title",), ("title", "also")]
    if "fingerprint" in retrievers:
        searched.append(())
    return [Way(fields, with_them) for with_them in identifiers for fields in searched]


def queries(known: Known) -> list[int]:
    """The records that stand in a true pair."""
    places: list[int] = np.unique(np.concatenate((known.earlier[known.same], known.later[known.same]))).tolist()
    return places


def recall(index: Index, known: Known, way: Way, told: Told = lambda done: None) -> Recall:
    """Ask the index for every record of a true pair, in a way, and look for the other one."""
    earlier, later = known.earlier[known.same], known.later[known.same]
    asked = queries(known)
    wanted = Retrieval(way.searched or ("title",), max(CUTS), way.retriever, way.identifiers, index.keys)
    ranks: defaultdict[int, dict[int, int]] = defaultdict(dict)
    partners = _partners(earlier, later)
    done = proposed = 0
    started = time.perf_counter()
    for batch, found in batches(index, asked, wanted):
        for place, others in zip(batch, found, strict=True):
            theirs = partners[place]
            ranks[place] = {other: rank for rank, other in enumerate(others, 1) if other in theirs}
            proposed += len(others)
        done += len(batch)
        told(done)
    seconds = time.perf_counter() - started
    backward = _ranks(ranks, later, earlier)
    return Recall(
        either=_shares(np.minimum(backward, _ranks(ranks, earlier, later))),
        later=_shares(backward),
        partner=_shares(np.array([min(ranks[place].values(), default=NEVER) for place in asked])),
        queries=len(asked),
        candidates=proposed / max(len(asked), 1),
        milliseconds=1000 * seconds / max(len(asked), 1),
    )


def _partners(earlier: Places, later: Places) -> dict[int, set[int]]:
    found: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in zip(earlier.tolist(), later.tolist(), strict=True):
        found[one].add(other)
        found[other].add(one)
    return found


def _ranks(ranks: dict[int, dict[int, int]], asking: Places, looked_for: Places) -> Places:
    pairs = zip(asking.tolist(), looked_for.tolist(), strict=True)
    return np.array([ranks[one].get(other, NEVER) for one, other in pairs], np.int64)


def _shares(ranks: Places) -> tuple[float, ...]:
    return tuple(float((ranks <= cut).mean()) for cut in CUTS)
