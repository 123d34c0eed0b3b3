"""Observes a fold and records which pairs of a truth were never compared."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from bibfold.catalogue.rows import held, survivors
from bibfold.workspace import Workspace
from evaluation.pairs import Pair, make_pair
from ingest.candidates import neighbours
from ingest.incoming import Incoming
from lookup.retrieve import Retrieval

Partners = dict[int, list[str]]
"""For positions in a batch, the keys of other records."""


class SkippedPairs:
    """Collects the pairs whose later record, on arrival, was not compared with the cluster of the earlier one.

    A candidate that the bounds on the score rule out counts as compared: it was considered and decided. Clusters
    are taken as they stand at the end of the batch.
    """

    def __init__(self, workspace: Workspace, retrieval: Retrieval, pairs: Iterable[Pair]) -> None:
        self.skipped: set[Pair] = set()
        self._workspace = workspace
        self._retrieval = retrieval
        self._partners: dict[str, list[str]] = defaultdict(list)
        for a, b in pairs:
            self._partners[a].append(b)
            self._partners[b].append(a)
        self._arrived: set[str] = set()
        self._pending: tuple[Sequence[Incoming], list[list[int]]] | None = None

    def on_proposed(self, batch: Sequence[Incoming], clusters: list[list[int]]) -> None:
        """Remember the clusters that the index proposed for a batch, before it is folded."""
        self._pending = (batch, clusters)

    def on_folded(self) -> None:
        """Determine, once the batch is folded, which pairs it did not compare."""
        if self._pending is None:
            return
        batch, clusters = self._pending
        self._pending = None
        partners = self._arrived_partners([incoming.record.key for incoming in batch])
        if not partners:
            return
        neighbouring = self._neighbours(batch, partners)
        with self._workspace.catalogue.reading() as connection:
            self._add_skipped(connection, batch, clusters, partners, neighbouring)

    def _arrived_partners(self, keys: Sequence[str]) -> Partners:
        """The partners of each record that had arrived before it."""
        found: Partners = {}
        for place, key in enumerate(keys):
            if key in self._partners:
                if before := [partner for partner in self._partners[key] if partner in self._arrived]:
                    found[place] = before
                self._arrived.add(key)
        return found

    def _neighbours(self, batch: Sequence[Incoming], partners: Partners) -> Partners:
        """The earlier records of the same batch that each record was compared with."""
        in_batch = {incoming.record.key for incoming in batch}
        found: Partners = defaultdict(list)
        if any(partner in in_batch for keys in partners.values() for partner in keys):
            for later, earlier in zip(*neighbours(batch, self._retrieval), strict=True):
                found[later].append(batch[earlier].record.key)
        return found

    def _add_skipped(
        self,
        connection: Connection,
        batch: Sequence[Incoming],
        clusters: list[list[int]],
        partners: Partners,
        neighbouring: Partners,
    ) -> None:
        keys = {key for place in partners for key in (*partners[place], *neighbouring.get(place, ()))}
        cluster_of = {key: record.cluster for key, record in held(connection, keys).items()}
        surviving = survivors(connection, {no for place in partners for no in clusters[place]})
        for place, earlier in partners.items():
            compared = {surviving[no] for no in clusters[place] if no in surviving}
            compared |= {cluster_of[key] for key in neighbouring.get(place, ()) if key in cluster_of}
            key = batch[place].record.key
            self.skipped.update(
                make_pair(key, partner) for partner in earlier if cluster_of.get(partner) not in compared
            )
