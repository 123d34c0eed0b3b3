"""Streams what the catalogue holds: which record lies where, and the canonical records."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import msgspec
from sqlalchemy import select

from bibfold.catalogue.reading import Reading
from bibfold.catalogue.rows import chunks, cluster_id
from bibfold.catalogue.schema import clusters, records
from bibfold.records.formats.parts import DATABASES, RECORDS
from bibfold.records.model import Record

OURS: Final = ("cluster", "records", "provenance")
"""Names that a line of the export has besides the record's own."""

_OUR_NAMES = [f'"{name}":'.encode() for name in OURS]

_json = msgspec.json.Encoder().encode


def memberships(read: Reading) -> Iterator[tuple[str, str, str]]:
    """Cluster, source and id of every record, cluster by cluster."""
    query = select(records.c.cluster, records.c.source, records.c.key).order_by(records.c.cluster, records.c.no)
    for cluster, source, key in read.execute(query.execution_options(yield_per=10_000)):
        yield cluster_id(cluster), source, key[len(source) + 1 :]


def canonical_lines(read: Reading) -> Iterator[bytes]:
    """Every canonical record as a line of JSON, with its cluster, its records and the provenance of its fields."""
    query = (
        select(records.c.cluster, records.c.key, records.c.content, clusters.c.canonical)
        .join(clusters, clusters.c.no == records.c.cluster)
        .order_by(records.c.cluster, records.c.no)
        .execution_options(yield_per=10_000)
    )
    for cluster, rows in groupby(read.execute(query), key=itemgetter(0)):
        (_, key, content, canonical), *others = rows
        head = {"cluster": cluster_id(cluster), "records": [key, *(row.key for row in others)]}
        if canonical is None:
            yield _joined(head, content)
        else:
            stored = msgspec.json.decode(canonical, type=dict[str, msgspec.Raw])
            yield _joined({**head, "provenance": stored["provenance"]}, bytes(stored["record"]))


def canonical_records(read: Reading) -> Iterator[Record]:
    """Every canonical record under its cluster's id, with the sources and names of its members."""
    for part in read.standing():
        for cluster in part.values():
            shown = cluster.canonical
            sources = list(dict.fromkeys(record.source for record in cluster.members))
            members = {DATABASES: sources, RECORDS: [record.key for record in cluster.members]}
            extra = {**shown.record.extra, **members}
            yield msgspec.structs.replace(shown.record, source="bibfold", id=cluster_id(cluster.no), extra=extra)


def former_ids(read: Reading) -> Iterator[bytes]:
    """Every cluster id without records of its own as a line of JSON: where it leads, or that it is retired.

    `held` are the records that it held last, each with the cluster that it is in now, if any.
    """
    empty = select(clusters.c.no).where(clusters.c.size == 0).order_by(clusters.c.no)
    for numbers in chunks(read.execute(empty).scalars().all()):
        leads, homes = read.leads(numbers), read.homes(numbers)
        for no in numbers:
            held = {key: home and cluster_id(home) for key, home in homes.get(no, {}).items()}
            end = cluster_id(leads[no]) if no in leads else None
            yield _json({"cluster": cluster_id(no), "leads_to": end, "retired": end is None, "held": held}) + b"\n"


def _joined(head: Mapping[str, object], content: bytes) -> bytes:
    """Two JSON objects as one line, the second given as it was encoded.

    A record that came with such names of its own, out of an earlier export, keeps what they held as `received`.
    """
    if any(name in content for name in _OUR_NAMES):
        fields = msgspec.json.decode(content, type=dict[str, Any])
        received = {name: fields.pop(name) for name in OURS if name in fields}
        return _json({**head, **fields, **({"received": received} if received else {})}) + b"\n"
    return _json(head)[:-1] + b"," + content[1:] + b"\n"
