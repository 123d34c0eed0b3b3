"""What arrives, set against what the catalogue has: new, changed, unchanged, or a second record of one name."""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Final

import msgspec

from bibfold.catalogue.rows import NEW, StoredRecord
from bibfold.engines.base import Terms
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.native import digest, encode
from bibfold.records.prepare import YEARS, Prepared, prepare
from bibfold.text import looks_garbled

if TYPE_CHECKING:
    from bibfold.catalogue.reading import Reading

LONGEST_TITLE: Final = 5_000
"""A longer title is remarked upon."""


class Forms(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is derived from a record: its comparable form, and the keys that it is searched by."""

    prepared: Prepared
    terms: Terms


class Arrived(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A record as it was read; its forms are absent where the catalogue seemed to have it already."""

    record: Record
    content: bytes
    digest: bytes
    forms: Forms | None = None


class Incoming(msgspec.Struct, frozen=True, gc=False):
    """A record that is to be folded: `place` is where it stood in its batch.

    `stored` is what the catalogue has under its key, `no` its number there, provisional where it is new.
    """

    key: str
    record: Record
    content: bytes
    digest: bytes
    prepared: Prepared
    terms: Terms
    place: int
    stored: StoredRecord | None
    no: int


class Sifted(msgspec.Struct, frozen=True):
    """A batch after sifting: what has to be folded, how many records were unchanged, and remarks."""

    incoming: list[Incoming]
    unchanged: int
    remarks: list[str]


def arrive(record: Record) -> Arrived:
    """A record as it is handed to the fold, its forms yet to be made."""
    content = encode(record)
    return Arrived(record, content, digest(content))


def forms(record: Record, settings: KeySettings) -> Forms:
    """A record's forms."""
    prepared = prepare(record, written=settings.written)
    return Forms(prepared, keys(prepared, settings))


class Run(msgspec.Struct, frozen=True):
    """A run of folding: its number in the catalogue, and the names of the records that it found unchanged.

    `seen` holds the names of all that it has written, where the catalogue was empty when it began: no other
    name need be asked for.
    """

    no: int
    unchanged: set[str] = set()
    seen: set[str] | None = None

    def stored(self, read: "Reading", keys: Iterable[str]) -> dict[str, StoredRecord]:
        """Those of the records that the catalogue has, by key."""
        return read.stored(keys if self.seen is None else [key for key in keys if key in self.seen])

    def has(self, key: str, before: StoredRecord | None) -> bool:
        """Whether a record of this name went by in this run already."""
        return key in self.unchanged or (before is not None and before.run == self.no)


def sift(read: "Reading", batch: Iterable[Arrived], run: Run, settings: KeySettings) -> Sifted:
    """Set a batch against the catalogue and against itself; what is left and new is numbered provisionally.

    Unchanged records are dropped. A second record of one name but other content within a run is kept under a
    name of its own (`id~2`); in a later run it is a change of the first.
    """
    numbers = count(NEW)
    waiting = [(place, arrived.record.key, arrived) for place, arrived in enumerate(batch)]
    known = run.stored(read, [key for _, key, _ in waiting])
    kept: dict[str, Incoming] = {}
    unchanged, remarks = 0, list[str]()
    while waiting:
        renamed: list[tuple[int, str, Arrived]] = []
        for place, key, arrived in waiting:
            before = known.get(key)
            if before and before.digest == arrived.digest:
                unchanged += 1
                run.unchanged.add(key)
            elif key in kept and kept[key].digest == arrived.digest:
                unchanged += 1
            elif key in kept or run.has(key, before) or (before and before.source != arrived.record.source):
                record = msgspec.structs.replace(arrived.record, id=_next_name(arrived.record.id))
                remarks.append(
                    f"{key} stands twice in this run with different content; the later one is kept as {record.key}"
                )
                renamed.append((place, record.key, msgspec.structs.replace(arrive(record), forms=arrived.forms)))
            else:
                made = arrived.forms or forms(arrived.record, settings)
                no = before.no if before else next(numbers)
                kept[key] = Incoming(
                    key, arrived.record, arrived.content, arrived.digest, made.prepared, made.terms, place, before, no
                )
        known.update(run.stored(read, [key for _, key, _ in renamed]))
        waiting = renamed
    if run.seen is not None:
        run.seen.update(kept)
    return Sifted(list(kept.values()), unchanged, remarks)


def _next_name(id: str) -> str:
    stem, tilde, number = id.rpartition("~")
    return f"{stem}~{int(number) + 1}" if tilde and number.isdecimal() else f"{id}~2"


def implausible(batch: Sequence[Incoming]) -> list[str]:
    """Remarks on values that are kept as received but hardly can be what they should."""
    remarks = []
    for record in (incoming.record for incoming in batch):
        if record.year is not None and record.year not in YEARS:
            remarks.append(f"{record.key}: the year {record.year} is not plausible; it is kept but not compared")
        if len(record.title) > LONGEST_TITLE:
            remarks.append(f"{record.key}: the title has {len(record.title)} letters; was a whole text read as one?")
        if looks_garbled(record.title[:LONGEST_TITLE]):
            remarks.append(
                f"{record.key}: letters of the title look garbled ({record.title[:40]}); if the file is not UTF-8 or "
                "Windows-1252, name its encoding with --encoding"
            )
    return remarks
