"""Writes what a batch decided into the catalogue, in one transaction."""

import time
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, or_, select, tuple_, update

from bibfold.catalogue.outbox import note
from bibfold.catalogue.rows import chunks, encode_canonical, insert_many, update_many
from bibfold.catalogue.schema import clusters, events, records, reviews
from ingest.decide import Deciding, Happened, Pair
from ingest.groups import Group
from ingest.incoming import Incoming

_json = msgspec.json.Encoder().encode


def write_batch(
    connection: Connection, deciding: Deciding, batch: Sequence[Incoming], run: int, *, history: bool = True
) -> int:
    """Write records, clusters, and as `history` events, reviews and the outbox; the number of the last outbox row."""
    now = time.time()
    _write_records(connection, deciding, batch, run)
    _write_clusters(connection, deciding)
    if not history:
        return 0
    insert_many(connection, events, [_event(one, run, now) for one in deciding.events])
    _write_reviews(connection, deciding, batch, now)
    changed = dict.fromkeys([*range(deciding.first_no, deciding.next_no), *deciding.touched])
    return note(connection, changed)


def final_no(deciding: Deciding, no: int) -> int:
    """The cluster that a number stands for when the batch is done."""
    group = deciding.groups.get(no)
    while group is not None and group.merged_into is not None:
        no = group.merged_into
        group = deciding.groups.get(no)
    return no


def _write_records(connection: Connection, deciding: Deciding, batch: Sequence[Incoming], run: int) -> None:
    fresh: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    for one, placed in zip(batch, deciding.placed, strict=True):
        row = {
            "no": one.no,
            "content": one.content,
            "digest": one.digest,
            "cluster": final_no(deciding, placed),
            "run": run,
        }
        if one.held:
            changed.append(row)
        else:
            fresh.append({"key": one.record.key, "source": one.record.source, **row})
    insert_many(connection, records, fresh)
    update_many(connection, records, changed)


def _write_clusters(connection: Connection, deciding: Deciding) -> None:
    insert_many(
        connection,
        clusters,
        [
            {"no": no, **_shown(deciding.groups[no])}
            if no in deciding.groups
            else {"no": no, "size": 1, "canonical": None, "merged_into": None}
            for no in range(deciding.first_no, deciding.next_no)
        ],
    )
    standing = [group for no, group in deciding.touched.items() if no < deciding.first_no]
    update_many(connection, clusters, [{"no": group.no, **_shown(group)} for group in standing])
    for group in standing:
        if group.merged_into is not None:
            into = final_no(deciding, group.no)
            connection.execute(update(records).where(records.c.cluster == group.no).values(cluster=into))


def _shown(group: Group) -> dict[str, Any]:
    many = len(group.numbered) > 1
    return {
        "size": len(group.numbered),
        "canonical": encode_canonical(group.canonical) if many else None,
        "merged_into": group.merged_into,
    }


def _event(one: Happened, run: int, now: float) -> dict[str, Any]:
    comparison = one.comparison
    return {
        "at": now,
        "run": run,
        "kind": one.kind,
        "cluster": one.cluster,
        "other": one.other,
        "record": one.record,
        "cause": one.cause,
        "profile": comparison.profile if comparison else None,
        "score": comparison.score if comparison else None,
        "evidence": _json(comparison.evidence) if comparison else None,
    }


def _write_reviews(connection: Connection, deciding: Deciding, batch: Sequence[Incoming], now: float) -> None:
    """Queue the unsure pairs once each; drop those whose content changed since, and those that fell together."""
    for part in chunks(one.record.key for one in batch if one.held):
        connection.execute(delete(reviews).where(or_(reviews.c.record.in_(part), reviews.c.against.in_(part))))
    unsure = {(pair.a, pair.b): pair for pair in deciding.pairs if pair.comparison.decision == "unsure"}
    for part in chunks(unsure):
        turned = [(b, a) for a, b in part]
        queued = select(reviews.c.record, reviews.c.against)
        for row in connection.execute(queued.where(tuple_(reviews.c.record, reviews.c.against).in_(part + turned))):
            unsure.pop((row.record, row.against), None)
            unsure.pop((row.against, row.record), None)
    insert_many(connection, reviews, [_review(pair, now) for pair in unsure.values()])
    _drop_settled(connection, deciding.touched.values())


def _review(pair: Pair, now: float) -> dict[str, Any]:
    return {
        "record": pair.a,
        "against": pair.b,
        "score": pair.comparison.score,
        "comparison": _json(pair.comparison),
        "at": now,
    }


def _drop_settled(connection: Connection, groups: Iterable[Group]) -> None:
    """Take pairs off the queue whose records lie in one cluster now."""
    home = {record.key: group.no for group in groups for record in group.numbered.values()}
    queued = select(reviews.c.no, reviews.c.record, reviews.c.against)
    settled = [
        row.no
        for part in chunks(home)
        for row in connection.execute(queued.where(reviews.c.record.in_(part)))
        if home.get(row.against) == home[row.record]
    ]
    for part in chunks(settled):
        connection.execute(delete(reviews).where(reviews.c.no.in_(part)))
