"""The local MARC field that carries what MARC has no place for, so that an export reads back the same.

`997 $2 bibfold $a` holds a JSON object: `source`, `put` (fields of the model as they are), `extra` (keys and
values) and `without` (keys that `extra` lacks though the other MARC fields would give them).
"""

import json
import re
from typing import Any

import msgspec

from bibfold.errors import RecordError
from bibfold.records.formats.marc import LOCAL, Field, Marc, is_local
from bibfold.records.formats.marc_record import to_record
from bibfold.records.model import TEXT_FIELDS, Record

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""

_PUT = ("id", *TEXT_FIELDS, "authors", "year", "identifiers")


class _Local(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    put: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    without: list[str] = []


_DELETED = "d"
_OTHER_FILES = {
    **dict.fromkeys("uvxy", "holdings"),
    "q": "community information",
    "w": "a class",
    "z": "an authority",
}


def from_marc(marc: Marc, source: str) -> Record | None:
    """The record that a MARC record describes, with what our local field adds; None where it is deleted."""
    ours = [field for field in marc.fields if is_local(field.tag, field.subfields)]
    if not ours:
        if kind := _OTHER_FILES.get(marc.leader[6:7]):
            raise RecordError("record", f"describes {kind}, not a work (leader/06 is {marc.leader[6]})")
        return None if marc.leader[5:6] == _DELETED else to_record(marc, source)
    others = tuple(field for field in marc.fields if field not in ours)
    return _restored(to_record(Marc(marc.leader, others), source), ours[0].first("a"))


def difference(record: Record, read: Record) -> Field:
    """The local field that makes one record out of what is read of the other fields."""
    put = {name: getattr(record, name) for name in _PUT if getattr(record, name) != getattr(read, name)}
    extra = {key: value for key, value in record.extra.items() if key not in read.extra or read.extra[key] != value}
    without = [key for key in read.extra if key not in record.extra]
    parts = {"source": record.source, "put": put, "extra": extra, "without": without}
    text = json.dumps({name: value for name, value in parts.items() if value or name == "source"}, ensure_ascii=False)
    return Field(LOCAL, "  ", (("2", "bibfold"), ("a", FORBIDDEN.sub(_escaped, text))))


def _restored(record: Record, text: str) -> Record:
    try:
        local = msgspec.convert(json.loads(text), _Local)
        extra = {key: value for key, value in record.extra.items() if key not in local.without} | local.extra
        whole = msgspec.structs.asdict(record) | local.put | {"source": local.source, "extra": extra}
        return msgspec.convert(whole, Record)
    except (ValueError, RecursionError) as error:
        reason = f"field {LOCAL}, marked `$2 bibfold`, does not hold what bibfold writes there: {error}"
        raise RecordError("record", reason) from error


def _escaped(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"
