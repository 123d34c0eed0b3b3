"""Answers questions about a catalogue: what a cluster holds, how much there is, what happened, what is open."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, TypedDict

import msgspec
from sqlalchemy import Integer, Table, func, or_, select

from bibfold.catalogue.reading import Reading
from bibfold.catalogue.reviews import count_open
from bibfold.catalogue.rows import cluster_id
from bibfold.catalogue.schema import clusters, dead_letters, decisions, events, records, runs
from bibfold.records.model import DeadLetter
from bibfold.records.native import to_native


class ClusterData(TypedDict):
    """A cluster: what it looks like from outside, which record each field comes from, and its members."""

    cluster: str
    redirected_from: list[str]
    canonical: dict[str, Any]
    provenance: dict[str, str]
    records: list[dict[str, Any]]


class RetiredData(TypedDict):
    """A retired cluster id, why it is, and the records that it held last, each with the cluster that it is in now."""

    cluster: str
    retired: bool
    reason: str
    held: dict[str, str | None]


class EventData(TypedDict):
    """A change of a cluster, and why it was made."""

    at: str
    kind: str
    cluster: str
    other: str | None
    record: str | None
    cause: str
    profile: str | None
    score: float | None
    evidence: list[dict[str, Any]]


class Statistics(TypedDict):
    """How much a catalogue holds, and by which settings."""

    records: int
    clusters: int
    duplicates: int
    largest_cluster: int
    cluster_sizes: dict[str, int]
    sources: dict[str, int]
    to_review: int
    decisions: int
    dead_letters: int
    events: int
    outbox: int
    options: dict[str, Any]


def cluster_data(read: Reading, name: str) -> ClusterData:
    """A cluster, named by its id, an id that leads to it, or one of its records; raises Retired for an id that is."""
    no = read.resolve(name)
    cluster = read.clusters([no])[no]
    leading = [other for other, end in read.leads(read.merged_into(no)).items() if end == no]
    return {
        "cluster": cluster_id(no),
        "redirected_from": [cluster_id(other) for other in sorted(leading)],
        "canonical": to_native(cluster.canonical.record),
        "provenance": dict(cluster.canonical.provenance),
        "records": [to_native(record) for record in cluster.members],
    }


def retired_data(read: Reading, name: str) -> RetiredData | None:
    """What became of a cluster whose id is retired; None for any other name."""
    no = read.given_out([name]).get(name)
    if no is None or read.stored([name]) or read.leads([no]):
        return None
    held = read.homes([no]).get(no, {})
    return {
        "cluster": cluster_id(no),
        "retired": True,
        "reason": read.retirement(no),
        "held": {key: None if home is None else cluster_id(home) for key, home in held.items()},
    }


def statistics(read: Reading) -> Statistics:
    """How much a catalogue holds, and by which settings."""
    standing = clusters.c.size > 0
    sizes = read.execute(
        select(clusters.c.size, func.count()).where(standing).group_by(clusters.c.size).order_by(clusters.c.size)
    ).all()
    sources = read.execute(
        select(records.c.source, func.count()).group_by(records.c.source).order_by(records.c.source)
    ).all()
    return {
        "records": _count(read, records),
        "clusters": sum(number for _, number in sizes),
        "duplicates": sum((size - 1) * number for size, number in sizes),
        "largest_cluster": max((size for size, _ in sizes), default=0),
        "cluster_sizes": {str(size): number for size, number in sizes},
        "sources": {row.source: row[1] for row in sources},
        "to_review": count_open(read),
        "decisions": _count(read, decisions),
        "dead_letters": read.execute(
            select(func.count()).select_from(dead_letters).where(dead_letters.c.closed.is_(None))
        ).scalar_one(),
        "events": _count(read, events),
        "outbox": read.count_outbox(),
        "options": read.options(),
    }


def activity(read: Reading) -> dict[str, int]:
    """How many records came in on each day, by the events that say so."""
    day = func.cast(events.c.at / 86_400, Integer)
    came = select(day, func.count()).where(events.c.record.is_not(None), events.c.kind.in_(("founded", "joined")))
    return {
        time_text(86_400.0 * number)[:10]: count for number, count in read.execute(came.group_by(day).order_by(day))
    }


def overlaps(read: Reading) -> dict[str, int]:
    """For each two sources, how many clusters hold records of both; the largest first."""
    held = select(records.c.cluster, records.c.source).join(clusters, clusters.c.no == records.c.cluster)
    one, other = (held.where(clusters.c.size > 1).distinct().subquery() for _ in range(2))
    count = func.count()
    query = select(one.c.source, other.c.source, count).join(other, one.c.cluster == other.c.cluster)
    shared = query.where(one.c.source < other.c.source).group_by(one.c.source, other.c.source)
    return {f"{a} and {b}": number for a, b, number in read.execute(shared.order_by(count.desc()).limit(20))}


def event_list(read: Reading, name: str | None, limit: int) -> Iterator[EventData]:
    """What happened, newest first: to any cluster, or to one, those merged into it and the record that names it."""
    query = select(events).order_by(events.c.no.desc()).limit(limit)
    if name is not None:
        numbers = _history_of(read, name)
        query = query.where(or_(events.c.cluster.in_(numbers), events.c.other.in_(numbers), events.c.record == name))
    for row in read.execute(query):
        yield {
            "at": time_text(row.at),
            "kind": row.kind,
            "cluster": cluster_id(row.cluster),
            "other": cluster_id(row.other) if row.other is not None else None,
            "record": row.record,
            "cause": row.cause,
            "profile": row.profile,
            "score": row.score,
            "evidence": msgspec.json.decode(row.evidence) if row.evidence else [],
        }


def _history_of(read: Reading, name: str) -> list[int]:
    """The clusters whose changes tell of a cluster or record; none for a record that was deleted."""
    if not read.stored([name]):
        if read.deleted_contents([name]):
            return []
        no = read.given_out([name]).get(name)
        if no is not None and not read.leads([no]):
            return [no, *read.merged_into(no)]
    no = read.resolve(name)
    return [no, *read.merged_into(no)]


def dead_letter_list(read: Reading, limit: int, *, every: bool = False) -> Iterator[dict[str, Any]]:
    """What could not be read, oldest first, with the run that met it last; closed ones on demand."""
    query = (
        select(dead_letters, runs.c.started, runs.c.command)
        .join(runs, runs.c.no == dead_letters.c.run)
        .order_by(dead_letters.c.no)
        .limit(limit)
    )
    for row in read.execute(query if every else query.where(dead_letters.c.closed.is_(None))):
        letter = {name: getattr(row, name) for name in DeadLetter.__struct_fields__}
        yield {"at": time_text(row.started), "command": row.command, "closed": row.closed is not None, **letter}


def _count(read: Reading, table: Table) -> int:
    return read.execute(select(func.count()).select_from(table)).scalar_one()


def time_text(seconds: float) -> str:
    """A moment as text, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
