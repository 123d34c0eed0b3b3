"""Labelled pairs of a data set as a run meets them: what the index proposes, with the truth's word on each."""

from collections.abc import Mapping, Sequence
from random import Random

import msgspec
import numpy as np
from msgspec.structs import replace

from bibfold.engines.base import Document, Put
from bibfold.records.columns import Flags, Places
from bibfold.records.keys import keys
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared, prepare
from bibfold.workspace import ensure_index, throw_away
from evaluation.noise.generate import NoisePlan, derive
from evaluation.pairs import closure
from evaluation.truth import Truth
from lookup.matcher import matcher_of

BATCH = 2_000


class Candidates(msgspec.Struct, frozen=True, eq=False):
    """Pairs of places among prepared records, whether each is the same, and the work that the first is about."""

    name: str
    prepared: Sequence[Prepared]
    left: Places
    right: Places
    same: Flags
    works: Places


def proposed(prepared: Sequence[Prepared], indexed: Sequence[int], asked: Sequence[int]) -> tuple[Places, Places]:
    """The pairs of an indexed and an asked record that an index of the former proposes for the latter."""
    left, right = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    with throw_away([{"engine": "memory"}], history=False) as workspace:
        matcher = matcher_of(workspace.settings)
        name = ensure_index(workspace)
        settings = matcher.retrieval.keys
        nothing = Record(source="", id="")
        documents = (Document(str(place), keys(prepared[place], settings), nothing) for place in indexed)
        workspace.engine.write(name, map(Put, documents))
        workspace.engine.commit(name)
        for start in range(0, len(asked), BATCH):
            batch = asked[start : start + BATCH]
            queries = [_Asked(prepared[place], keys(prepared[place], settings)) for place in batch]
            owners, hits = matcher.candidates(
                workspace.engine, name, queries, prepared_of=lambda hit: prepared[int(hit.id)]
            )
            left.append(np.array([int(hit.id) for hit in hits], np.int64))
            right.append(np.array(batch, np.int64)[owners])
    return np.concatenate(left), np.concatenate(right)


class _Asked(msgspec.Struct, frozen=True):
    prepared: Prepared
    terms: Mapping[str, Sequence[str]]


def of_truth(name: str, records: Sequence[Record], truth: Truth, sides: tuple[str, str] = ("", "")) -> Candidates:
    """The proposed pairs of a set with a whole truth: of its two sides, or of all its records."""
    prepared, keys_of = [prepare(record) for record in records], [record.key for record in records]
    first, second = ([place for place, record in enumerate(records) if record.source in (side, "")] for side in sides)
    every = range(len(records))
    left, right = proposed(prepared, first, second) if sides[0] else proposed(prepared, every, every)
    work_of = closure(truth.same)
    numbers: dict[str, int] = {}
    works = np.array([numbers.setdefault(work_of.get(key, key), len(numbers)) for key in keys_of])
    apart = left != right
    if truth.judged is not None:
        judged = np.array([key in truth.judged for key in keys_of])
        apart &= judged[left] | judged[right]
    return _distinct(name, prepared, left[apart], right[apart], works)


def _distinct(name: str, prepared: Sequence[Prepared], left: Places, right: Places, works: Places) -> Candidates:
    low, high = np.minimum(left, right), np.maximum(left, right)
    low, high = np.divmod(np.unique(low * len(prepared) + high), max(len(prepared), 1))
    return Candidates(name, prepared, low, high, works[low] == works[high], works[low])


def of_different(name: str, records: Sequence[Record], asked: int, seed: int = 0) -> Candidates:
    """Records that are all different works, without identifiers, against their neighbours, and noisy copies of some.

    What is equal in title and authors may be one paper filed twice, and is left out.
    """
    bare = [replace(record, identifiers={}) for record in records]
    chosen = Random(seed).sample(range(len(bare)), min(asked, len(bare)))
    plan = NoisePlan(rate=1.0, near_misses=0.3, most=2, seed=seed)
    works = list(range(len(bare)))
    copies: list[Record] = []
    for place in chosen[: len(chosen) // 2]:
        for made in derive(bare[place], plan):
            works.append(place if made.same else len(bare) + len(copies))
            copies.append(replace(made.record, identifiers={}))
    prepared = [prepare(record) for record in (*bare, *copies)]
    every = range(len(prepared))
    left, right = proposed(prepared, every, [*chosen, *every[len(bare) :]])
    apart = left != right
    found = _distinct(name, prepared, left[apart], right[apart], np.array(works))
    pairs = zip(found.left.tolist(), found.right.tolist(), strict=True)
    sure = found.same | np.array([not _filed_twice(prepared[a], prepared[b]) for a, b in pairs])
    return replace(
        found, left=found.left[sure], right=found.right[sure], same=found.same[sure], works=found.works[sure]
    )


def _filed_twice(ours: Prepared, theirs: Prepared) -> bool:
    return ours.title == theirs.title and ours.people == theirs.people
