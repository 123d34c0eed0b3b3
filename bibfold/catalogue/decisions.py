"""A person's word on pairs of records: it outlives re-runs, re-indexing and a change of profile."""

import time
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, or_, select

from bibfold.catalogue.rows import chunks, insert_many
from bibfold.catalogue.schema import decisions, reviews

Verdicts = Mapping[str, Mapping[str, str]]
"""A person's decisions: for a record's key, the other keys and `same` or `different`."""


def verdicts(connection: Connection, keys: Iterable[str]) -> dict[str, dict[str, str]]:
    """What was decided of these records: for each key, the other record and `same` or `different`."""
    found: dict[str, dict[str, str]] = {}
    for part in chunks(keys):
        rows = connection.execute(select(decisions).where(or_(decisions.c.a.in_(part), decisions.c.b.in_(part))))
        for row in rows:
            found.setdefault(row.a, {})[row.b] = row.verdict
            found.setdefault(row.b, {})[row.a] = row.verdict
    return found


def any_made(connection: Connection) -> bool:
    """Whether anything was ever decided here."""
    return connection.execute(select(decisions.c.a).limit(1)).first() is not None


def record_verdict(connection: Connection, pairs: Iterable[tuple[str, str]], verdict: str, note: str = "") -> None:
    """Keep a decision on pairs of records, in place of earlier ones, and take the pairs off the review queue."""
    ordered = [_ordered(pair) for pair in pairs]
    forget_verdicts(connection, ordered)
    now = time.time()
    rows = [{"a": a, "b": b, "verdict": verdict, "at": now, "note": note} for a, b in ordered]
    insert_many(connection, decisions, rows)
    queued = or_(
        and_(reviews.c.record == bindparam("one"), reviews.c.against == bindparam("other")),
        and_(reviews.c.record == bindparam("other"), reviews.c.against == bindparam("one")),
    )
    _execute_for(connection, delete(reviews).where(queued), ordered)


def forget_verdicts(connection: Connection, pairs: Iterable[tuple[str, str]]) -> None:
    """Drop what was decided of pairs of records."""
    this = (decisions.c.a == bindparam("one")) & (decisions.c.b == bindparam("other"))
    _execute_for(connection, delete(decisions).where(this), [_ordered(pair) for pair in pairs])


def _execute_for(connection: Connection, statement: Any, pairs: Iterable[tuple[str, str]]) -> None:
    for part in chunks(pairs):
        connection.execute(statement, [{"one": one, "other": other} for one, other in part])


def _ordered(pair: tuple[str, str]) -> tuple[str, str]:
    return (pair[0], pair[1]) if pair[0] < pair[1] else (pair[1], pair[0])
