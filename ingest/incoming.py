"""What arrives, set against what the catalogue has: new, changed, unchanged, or a second record of one name."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import count
from typing import Final

import msgspec

from bibfold.catalogue.reading import Reading
from bibfold.catalogue.rows import NEW, StoredRecord
from bibfold.engines.base import Terms
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.native import encode
from bibfold.records.prepare import YEARS, Prepared, prepare

LONGEST_TITLE: Final = 5_000
"""A longer title is remarked upon."""


class Incoming(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A record on its way into the catalogue, with all that is derived from it once.

    `stored` is what the catalogue has under its name, `no` its number there, provisional where it is new; both are
    set when it is sifted.
    """

    record: Record
    content: bytes
    digest: bytes
    prepared: Prepared
    terms: Terms
    stored: StoredRecord | None = None
    no: int = 0


class Sifted(msgspec.Struct, frozen=True):
    """A batch after sifting: what has to be folded and where in the batch it stood, how many were known, remarks."""

    incoming: list[Incoming]
    origins: list[int]
    unchanged: int
    remarks: list[str]


def ready(record: Record, settings: KeySettings) -> Incoming:
    """A record with its derived forms."""
    prepared = prepare(record)
    content = encode(record)
    return Incoming(record, content, digest(content), prepared, keys(prepared, settings))


def digest(content: bytes) -> bytes:
    """What tells changed content from unchanged."""
    return blake2b(content, digest_size=16).digest()


class Run(msgspec.Struct, frozen=True):
    """A run of folding: its number in the catalogue, and the names of the records that it found unchanged.

    `seen` holds the names of all that it has written, where the catalogue was empty when it began: no other
    name need be asked for.
    """

    no: int
    unchanged: set[str] = set()
    seen: set[str] | None = None

    def stored(self, read: Reading, keys: Iterable[str]) -> dict[str, StoredRecord]:
        """Those of the records that the catalogue has, by key."""
        return read.stored(keys if self.seen is None else [key for key in keys if key in self.seen])

    def has(self, key: str, before: StoredRecord | None) -> bool:
        """Whether a record of this name went by in this run already."""
        return key in self.unchanged or (before is not None and before.run == self.no)


def sift(read: Reading, batch: Iterable[Incoming], run: Run, settings: KeySettings) -> Sifted:
    """Set a batch against the catalogue and against itself; what is left and new is numbered provisionally.

    Unchanged records are dropped. A second record of one name but other content within a run is kept under a
    name of its own (`id~2`); in a later run it is a change of the first.
    """
    numbers = count(NEW)
    waiting = list(enumerate(batch))
    known = run.stored(read, [one.record.key for _, one in waiting])
    kept: dict[str, Incoming] = {}
    origins: list[int] = []
    unchanged = 0
    remarks: list[str] = []
    while waiting:
        again: list[tuple[int, Incoming]] = []
        for origin, one in waiting:
            key = one.record.key
            before = known.get(key)
            if before and before.digest == one.digest:
                unchanged += 1
                run.unchanged.add(key)
            elif key in kept and kept[key].content == one.content:
                unchanged += 1
            elif key in kept or run.has(key, before) or (before and before.source != one.record.source):
                renamed = msgspec.structs.replace(one.record, id=_next_name(one.record.id))
                remarks.append(
                    f"{key} stands twice in this run with different content; the later one is kept as {renamed.key}"
                )
                again.append((origin, ready(renamed, settings)))
            else:
                no = before.no if before else next(numbers)
                kept[key] = msgspec.structs.replace(one, stored=before, no=no)
                origins.append(origin)
        known.update(run.stored(read, [one.record.key for _, one in again]))
        waiting = again
    if run.seen is not None:
        run.seen.update(kept)
    return Sifted(list(kept.values()), origins, unchanged, remarks)


def _next_name(id: str) -> str:
    stem, tilde, number = id.rpartition("~")
    return f"{stem}~{int(number) + 1}" if tilde and number.isdecimal() else f"{id}~2"


def implausible(batch: Sequence[Incoming]) -> list[str]:
    """Remarks on values that are kept as received but hardly can be what they should."""
    remarks = []
    for record in (one.record for one in batch):
        if record.year is not None and record.year not in YEARS:
            remarks.append(f"{record.key}: the year {record.year} is not plausible; it is kept but not compared")
        if len(record.title) > LONGEST_TITLE:
            remarks.append(f"{record.key}: the title has {len(record.title)} letters; was a whole text read as one?")
    return remarks
