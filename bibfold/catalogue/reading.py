"""What can be asked of a catalogue, many things at a time."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, func, or_, select

from bibfold.catalogue.canonical import Canonical
from bibfold.catalogue.rows import CHUNK, PUBLISHED, Build, Cluster, StoredRecord, chunks, cluster_id, cluster_no
from bibfold.catalogue.schema import clusters, decisions, meta, outbox, records
from bibfold.errors import CatalogueError, NotFound, RecordError
from bibfold.records.model import Record
from bibfold.records.native import decode

RESTORE = "restore it from a backup, or ingest its sources into another folder"


class Reading:
    """One state of the catalogue; a transaction's own where it is one.

    `execute` takes a statement, which only the catalogue's own modules can make.
    """

    def __init__(self, connection: Connection) -> None:
        self.execute = connection.execute

    def stored(self, keys: Iterable[str]) -> dict[str, StoredRecord]:
        """Those of the records that the catalogue has, by key."""
        column = records.c
        query = select(column.key, column.no, column.source, column.digest, column.cluster, column.run)
        return {
            row.key: StoredRecord(row.no, row.source, row.digest, row.cluster, row.run)
            for part in chunks(keys)
            for row in self.execute(query.where(column.key.in_(part)))
        }

    def survivors(self, numbers: Iterable[int]) -> dict[int, int]:
        """For each cluster number, the cluster that stands for it now: itself, or what it was merged into."""
        found: dict[int, int] = {}
        query = select(clusters.c.no, clusters.c.merged_into)
        pending = {no: no for no in numbers}
        while pending:
            rows = {
                no: into
                for part in chunks(set(pending.values()))
                for no, into in self.execute(query.where(clusters.c.no.in_(part)))
            }
            found.update({no: at for no, at in pending.items() if at in rows and rows[at] is None})
            pending = {no: rows[at] for no, at in pending.items() if rows.get(at) is not None}
        return found

    def clusters(self, numbers: Iterable[int]) -> dict[int, Cluster]:
        """Those of these clusters that have members, with members and canonical records."""
        numbers = list(numbers)
        members: dict[int, dict[int, Record]] = {}
        shown: dict[int, bytes | None] = {}
        for part in chunks(numbers):
            in_these = select(records.c.cluster, records.c.no, records.c.content).where(records.c.cluster.in_(part))
            for cluster, no, content in self.execute(in_these.order_by(records.c.no)):
                members.setdefault(cluster, {})[no] = record_of(no, content)
            kept = select(clusters.c.no, clusters.c.canonical).where(clusters.c.no.in_(part))
            shown.update((no, canonical) for no, canonical in self.execute(kept))
        return {no: Cluster(no, members[no], _canonical(no, shown[no], members[no])) for no in numbers if no in members}

    def standing(self, after: int = 0, size: int = CHUNK) -> Iterator[dict[int, Cluster]]:
        """All clusters that have members, in order of their numbers, in batches, each read on its own."""
        yield from map(self.clusters, self.standing_numbers(after, size))

    def standing_numbers(self, after: int = 0, size: int = 100 * CHUNK) -> Iterator[list[int]]:
        """The numbers of all clusters that have members, in order, in batches, each read on its own."""
        query = select(clusters.c.no).where(clusters.c.size > 0).order_by(clusters.c.no).limit(size)
        while numbers := list(self.execute(query.where(clusters.c.no > after)).scalars()):
            yield numbers
            after = numbers[-1]

    def count_standing(self, upto: int | None = None) -> int:
        """How many clusters have members, up to a number or in all."""
        query = select(func.count()).select_from(clusters).where(clusters.c.size > 0)
        return self.execute(query if upto is None else query.where(clusters.c.no <= upto)).scalar_one()

    def resolve(self, name: str) -> int:
        """The standing cluster that a cluster id (followed through merges) or a record key names."""
        row = self.execute(select(records.c.cluster).where(records.c.key == name)).first()
        if row:
            return int(row.cluster)
        no = cluster_no(name) if name[:1] == "c" and name[1:].isdecimal() else None
        found = self.survivors([no]).get(no) if no is not None else None
        if found is None:
            raise NotFound(f"no cluster or record {name!r} here; a cluster looks like c12, a record like source:id")
        return found

    def merged_into(self, no: int) -> list[int]:
        """The clusters that redirect to a cluster, directly or through others."""
        found: list[int] = []
        waiting = [no]
        while waiting:
            query = select(clusters.c.no).where(clusters.c.merged_into.in_(waiting[:CHUNK])).order_by(clusters.c.no)
            nearer = list(self.execute(query).scalars())
            waiting = waiting[CHUNK:] + nearer
            found += nearer
        return sorted(found)

    def verdicts(self, keys: Iterable[str]) -> dict[str, dict[str, str]]:
        """What a person decided of these records: for each key, the other record and `same` or `different`."""
        found: dict[str, dict[str, str]] = {}
        if self.execute(select(decisions.c.a).limit(1)).first() is None:
            return found
        query = select(decisions.c.a, decisions.c.b, decisions.c.verdict)
        for part in chunks(keys):
            for a, b, verdict in self.execute(query.where(or_(decisions.c.a.in_(part), decisions.c.b.in_(part)))):
                found.setdefault(a, {})[b] = verdict
                found.setdefault(b, {})[a] = verdict
        return found

    def last_record(self) -> int:
        """The highest number of a record, 0 where there is none."""
        return self._highest(records)

    def last_cluster(self) -> int:
        """The highest number that a cluster was given, 0 where there is none."""
        return self._highest(clusters)

    def last_outbox(self) -> int:
        """The number of the latest change that waits for an index, 0 where there is none."""
        return self._highest(outbox)

    def outbox(self, target: str, upto: int, limit: int) -> tuple[list[int], int]:
        """The clusters in a target's oldest changes, and the number of the last of these; 0 where there is none."""
        of_target = select(outbox.c.cluster, outbox.c.no).where(outbox.c.target == target, outbox.c.no <= upto)
        rows = self.execute(of_target.order_by(outbox.c.no).limit(limit)).all()
        return list(dict.fromkeys(row.cluster for row in rows)), rows[-1].no if rows else 0

    def count_outbox(self, target: str = PUBLISHED) -> int:
        """How many changes wait for a target."""
        return self.execute(select(func.count()).select_from(outbox).where(outbox.c.target == target)).scalar_one()

    def building(self) -> Build | None:
        """The build that is under way or was left half done, if any."""
        text = self._kept("build")
        return msgspec.json.decode(text, type=Build) if text else None

    def options(self) -> dict[str, Any]:
        """What the catalogue remembers: its engine, profile, keys and policies."""
        text = self._kept("options")
        try:
            return msgspec.json.decode(text, type=dict[str, Any]) if text else {}
        except msgspec.DecodeError as error:
            raise CatalogueError(f"the settings that the catalogue keeps are damaged ({error}); {RESTORE}") from error

    def _kept(self, name: str) -> str | None:
        return self.execute(select(meta.c.value).where(meta.c.name == name)).scalar()

    def _highest(self, table: Table) -> int:
        return self.execute(select(func.max(table.c.no))).scalar() or 0


def _canonical(no: int, stored: bytes | None, members: Mapping[int, Record]) -> Canonical:
    return Canonical(next(iter(members.values())), {}) if stored is None else canonical_of(no, stored)


def canonical_of(no: int, stored: bytes) -> Canonical:
    """A cluster's canonical record from what is stored of it."""
    try:
        data = msgspec.json.decode(stored, type=dict[str, msgspec.Raw])
        return Canonical(decode(bytes(data["record"])), msgspec.json.decode(data["provenance"]))
    except (KeyError, RecordError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CatalogueError(f"the canonical record of {cluster_id(no)} is not what was written: {error}") from error


def record_of(no: int, stored: bytes) -> Record:
    """A record from what is stored of it."""
    try:
        return decode(stored)
    except (RecordError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CatalogueError(f"record number {no} is not what was received: {error}") from error
