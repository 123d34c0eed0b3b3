"""What can be asked of a catalogue, many things at a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Table, func, or_, select

from bibfold.catalogue.canonical import Canonical
from bibfold.catalogue.rows import (
    CHUNK,
    PUBLISHED,
    Build,
    Cluster,
    RepairState,
    StoredRecord,
    chunks,
    cluster_id,
    cluster_no,
    is_cluster_id,
)
from bibfold.catalogue.schema import (
    clusters,
    decisions,
    former_contents,
    last_members,
    meta,
    other_names,
    outbox,
    records,
    runs,
)
from bibfold.errors import CatalogueError, NotFound, RecordError, Retired
from bibfold.records.model import Record
from bibfold.records.native import decode

SOME: Final = 5
"""How many records a message names."""

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
        query = select(column.key, column.no, column.source, column.digest, column.cluster, column.run, column.file)
        return {
            row.key: StoredRecord(row.no, row.source, row.digest, row.cluster, row.run, row.file)
            for part in chunks(keys)
            for row in self.execute(query.where(column.key.in_(part)))
        }

    def contents(self, keys: Iterable[str]) -> dict[str, bytes]:
        """The records that the catalogue has, as they are kept, by key."""
        query = select(records.c.key, records.c.content)
        parts = (self.execute(query.where(records.c.key.in_(part))) for part in chunks(keys))
        return {row.key: row.content for rows in parts for row in rows}

    def deleted_contents(self, keys: Iterable[str]) -> dict[str, set[bytes]]:
        """For each of these keys under which a record was deleted, the digests of what had stood there."""
        found: dict[str, set[bytes]] = {}
        gone = select(former_contents.c.key, former_contents.c.digest).where(former_contents.c.deleted)
        if self.execute(gone.limit(1)).first() is None:
            return found
        for part in chunks(keys):
            for key, digest in self.execute(gone.where(former_contents.c.key.in_(part))):
                found.setdefault(key, set()).add(digest)
        return found

    def named(self, names: Iterable[str]) -> dict[str, str]:
        """The keys of records that go by another name as well, by that name."""
        query = select(other_names.c.name, other_names.c.key)
        parts = (self.execute(query.where(other_names.c.name.in_(part))) for part in chunks(names))
        return {row.name: row.key for rows in parts for row in rows}

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

    def sizes(self, least: int) -> dict[int, int]:
        """How many records each cluster has that has at least so many."""
        query = select(clusters.c.no, clusters.c.size).where(clusters.c.size >= least)
        return {row.no: row.size for row in self.execute(query)}

    def resolve(self, name: str) -> int:
        """The standing cluster that a cluster id (followed through merges) or a record key names."""
        (found,) = self.resolve_all([name])
        return found

    def resolve_all(self, names: Sequence[str]) -> list[int]:
        """The standing clusters that cluster ids or record keys name, in their order."""
        stored = self.stored(names)
        numbers = self.given_out(name for name in names if name not in stored)
        leads = self.leads(numbers.values())
        found: list[int] = []
        for name in names:
            if name in stored:
                found.append(stored[name].cluster)
            elif name not in numbers:
                raise NotFound(self._absence(name))
            elif numbers[name] not in leads:
                raise Retired(self.retirement(numbers[name]))
            else:
                found.append(leads[numbers[name]])
        return found

    def _absence(self, name: str) -> str:
        if self.deleted_contents([name]):
            return f"{name} was deleted; `bibfold events {name}` tells when and why"
        return f"no cluster or record {name!r} here; a cluster looks like c12, a record like source:id"

    def given_out(self, names: Iterable[str]) -> dict[str, int]:
        """The numbers in those cluster ids that were given out, whatever became of the clusters."""
        ids = {name: cluster_no(name) for name in names if is_cluster_id(name)}
        query = select(clusters.c.no)
        known = {
            no for part in chunks(ids.values()) for no in self.execute(query.where(clusters.c.no.in_(part))).scalars()
        }
        return {name: no for name, no in ids.items() if no in known}

    def leads(self, numbers: Iterable[int]) -> dict[int, int]:
        """For each cluster number the cluster that its id leads to; none for one that is retired.

        That is the cluster itself if it has members, else the one that it was merged into, as long as that holds a
        record which this held when it was last not empty.
        """
        ends = self.survivors(numbers)
        sizes = select(clusters.c.no).where(clusters.c.size > 0)
        standing = {
            no
            for part in chunks(set(ends.values()))
            for no in self.execute(sizes.where(clusters.c.no.in_(part))).scalars()
        }
        homes = self.homes(no for no, end in ends.items() if no != end and end in standing)
        return {
            no: end
            for no, end in ends.items()
            if end in standing and (no == end or no not in homes or end in homes[no].values())
        }

    def homes(self, numbers: Iterable[int]) -> dict[int, dict[str, int | None]]:
        """For each of these clusters that is empty, the records that it held last, and in which cluster each is now."""
        found: dict[int, dict[str, int | None]] = {}
        held = select(last_members.c.cluster, last_members.c.record, records.c.cluster.label("home"))
        query = held.join(records, records.c.key == last_members.c.record, isouter=True)
        for part in chunks(numbers):
            for cluster, record, home in self.execute(query.where(last_members.c.cluster.in_(part))):
                found.setdefault(cluster, {})[record] = home
        return found

    def vacated(self, keys: Iterable[str]) -> dict[int, dict[str, int | None]]:
        """The empty clusters that held any of these records last, with all that each held, and where that lies now."""
        query = select(last_members.c.cluster).distinct()
        numbers = {
            no for part in chunks(keys) for no in self.execute(query.where(last_members.c.record.in_(part))).scalars()
        }
        return self.homes(numbers)

    def retirement(self, no: int) -> str:
        """What to say of a retired cluster."""
        homes = self.homes([no]).get(no, {})
        now = [f"{key} is now in {cluster_id(home)}" for key, home in homes.items() if home is not None]
        gone = [f"{key} was deleted" for key, home in homes.items() if home is None]
        told = [*now, *gone]
        return f"{cluster_id(no)} is retired: " + (
            "; ".join(told[:SOME]) + (f" and {len(told) - SOME} more" if len(told) > SOME else "")
            if told
            else "nothing is left of what it held"
        )

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

    def count_records(self) -> int:
        """How many records there are."""
        return self.execute(select(func.count()).select_from(records)).scalar_one()

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

    def repairing(self) -> RepairState | None:
        """The repair that was left half done, if any, and if nothing else has written since."""
        text = self._kept("repair")
        state = msgspec.json.decode(text, type=RepairState) if text else None
        return state if state and state.run == self._highest(runs) else None

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
