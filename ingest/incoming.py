"""Records on their way into the catalogue: as they arrive, and as they are folded."""

from collections.abc import Sequence
from typing import Final

import msgspec

from bibfold.catalogue.rows import StoredRecord
from bibfold.engines.base import Terms
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.native import digest, encode
from bibfold.records.prepare import YEARS, Prepared, prepare
from bibfold.text import looks_garbled

LONGEST_TITLE: Final = 5_000
"""A longer title is remarked upon."""


class Forms(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is derived from a record: its comparable form, and the keys that it is searched by."""

    prepared: Prepared
    terms: Terms


class Arrived(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A record as it was read; its forms are absent where the catalogue seemed to have it already.

    `unit` counts the units of input in a run. `file` is there where the record's id is a label: it stands for the
    file, and is empty where that is not known.
    """

    record: Record
    content: bytes
    digest: bytes
    forms: Forms | None = None
    unit: int = 0
    file: bytes | None = None


class Incoming(msgspec.Struct, frozen=True, gc=False):
    """A record that is to be folded: `place` is where it stood in its batch.

    `stored` is what the catalogue has under its key, `no` its number there, provisional where it is new. It `returns`
    where a record of its key was deleted.
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
    file: bytes | None = None
    returns: bool = False


def arrive(record: Record, unit: int = 0, file: bytes | None = None) -> Arrived:
    """A record as it is handed to the fold, its forms yet to be made."""
    content = encode(record)
    return Arrived(record, content, digest(content), None, unit, file)


def renamed(arrived: Arrived, id: str) -> Arrived:
    """The same under another id; its forms, which no id is part of, stay."""
    if id == arrived.record.id:
        return arrived
    record = msgspec.structs.replace(arrived.record, id=id)
    return msgspec.structs.replace(arrive(record, arrived.unit, arrived.file), forms=arrived.forms)


def forms(record: Record, settings: KeySettings) -> Forms:
    """A record's forms."""
    prepared = prepare(record, written=settings.written)
    return Forms(prepared, keys(prepared, settings))


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
