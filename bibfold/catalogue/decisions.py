"""A person's word on pairs of records: it outlives re-runs, re-indexing and a change of profile."""

import time
from collections.abc import Iterable

from sqlalchemy import Connection, delete, insert, or_, select

from bibfold.catalogue.rows import chunks
from bibfold.catalogue.schema import decisions, reviews


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
    for one, other in pairs:
        a, b = sorted((one, other))
        connection.execute(delete(decisions).where(decisions.c.a == a, decisions.c.b == b))
        connection.execute(insert(decisions).values(a=a, b=b, verdict=verdict, at=time.time(), note=note))
        for left, right in ((a, b), (b, a)):
            connection.execute(delete(reviews).where(reviews.c.record == left, reviews.c.against == right))
