"""Proposes, for each record of a batch, the clusters and the earlier batch members that it may belong to."""

from collections.abc import Sequence

from bibfold.catalogue.rows import cluster_no
from bibfold.engines.base import Document, Engine, Hit, Put
from bibfold.engines.memory import Memory
from bibfold.records.prepare import Prepared
from ingest.incoming import Incoming
from lookup.evidence import Profile
from lookup.retrieve import PreparedCache, Retrieval, retrieve
from lookup.scoring import screen

OVERLAY = "batch"


class Proposals:
    """What was proposed for each place in a batch: clusters by number, and earlier places of the batch."""

    def __init__(self, size: int) -> None:
        self.clusters: list[list[int]] = [[] for _ in range(size)]
        self.earlier: list[list[int]] = [[] for _ in range(size)]


def propose(
    batch: Sequence[Incoming],
    engine: Engine,
    index: str,
    wanted: Retrieval,
    profile: Profile,
    cache: PreparedCache,
) -> Proposals:
    """Search the index and the batch itself, and keep the pairs that can still be `same` or `unsure`."""
    proposals = Proposals(len(batch))
    queries = [one.terms for one in batch]
    found = retrieve(engine, index, queries, wanted, cache)
    pairs = [(place, cluster_no(hit.id), cache(hit)) for place, hits in enumerate(found) for hit in hits]
    for place, cluster in _screened(batch, pairs, profile):
        proposals.clusters[place].append(cluster)
    for place, earlier in _screened(batch, _within(batch, wanted), profile):
        proposals.earlier[place].append(earlier)
    return proposals


def _within(batch: Sequence[Incoming], wanted: Retrieval) -> list[tuple[int, int, Prepared]]:
    """Pairs of a later and an earlier place in the batch, where either finds the other."""
    if len(batch) < 2:
        return []
    overlay = Memory()
    overlay.create(OVERLAY)
    width = len(str(len(batch)))
    overlay.write(
        OVERLAY,
        (Put(Document(str(place).zfill(width), one.terms, one.record)) for place, one in enumerate(batch)),
    )
    overlay.commit(OVERLAY)
    cache = _BatchCache(batch)
    found = retrieve(overlay, OVERLAY, [one.terms for one in batch], wanted, cache)
    pairs = {
        (max(place, other), min(place, other))
        for place, hits in enumerate(found)
        for hit in hits
        if (other := int(hit.id)) != place
    }
    return [(later, earlier, batch[earlier].prepared) for later, earlier in sorted(pairs)]


class _BatchCache(PreparedCache):
    """The prepared forms of the batch, by place."""

    def __init__(self, batch: Sequence[Incoming]) -> None:
        super().__init__()
        self._batch = batch

    def __call__(self, hit: Hit) -> Prepared:
        return self._batch[int(hit.id)].prepared


def _screened(
    batch: Sequence[Incoming], pairs: list[tuple[int, int, Prepared]], profile: Profile
) -> list[tuple[int, int]]:
    keep = screen([batch[place].prepared for place, _, _ in pairs], [theirs for _, _, theirs in pairs], profile)
    return [(pairs[at][0], pairs[at][1]) for at in keep.nonzero()[0]]
