"""Observes a fold and records which pairs of a truth were never compared."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from bibfold.catalogue.reading import Reading
from bibfold.engines.base import Marks
from bibfold.records.prepare import prepare
from bibfold.workspace import Workspace
from evaluation.pairs import Pair, make_pair
from ingest.observer import BatchFolded, Placed


class SkippedPairs:
    """Collects the pairs whose later record, on arrival, was not compared with the cluster of the earlier one.

    A candidate that was ruled out at once counts as compared: it was considered and decided. Where `marks_tell_apart`,
    so does one whose mark, or whose cluster's mark, differs from the later record's: an engine may leave it out.
    Clusters are taken as they stand at the end of the batch.
    """

    def __init__(self, workspace: Workspace, pairs: Iterable[Pair], *, marks_tell_apart: bool) -> None:
        self.skipped: set[Pair] = set()
        self._workspace = workspace
        self._marks_tell_apart = marks_tell_apart
        self._partners: dict[str, list[str]] = defaultdict(list)
        for a, b in pairs:
            self._partners[a].append(b)
            self._partners[b].append(a)
        self._arrived: dict[str, Marks] = {}

    def on_batch(self, event: BatchFolded) -> None:
        """Determine which pairs a batch, now that it is folded, did not compare."""
        placed = event.placed()
        if partners := self._arrived_partners(placed):
            later = [record for record in placed if record.key in partners]
            with self._workspace.catalogue.reading() as read:
                self._add_skipped(read, later, partners)

    def _arrived_partners(self, placed: Sequence[Placed]) -> Mapping[str, list[str]]:
        """For records of a batch, the partners that had arrived before and that no mark tells apart from them."""
        found: dict[str, list[str]] = {}
        for record in placed:
            if record.key in self._partners:
                marks = record.prepared.marks
                before = [partner for partner in self._partners[record.key] if partner in self._arrived]
                found[record.key] = [partner for partner in before if not self._apart(marks, self._arrived[partner])]
                self._arrived[record.key] = marks
        return {key: before for key, before in found.items() if before}

    def _add_skipped(self, read: Reading, later: Sequence[Placed], partners: Mapping[str, list[str]]) -> None:
        keys = {key for record in later for key in (*partners[record.key], *record.neighbours)}
        cluster_of = {key: stored.cluster for key, stored in read.stored(keys).items()}
        surviving = read.survivors({no for record in later for no in record.proposed})
        unseen: list[tuple[Placed, str]] = []
        for record in later:
            compared = {surviving[no] for no in record.proposed if no in surviving}
            compared |= {cluster_of[key] for key in record.neighbours if key in cluster_of}
            unseen += [(record, partner) for partner in partners[record.key] if cluster_of[partner] not in compared]
        clusters = read.clusters({cluster_of[partner] for _, partner in unseen} if self._marks_tell_apart else ())
        marks = {no: prepare(cluster.canonical.record).marks for no, cluster in clusters.items()}
        self.skipped.update(
            make_pair(record.key, partner)
            for record, partner in unseen
            if not self._apart(record.prepared.marks, marks.get(cluster_of[partner], ()))
        )

    def _apart(self, ours: Marks, theirs: Marks) -> bool:
        """Whether two marks of a kind, each of a single identifier, differ."""
        return self._marks_tell_apart and any(
            mine > 0 and yours > 0 and mine != yours for mine, yours in zip(ours, theirs, strict=False)
        )
