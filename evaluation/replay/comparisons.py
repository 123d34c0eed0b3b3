"""Watches a run: which pairs of a truth were ever compared, and which were left to chance."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from bibfold.catalogue.reading import Reading
from bibfold.workspace import Workspace
from evaluation.pairs import Key, pair
from ingest.candidates import neighbours
from ingest.incoming import Incoming
from lookup.retrieve import Retrieval


class Comparisons:
    """The pairs of a truth of which the later record, when it came, was not compared with the earlier one's cluster.

    A candidate that the bounds on the score rule out counts as compared: it was looked at and decided. Clusters
    are taken as they stand at the end of the batch.
    """

    def __init__(self, workspace: Workspace, wanted: Retrieval, pairs: Iterable[Key]) -> None:
        self.skipped: set[Key] = set()
        self._workspace = workspace
        self._wanted = wanted
        self._partners: dict[str, list[str]] = defaultdict(list)
        for one, other in pairs:
            self._partners[one].append(other)
            self._partners[other].append(one)
        self._arrived: set[str] = set()
        self._pending: tuple[Sequence[Incoming], list[list[int]]] | None = None

    def proposed(self, batch: Sequence[Incoming], clusters: list[list[int]]) -> None:
        """Take note of what the index proposed for a batch, before it is folded."""
        self._pending = (batch, clusters)

    def settle(self) -> None:
        """Tell, once the batch is folded, which pairs it compared."""
        if self._pending is None:
            return
        batch, clusters = self._pending
        self._pending = None
        asked = self._asked([one.record.key for one in batch])
        if not asked:
            return
        near = self._near(batch, asked)
        with self._workspace.catalogue.reading() as read:
            self._settle(read, batch, clusters, asked, near)

    def _asked(self, keys: Sequence[str]) -> dict[int, list[str]]:
        """For places of the batch the partners that had arrived when the record came."""
        asked: dict[int, list[str]] = {}
        for place, key in enumerate(keys):
            if key in self._partners:
                if before := [other for other in self._partners[key] if other in self._arrived]:
                    asked[place] = before
                self._arrived.add(key)
        return asked

    def _near(self, batch: Sequence[Incoming], asked: dict[int, list[str]]) -> dict[int, list[str]]:
        """For each place the earlier records of the same batch that it was compared with."""
        own = {one.record.key for one in batch}
        near: dict[int, list[str]] = defaultdict(list)
        if any(other in own for others in asked.values() for other in others):
            for later, earlier in zip(*neighbours(batch, self._wanted), strict=True):
                near[later].append(batch[earlier].record.key)
        return near

    def _settle(
        self,
        read: Reading,
        batch: Sequence[Incoming],
        clusters: list[list[int]],
        asked: dict[int, list[str]],
        near: dict[int, list[str]],
    ) -> None:
        keys = {key for place in asked for key in (*asked[place], *near.get(place, ()))}
        at = {key: record.cluster for key, record in read.stored(keys).items()}
        standing = read.survivors({no for place in asked for no in clusters[place]})
        for place, others in asked.items():
            seen = {standing[no] for no in clusters[place] if no in standing}
            seen |= {at[key] for key in near.get(place, ()) if key in at}
            key = batch[place].record.key
            self.skipped.update(pair(key, other) for other in others if at.get(other) not in seen)
