"""Takes all that tells of records out of a catalogue: history, decisions, reviews and dead letters."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import delete, func, or_, select, text, update

from bibfold.catalogue.rows import chunks
from bibfold.catalogue.schema import (
    clusters,
    curations,
    dead_letters,
    decisions,
    events,
    former_contents,
    last_members,
    other_names,
    records,
    reviews,
)
from bibfold.catalogue.writing import Writing
from bibfold.records.native import decode

INSTEAD: Final = "a purged record"

SHORTEST: Final = 8
"""A shorter title or id does not tell that a dead letter speaks of its record."""


def purge(write: Writing, keys: Sequence[str], contents: Iterable[bytes]) -> None:
    """Take out what is left of records that are no longer in a cluster, told what they held.

    Evidence of other records of their clusters goes, too: it may quote them. Dead letters go that hold the title or
    the id of one of them.
    """
    if write.execute(text("SELECT 1")).context.dialect.name == "sqlite":
        write.execute(text("PRAGMA secure_delete = ON"))
    touched: set[int] = set()
    for part in chunks(keys):
        of_record = events.c.record.in_(part)
        for cluster, other in write.execute(select(events.c.cluster, events.c.other).where(of_record)):
            touched.update(no for no in (cluster, other) if no is not None)
        write.execute(delete(events).where(of_record))
        write.execute(delete(reviews).where(or_(reviews.c.record.in_(part), reviews.c.against.in_(part))))
        write.execute(delete(decisions).where(or_(decisions.c.a.in_(part), decisions.c.b.in_(part))))
        write.execute(delete(former_contents).where(former_contents.c.key.in_(part)))
        write.execute(delete(other_names).where(other_names.c.key.in_(part)))
        _forget_members(write, part)
    _forget_curations(write, keys)
    _forget_evidence(write, touched)
    _forget_mentions(write, keys)
    titles = {title for content in contents if len(title := decode(content).title) >= SHORTEST}
    _forget_dead_letters(write, titles | {id for key in keys if len(id := key.partition(":")[2]) >= SHORTEST})


def _forget_members(write: Writing, keys: Sequence[str]) -> None:
    """Retire clusters that held nothing else when they were last not empty."""
    query = select(last_members.c.cluster).where(last_members.c.record.in_(keys))
    numbers = list(write.execute(query).scalars())
    write.execute(delete(last_members).where(last_members.c.record.in_(keys)))
    left = write.homes(numbers)
    for part in chunks([no for no in numbers if no not in left]):
        write.execute(update(clusters).where(clusters.c.no.in_(part)).values(merged_into=None))


def _forget_curations(write: Writing, keys: Iterable[str]) -> None:
    """Take out changes that tell of these records; what else they decided stays, and can no longer be undone."""
    for key in keys:
        name = msgspec.json.encode(key)
        told = or_(*(func.instr(column, name) > 0 for column in (curations.c.before, curations.c.after)))
        for part in chunks(write.execute(select(curations.c.no).where(told)).scalars().all()):
            write.execute(update(decisions).where(decisions.c.curation.in_(part)).values(curation=None))
            write.execute(delete(curations).where(curations.c.no.in_(part)))


def _forget_evidence(write: Writing, numbers: Iterable[int]) -> None:
    """Keep of comparisons with what these clusters were only their scores."""
    for part in chunks(numbers):
        in_these = or_(events.c.cluster.in_(part), events.c.other.in_(part))
        write.execute(update(events).where(in_these).values(evidence=None))
        members = select(records.c.key).where(records.c.cluster.in_(part))
        queued = or_(reviews.c.record.in_(members), reviews.c.against.in_(members))
        for no, comparison in write.execute(select(reviews.c.no, reviews.c.comparison).where(queued)).all():
            kept: dict[str, Any] = {**msgspec.json.decode(comparison), "evidence": [], "vetoes": []}
            write.execute(update(reviews).where(reviews.c.no == no).values(comparison=msgspec.json.encode(kept)))


def _forget_mentions(write: Writing, keys: Iterable[str]) -> None:
    """Take keys out of what is said of other records."""
    for key in keys:
        whole = re.compile(rf"(?<![^\s(,]){re.escape(key)}(?![^\s,;:.)])")
        mentions = select(events.c.no, events.c.cause).where(events.c.cause.contains(key, autoescape=True))
        for no, cause in write.execute(mentions).all():
            write.execute(update(events).where(events.c.no == no).values(cause=whole.sub(INSTEAD, cause)))


def _forget_dead_letters(write: Writing, telling: Iterable[str]) -> None:
    for words in telling:
        write.execute(delete(dead_letters).where(dead_letters.c.raw.contains(words, autoescape=True)))
