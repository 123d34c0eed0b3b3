"""Folds a batch of records into the catalogue: sift, pair, propose, decide, write, deliver."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bibfold.catalogue.rows import Numbers, cluster_id, cluster_no
from bibfold.engines.base import Change, Delete, Document, Hit, Put
from bibfold.records.columns import Places
from bibfold.records.keys import keys
from bibfold.records.model import Deletion
from bibfold.workspace import Workspace
from indexer.outage import outlast
from indexer.outbox import Refused, deliver, refusals
from ingest.batches import Batch
from ingest.decide import DIFFERENT, NAMED, Deciding, Proposal, Rules
from ingest.deletion import keys_of, remove
from ingest.groups import group_of
from ingest.incoming import Incoming, implausible
from ingest.neighbours import neighbours
from ingest.observer import BatchFolded, Placed
from ingest.sifting import Run, Sifted, sift
from ingest.writing import final_no, write_batch
from lookup.comparing import Compared
from lookup.matcher import Matcher


class Earlier(NamedTuple):
    """Pairs of a later and an earlier place in a sifted batch; the first `possible` of them may be the same."""

    later: Places
    place: Places
    possible: int


class Proposals(NamedTuple):
    """What the index proposes (`hits[i]` for the record at `owners[i]`), and what is left of it for each record."""

    owners: Places
    hits: list[Hit]
    rows: Places
    compared: Compared
    groups: list[list[Proposal]]


class Written(NamedTuple):
    """A batch that the catalogue has: what is told of it, and what is yet to be delivered to the index."""

    event: BatchFolded
    remarks: list[str]
    changes: list[Change]
    last: int


class Fold:
    """A run of folding into one catalogue and its index."""

    def __init__(
        self, workspace: Workspace, matcher: Matcher, rules: Rules, run: Run, notice: Callable[[str], Any]
    ) -> None:
        self.workspace = workspace
        self.catalogue = workspace.catalogue
        self.matcher = matcher
        self.rules = rules
        self.run = run
        self.notice = notice

    def batch(self, batch: Batch) -> tuple[BatchFolded, list[str]]:
        """Fold a batch, whose records see each other and all that came before; what to tell, and what to remark.

        Durable and searchable when it returns; an engine that is away is waited for. The published index stays the
        same from the first search to the delivery. What the catalogue has is not folded again when its delivery has
        to be tried again.
        """
        self.matcher.tidy()
        sifted = self.sift(batch)
        earlier = self.pair(sifted, batch)
        written: Written | None = None

        def attempt() -> Written:
            nonlocal written
            with self.catalogue.at_index():
                index = self.workspace.index()
                if written is None:
                    proposals = self.propose(sifted, earlier, index)
                    deciding = self.decide(sifted, proposals)
                    written = self.write(sifted, earlier, proposals, deciding)
                written.remarks.extend(self.deliver(written, index))
            return written

        done = outlast(attempt, self.workspace.engine, self.workspace.settings.outage, self.notice)
        return done.event, done.remarks

    def delete(self, deletions: Sequence[Deletion]) -> tuple[int, list[str]]:
        """Obey deletions: how many records are gone, and what to remark; as durable as `batch`."""
        with self.catalogue.writing() as write:
            named = keys_of(write, (one.key for one in deletions))
            before = write.deleted_contents(named)
            causes = {key: one.reason for one in deletions for key in named[one.key]}
            deciding, last = remove(write, self.matcher, self.rules, causes, self.run.no)
        for one in deletions:
            for key in named[one.key]:
                self.run.seen.namesakes.pop((one.source, key.removeprefix(f"{one.source}:")), None)
        changes = self._changes((), np.empty(0, np.int64), deciding, Numbers(0))

        def attempt() -> Refused:
            with self.catalogue.at_index():
                return deliver(self.catalogue, self.workspace.engine, self.workspace.index(), changes, last)

        refused = outlast(attempt, self.workspace.engine, self.workspace.settings.outage, self.notice)
        unknown = [one for one in deletions if not named[one.key] and one.key not in before]
        remarks = [f"{one.key} is to be deleted, but there is no such record here: {one.reason}" for one in unknown]
        return len(causes), remarks + refusals(refused)

    def sift(self, batch: Batch) -> Sifted:
        """Leave out what the catalogue has already."""
        with self.catalogue.reading() as read:
            return sift(read, batch.arrived, self.run, self.matcher.retrieval.keys)

    def pair(self, sifted: Sifted, batch: Batch) -> Earlier:
        """Find, for each record, the earlier ones of the batch that it may be the same as.

        What was found before counts only if sifting has left just those records: one more or less would find others.
        """
        found = batch.neighbours
        ready = [place for place, arrived in enumerate(batch.arrived) if arrived.forms is not None]
        if found is None or [incoming.place for incoming in sifted.incoming] != ready:
            found = neighbours(sifted.incoming, self.matcher)
        return Earlier(*found.pairs, found.possible)

    def propose(self, sifted: Sifted, earlier: Earlier, index: str) -> Proposals:
        """Ask the index for candidates, and compare them and the pairs within the batch."""
        batch = sifted.incoming
        owners, hits = self.matcher.candidates(self.workspace.engine, index, batch, possible=True)
        rows = self.matcher.add(incoming.prepared for incoming in batch)
        later, place = earlier.later[: earlier.possible], earlier.place[: earlier.possible]
        left = np.concatenate((rows[owners], rows[later]))
        right = np.concatenate((self.matcher.add_hits(hits), rows[place]))
        compared = self.matcher.compare(left, right)
        pairs = np.full(len(left), DIFFERENT)
        pairs[compared.kept] = np.arange(len(compared.kept))
        groups: list[list[Proposal]] = [[] for _ in batch]
        both = np.concatenate((owners, later))
        for at, owner, pair in zip(
            compared.possible.tolist(),
            both[compared.possible].tolist(),
            pairs[compared.possible].tolist(),
            strict=True,
        ):
            if at < len(hits):
                groups[owner].append(Proposal(cluster_no(hits[at].id), False, pair))
            else:
                groups[owner].append(Proposal(int(place[at - len(hits)]), True, pair))
        return Proposals(owners, hits, rows, compared, groups)

    def decide(self, sifted: Sifted, proposals: Proposals) -> Deciding:
        """Put each record, in order, into the best group that it is the same as, or into one of its own."""
        deciding = self._loaded(sifted.incoming, proposals)
        for incoming, groups in zip(sifted.incoming, proposals.groups, strict=True):
            deciding.place(incoming, groups)
        return deciding

    def write(self, sifted: Sifted, earlier: Earlier, proposals: Proposals, deciding: Deciding) -> Written:
        """Write what was decided in one transaction."""
        batch = sifted.incoming
        with self.catalogue.writing() as write:
            write.supersede(sifted.superseded)
            numbers, last = write_batch(write, deciding, batch, self.run.no)
        new = sum(final_no(deciding, no) == no for no in deciding.founded)
        placed = partial(_placed, batch, earlier, proposals, deciding, numbers)
        event = BatchFolded(sifted.records, sifted.unchanged, new, deciding.pairs, placed)
        remarks = sifted.remarks + implausible(batch)
        return Written(event, remarks, self._changes(batch, proposals.rows, deciding, numbers), last)

    def deliver(self, written: Written, index: str) -> list[str]:
        """Bring the index up to date; what there is to remark."""
        return refusals(deliver(self.catalogue, self.workspace.engine, index, written.changes, written.last))

    def _loaded(self, batch: Sequence[Incoming], proposals: Proposals) -> Deciding:
        """The clusters that a record may belong to, that a changed record lies in, or that a person named."""
        compared_with = {
            cluster_no(proposals.hits[at].id): proposals.hits[at].record
            for at in proposals.compared.kept.tolist()
            if at < len(proposals.hits)
        }
        needed = set(compared_with) | {incoming.stored.cluster for incoming in batch if incoming.stored}
        with self.catalogue.reading() as read:
            verdicts = read.verdicts(incoming.key for incoming in batch)
            named = read.stored({other for others in verdicts.values() for other in others})
            for incoming, groups in zip(batch, proposals.groups, strict=True) if named else ():
                clusters = [named[key].cluster for key in verdicts.get(incoming.key, ()) if key in named]
                groups.extend(Proposal(cluster, False, NAMED) for cluster in clusters)
                needed.update(clusters)
            standing = read.survivors(needed)
            loaded = read.clusters(set(standing.values()))
            vacated = read.vacated(incoming.key for incoming in batch if incoming.stored or incoming.returns)
            verdicts |= read.verdicts(member.key for cluster in loaded.values() for member in cluster.members)
        groups_of = {no: group_of(cluster, self.rules.canonical) for no, cluster in loaded.items()}
        for no, record in compared_with.items():
            if no in groups_of and groups_of[no].canonical.record != record:
                groups_of[no].changed = True
        aliases = {no: groups_of[stands] for no, stands in standing.items() if stands in groups_of}
        return Deciding(self.matcher, self.rules, aliases, verdicts, proposals.compared, vacated)

    def _changes(self, batch: Sequence[Incoming], rows: Places, deciding: Deciding, numbers: Numbers) -> list[Change]:
        """The changes of the index that the batch calls for; the matcher will know their documents again."""
        changes: list[Change] = []
        for incoming, placed, row in zip(batch, deciding.placed, rows.tolist(), strict=True):
            if placed in deciding.founded and placed not in deciding.touched:
                name = cluster_id(numbers.real(placed))
                self.matcher.remember(name, incoming.record, row)
                changes.append(Put(Document(name, incoming.terms, incoming.record, incoming.prepared.marks)))
        for no, group in deciding.touched.items():
            name = cluster_id(numbers.real(no))
            if group.numbered:
                (row,) = self.matcher.add((group.prepared,)).tolist()
                self.matcher.remember(name, group.canonical.record, row)
                terms = keys(group.prepared, self.matcher.retrieval.keys)
                changes.append(Put(Document(name, terms, group.canonical.record, group.prepared.marks)))
            else:
                changes.append(Delete(name))
        return changes


def _placed(
    batch: Sequence[Incoming], earlier: Earlier, proposals: Proposals, deciding: Deciding, numbers: Numbers
) -> list[Placed]:
    """What became of each record, for those who watch."""
    proposed: list[list[int]] = [[] for _ in batch]
    for owner, hit in zip(proposals.owners.tolist(), proposals.hits, strict=True):
        proposed[owner].append(cluster_no(hit.id))
    near: list[list[str]] = [[] for _ in batch]
    for later, place in zip(earlier.later.tolist(), earlier.place.tolist(), strict=True):
        near[later].append(batch[place].key)
    return [
        Placed(incoming.key, incoming.prepared, numbers.real(final_no(deciding, no)), clusters, others)
        for incoming, no, clusters, others in zip(batch, deciding.placed, proposed, near, strict=True)
    ]
