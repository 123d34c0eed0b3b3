"""Folds records into the catalogue as they arrive: look up, decide, write in one transaction, index."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from bibfold.catalogue.reading import Reading
from bibfold.catalogue.rows import Numbers, cluster_id
from bibfold.engines.base import Change, Delete, Document, Put
from bibfold.records.keys import keys
from bibfold.workspace import Workspace
from indexer.outage import outlast
from indexer.outbox import deliver, refusals
from ingest.arriving import Batch
from ingest.candidates import Told, propose
from ingest.decide import Deciding, Pair, Rules
from ingest.groups import group_of
from ingest.incoming import Incoming, Run, Sifted, implausible, sift
from ingest.writing import final_no, write_batch
from lookup.retrieve import PreparedCache, Retrieval


class Folded(msgspec.Struct, frozen=True):
    """What became of a batch."""

    records: int
    unchanged: int
    clusters: int
    pairs: list[Pair]
    remarks: list[str]


class Written(msgspec.Struct):
    """A batch that the catalogue has: what became of it, and what is yet to be delivered to the index."""

    folded: Folded
    changes: list[Change]
    last: int


class Fold:
    """A run of folding into one catalogue and its index."""

    def __init__(
        self, workspace: Workspace, rules: Rules, wanted: Retrieval, run: Run, notice: Callable[[str], Any]
    ) -> None:
        self.workspace = workspace
        self.catalogue = workspace.catalogue
        self.engine = workspace.engine
        self.rules = rules
        self.wanted = wanted
        self.run = run
        self.notice = notice
        self.told: Told | None = None
        self._cache = PreparedCache()

    def batch(self, arriving: Batch) -> Folded:
        """Fold records that were made ready; they see each other and all that came before.

        Durable and searchable when it returns; an engine that is away is waited for.
        The published index stays the same from the first search to the delivery. What the catalogue has is not
        folded again when the delivery has to be.
        """
        assert arriving.pairs is not None
        with self.catalogue.reading() as read:
            sifted = sift(read, arriving.incoming, self.run, self.wanted.keys)
        earlier = _earlier(arriving.pairs, sifted.origins)
        written: list[Written] = []

        def attempt() -> None:
            with self.catalogue.at_index():
                index = self.workspace.index()
                if not written:
                    written.append(self._write(sifted, earlier, index))
                (one,) = written
                refused = deliver(self.catalogue, self.engine, index, one.changes, one.last)
            one.folded.remarks.extend(refusals(refused))

        outlast(attempt, self.engine, self.workspace.settings.outage, self.notice)
        return written[0].folded

    def _write(self, sifted: Sifted, earlier: Mapping[int, list[int]], index: str) -> Written:
        batch = sifted.incoming
        proposed = propose(batch, self.engine, index, self.wanted, self.rules.profile, self._cache, self.told)
        with self.catalogue.reading() as read:
            deciding = self._start(read, batch, proposed)
        for place, one in enumerate(batch):
            deciding.place(one, proposed[place], earlier.get(place, ()))
        with self.catalogue.writing() as write:
            numbers, last = write_batch(write, deciding, batch, self.run.no)
        remarks = sifted.remarks + implausible(batch)
        new = sum(final_no(deciding, no) == no for no in deciding.founded)
        folded = Folded(len(batch), sifted.unchanged, new, deciding.pairs, remarks)
        return Written(folded, self._changes(deciding, batch, numbers), last)

    def _start(self, read: Reading, batch: Sequence[Incoming], proposed: list[list[int]]) -> Deciding:
        """Load the clusters that were proposed, that changed records lie in, or that a person named."""
        said = read.verdicts(one.record.key for one in batch)
        named = read.stored({other for one in batch for other in said.get(one.record.key, ())})
        for place, one in enumerate(batch):
            others = said.get(one.record.key, {})
            proposed[place].extend(named[key].cluster for key in others if key in named)
        wanted = {no for numbers in proposed for no in numbers}
        wanted |= {one.stored.cluster for one in batch if one.stored}
        standing = read.survivors(wanted)
        proposed[:] = [[standing[no] for no in numbers if no in standing] for numbers in proposed]
        loaded = read.clusters(set(standing.values()))
        said |= read.verdicts(member.key for cluster in loaded.values() for member in cluster.members)
        groups = [group_of(cluster, self.rules.canonical) for cluster in loaded.values()]
        return Deciding(self.rules, groups, said)

    def _changes(self, deciding: Deciding, batch: Sequence[Incoming], numbers: Numbers) -> list[Change]:
        """The changes of the index that the batch calls for."""
        changes: list[Change] = []
        for one, placed in zip(batch, deciding.placed, strict=True):
            if placed in deciding.founded and placed not in deciding.touched:
                name = cluster_id(numbers.real(placed))
                self._cache.add(name, one.record, one.prepared)
                changes.append(Put(Document(name, one.terms, one.record, one.prepared.marks)))
        for no, group in deciding.touched.items():
            name = cluster_id(numbers.real(no))
            if group.numbered:
                terms = keys(group.prepared, self.wanted.keys)
                changes.append(Put(Document(name, terms, group.canonical.record, group.prepared.marks)))
            else:
                changes.append(Delete(name))
        return changes


def _earlier(pairs: Iterable[tuple[int, int]], origins: Sequence[int]) -> dict[int, list[int]]:
    """For each place of a sifted batch the earlier ones that it may be the same as."""
    places = {origin: place for place, origin in enumerate(origins)}
    found: dict[int, list[int]] = {}
    for one, other in pairs:
        if one in places and other in places:
            later, earlier = sorted((places[one], places[other]), reverse=True)
            found.setdefault(later, []).append(earlier)
    return found
