"""Reads and writes the catalogue's rows, many at a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, bindparam, func, insert, select, update

from bibfold.catalogue.canonical import Canonical
from bibfold.catalogue.schema import clusters, records
from bibfold.errors import NotFound
from bibfold.records.model import Record
from bibfold.records.native import decode, encode

CHUNK = 500
"""How many values one `IN` takes: every database allows that many."""


class Held(msgspec.Struct, frozen=True):
    """A record in the catalogue: its number, source, content digest, cluster and the run that wrote it."""

    no: int
    source: str
    digest: bytes
    cluster: int
    run: int


class Cluster(msgspec.Struct, frozen=True):
    """A cluster with its members by the number of each, in the order in which they came, and its canonical record."""

    no: int
    numbered: Mapping[int, Record]
    canonical: Canonical

    @property
    def members(self) -> list[Record]:
        """The records, oldest first."""
        return list(self.numbered.values())


def cluster_id(no: int) -> str:
    """A cluster's name from outside."""
    return f"c{no}"


def cluster_no(name: str) -> int:
    """The number in a cluster's name."""
    if name[:1] != "c" or not name[1:].isdecimal():
        raise NotFound(f"{name!r} is no cluster id: it looks like c12 (`bibfold show` also takes source:id)")
    return int(name[1:])


def chunks(values: Iterable[Any], size: int = CHUNK) -> Iterator[list[Any]]:
    """The values in lists of at most `size`."""
    rest = iter(values)
    while part := list(islice(rest, size)):
        yield part


def held(connection: Connection, keys: Iterable[str]) -> dict[str, Held]:
    """Those of the records that the catalogue has, by key."""
    wanted = records.c
    query = select(wanted.key, wanted.no, wanted.source, wanted.digest, wanted.cluster, wanted.run)
    return {
        row.key: Held(row.no, row.source, row.digest, row.cluster, row.run)
        for part in chunks(keys)
        for row in connection.execute(query.where(wanted.key.in_(part)))
    }


def survivors(connection: Connection, numbers: Iterable[int]) -> dict[int, int]:
    """For each cluster number, the cluster that stands for it now: itself, or what it was merged into."""
    found: dict[int, int] = {}
    query = select(clusters.c.no, clusters.c.merged_into)
    pending = {no: no for no in numbers}
    while pending:
        rows = {
            row.no: row.merged_into
            for part in chunks(set(pending.values()))
            for row in connection.execute(query.where(clusters.c.no.in_(part)))
        }
        found.update({no: at for no, at in pending.items() if at in rows and rows[at] is None})
        pending = {no: rows[at] for no, at in pending.items() if rows.get(at) is not None}
    return found


def load(connection: Connection, numbers: Iterable[int]) -> dict[int, Cluster]:
    """These clusters, with members and canonical records."""
    numbers = list(numbers)
    members: dict[int, dict[int, Record]] = {}
    shown: dict[int, bytes | None] = {}
    for part in chunks(numbers):
        in_these = select(records.c.cluster, records.c.no, records.c.content).where(records.c.cluster.in_(part))
        for cluster, no, content in connection.execute(in_these.order_by(records.c.no)):
            members.setdefault(cluster, {})[no] = decode(content)
        for no, canonical in connection.execute(
            select(clusters.c.no, clusters.c.canonical).where(clusters.c.no.in_(part))
        ):
            shown[no] = canonical
    return {no: Cluster(no, members[no], _canonical(shown[no], members[no])) for no in numbers if no in members}


def every(connection: Connection, after: int = 0, size: int = CHUNK) -> Iterator[dict[int, Cluster]]:
    """All standing clusters in order of their numbers, in batches, each read on its own."""
    while numbers := list(
        connection.execute(
            select(clusters.c.no)
            .where(clusters.c.no > after, clusters.c.merged_into.is_(None), clusters.c.size > 0)
            .order_by(clusters.c.no)
            .limit(size)
        ).scalars()
    ):
        yield load(connection, numbers)
        after = numbers[-1]


def resolve(connection: Connection, name: str) -> int:
    """The standing cluster that a cluster id (followed through merges) or a record key names."""
    row = connection.execute(select(records.c.cluster).where(records.c.key == name)).first()
    if row:
        return int(row.cluster)
    no = cluster_no(name) if name[:1] == "c" and name[1:].isdecimal() else None
    found = survivors(connection, [no]).get(no) if no is not None else None
    if found is None:
        raise NotFound(f"no cluster or record {name!r} here; a cluster looks like c12, a record like source:id")
    return found


def merged_into(connection: Connection, no: int) -> list[int]:
    """The clusters that redirect to a cluster, directly or through others."""
    found: list[int] = []
    waiting = [no]
    while waiting:
        query = select(clusters.c.no).where(clusters.c.merged_into.in_(waiting[:CHUNK])).order_by(clusters.c.no)
        nearer = list(connection.execute(query).scalars())
        waiting = waiting[CHUNK:] + nearer
        found += nearer
    return sorted(found)


def encode_canonical(canonical: Canonical) -> bytes:
    """A canonical record as the `clusters` table keeps it."""
    return msgspec.json.encode({"record": msgspec.Raw(encode(canonical.record)), "provenance": canonical.provenance})


def _canonical(stored: bytes | None, members: Mapping[int, Record]) -> Canonical:
    if stored is None:
        return Canonical(next(iter(members.values())), {})
    data = msgspec.json.decode(stored, type=dict[str, msgspec.Raw])
    return Canonical(decode(bytes(data["record"])), msgspec.json.decode(data["provenance"]))


def highest(connection: Connection, table: Table) -> int:
    """The highest number that a table has given out."""
    return connection.execute(select(func.max(table.c.no))).scalar() or 0


def insert_many(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows in one call; all rows name the same columns.

    The statement is handed to the driver as it is: SQLAlchemy's own work on each row would cost more than SQLite's.
    """
    if rows:
        compiled = insert(table).compile(dialect=connection.dialect, column_keys=list(rows[0]))
        names = compiled.positiontup
        values: Any = [tuple([row[name] for name in names]) for row in rows] if names else list(rows)
        connection.exec_driver_sql(str(compiled), values)


def update_many(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Change rows by their number in one call; all rows name the same columns."""
    if rows:
        changed: dict[str, Any] = {name: bindparam(f"_{name}") for name in rows[0] if name != "no"}
        statement = update(table).where(table.c.no == bindparam("_no")).values(changed)
        connection.execute(statement, [{f"_{name}": value for name, value in row.items()} for row in rows])


def move_records(connection: Connection, keys: Iterable[str], cluster: int) -> None:
    """Put records into a cluster."""
    for part in chunks(keys):
        connection.execute(update(records).where(records.c.key.in_(part)).values(cluster=cluster))
