"""What arrives, set against what the catalogue has: new, changed, unchanged, or a second record of one name."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import msgspec
from sqlalchemy import Connection

from bibfold.catalogue.rows import Held, held
from bibfold.engines.base import Terms
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.native import encode
from bibfold.records.prepare import Prepared, prepare


class Incoming(msgspec.Struct, frozen=True, array_like=True):
    """A record on its way into the catalogue, with all that is derived from it once."""

    record: Record
    content: bytes
    prepared: Prepared
    terms: Terms
    held: Held | None = None


class Sifted(msgspec.Struct, frozen=True):
    """A batch after sifting: what has to be folded, how many were known already, remarks for the user."""

    incoming: list[Incoming]
    unchanged: int
    remarks: list[str]


def ready(record: Record, settings: KeySettings) -> Incoming:
    """A record with its derived forms."""
    prepared = prepare(record)
    return Incoming(record, encode(record), prepared, keys(prepared, settings))


def digest(content: bytes) -> bytes:
    """What tells changed content from unchanged."""
    return blake2b(content, digest_size=16).digest()


def sift(connection: Connection, batch: Iterable[Incoming], run: int, settings: KeySettings) -> Sifted:
    """Set a batch against the catalogue and against itself.

    Unchanged records are dropped. A second record of one name but other content within a run is kept under a
    name of its own (`id~2`); in a later run it is a change of the first.
    """
    waiting = list(batch)
    known = held(connection, [one.record.key for one in waiting])
    kept: dict[str, Incoming] = {}
    unchanged = 0
    remarks: list[str] = []
    while waiting:
        again: list[Incoming] = []
        for one in waiting:
            key = one.record.key
            before = known.get(key)
            fresh = digest(one.content)
            if (before and before.digest == fresh) or (key in kept and kept[key].content == one.content):
                unchanged += 1
            elif key in kept or (before and before.run == run):
                renamed = msgspec.structs.replace(one.record, id=_next_name(one.record.id))
                remarks.append(
                    f"{key} stands twice in this run with different content; the later one is kept as {renamed.key}"
                )
                again.append(ready(renamed, settings))
            else:
                kept[key] = msgspec.structs.replace(one, held=before) if before else one
        known.update(held(connection, [one.record.key for one in again]))
        waiting = again
    return Sifted(list(kept.values()), unchanged, remarks)


def _next_name(id: str) -> str:
    stem, tilde, number = id.rpartition("~")
    return f"{stem}~{int(number) + 1}" if tilde and number.isdecimal() else f"{id}~2"


def implausible(records: Sequence[Record]) -> list[str]:
    """Remarks on values that are kept as received but not believed."""
    return [
        f"{record.key}: the year {record.year} is not plausible; it is kept but not compared"
        for record in records
        if record.year is not None and not 1000 <= record.year <= 2100
    ]
