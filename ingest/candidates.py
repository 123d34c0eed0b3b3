"""Proposes, for each record of a batch, the clusters and the earlier batch members that it may belong to."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bibfold.catalogue.rows import cluster_no
from bibfold.engines.base import Document, Engine, Marks, Put
from bibfold.engines.memory import Memory
from bibfold.records.prepare import Prepared
from ingest.incoming import Incoming
from lookup.evidence import Profile
from lookup.retrieve import ByPlace, PreparedCache, Retrieval, retrieve
from lookup.screening import screen
from lookup.vetoes import identifiers_differ

OVERLAY = "batch"

Told = Callable[[Sequence[Incoming], list[list[int]]], Any]
"""Is told a batch and the clusters that the index proposes for each of its records, hopeless ones too."""


def propose(
    batch: Sequence[Incoming],
    engine: Engine,
    index: str,
    wanted: Retrieval,
    profile: Profile,
    cache: PreparedCache,
    told: Told | None = None,
) -> list[list[int]]:
    """For each place in a batch the clusters that the index proposes and that can be `same` or `unsure`."""
    proposed: list[list[int]] = [[] for _ in batch]
    marks = _marks(batch, profile) if told is None else None
    found = retrieve(engine, index, [one.terms for one in batch], wanted, cache, marks)
    places = [place for place, hits in enumerate(found) for _ in hits]
    hits = [hit for hits in found for hit in hits]
    if told is not None:
        told(batch, [[cluster_no(hit.id) for hit in hits] for hits in found])
    for at in _promising(batch, places, cache.many(hits), profile):
        proposed[places[at]].append(cluster_no(hits[at].id))
    return proposed


def within(batch: Sequence[Incoming], wanted: Retrieval, profile: Profile) -> list[tuple[int, int]]:
    """Pairs of a later and an earlier place in a batch, where either finds the other, that can be the same."""
    if len(batch) < 2:
        return []
    later, earlier = neighbours(batch, wanted, _marks(batch, profile))
    promising = _promising(batch, later, [batch[place].prepared for place in earlier], profile)
    return [(later[at], earlier[at]) for at in promising]


def _marks(batch: Sequence[Incoming], profile: Profile) -> list[Marks] | None:
    """The batch's marks, where one that differs is a veto."""
    return [one.prepared.marks for one in batch] if identifiers_differ in profile.vetoes else None


def neighbours(
    batch: Sequence[Incoming], wanted: Retrieval, marks: Sequence[Marks] | None = None
) -> tuple[list[int], list[int]]:
    """Later and earlier places in a batch where either record finds the other; marks may rule a pair out."""
    overlay = Memory(threads=1)  # OpenMP's threads do not outlive a fork
    overlay.create(OVERLAY)
    width = len(str(len(batch)))
    overlay.write(
        OVERLAY,
        (
            Put(Document(str(place).zfill(width), one.terms, one.record, one.prepared.marks))
            for place, one in enumerate(batch)
        ),
    )
    overlay.commit(OVERLAY)
    cache = ByPlace([one.prepared for one in batch])
    found = retrieve(overlay, OVERLAY, [one.terms for one in batch], wanted, cache, marks)
    places = np.repeat(np.arange(len(batch)), [len(hits) for hits in found])
    others = np.array([int(hit.id) for hits in found for hit in hits], dtype=np.int64)
    numbered = np.unique(np.maximum(places, others) * len(batch) + np.minimum(places, others))
    later, earlier = np.divmod(numbered, len(batch))
    apart = later != earlier
    return later[apart].tolist(), earlier[apart].tolist()


def _promising(
    batch: Sequence[Incoming], places: Sequence[int], theirs: Sequence[Prepared], profile: Profile
) -> list[int]:
    """Which of the pairs can still be `same` or `unsure`."""
    keep = screen([batch[place].prepared for place in places], theirs, profile)
    return keep.nonzero()[0].tolist()
