"""What a format cannot say of a record, as JSON that rides along in a field of its own.

A writer puts a record into the format's own fields and reads that back. Where something would be lost, it adds what
did not come back the same: `{"set": {...}, "unset": [...]}` over the record's native form. So what is written and read
again says the same, whatever it holds, and other software sees ordinary fields.

Nothing is lost where only the form differs: a name written the other way round, another word for the same type, a
title and its subtitle in one field, keywords under the name that the format has for them.
"""

from typing import Any

import msgspec

from bibfold.errors import RecordError
from bibfold.records.formats import DEFAULTS, Options
from bibfold.records.formats.names import inverted
from bibfold.records.formats.parts import Parts, parts
from bibfold.records.formats.values import squeeze
from bibfold.records.formats.work_types import is_same_type
from bibfold.records.identifiers import normalise
from bibfold.records.model import TEXT_FIELDS, Record
from bibfold.records.native import from_native, to_native

_encode = msgspec.json.Encoder().encode


class _Remainder(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    set: dict[str, Any] = {}
    unset: list[str] = []


_decode = msgspec.json.Decoder(_Remainder).decode


def remainder(record: Record, again: Record, options: Options = DEFAULTS) -> str:
    """The JSON that makes `record` out of `again`, what the format gave back; empty where nothing would be lost."""
    if record.source in (again.source, *options.file_sources) and not loses(record, again):
        return ""
    ours, theirs = to_native(record), to_native(again)
    change = {name: value for name, value in ours.items() if name not in theirs or theirs[name] != value}
    unset = [name for name in theirs if name not in ours]
    return _encode(_Remainder(change, unset)).decode()


def restored(record: Record, text: str) -> Record:
    """The record with a remainder put back; a text that is none is kept in `extra` under `bibfold`."""
    if not text:
        return record
    try:
        rest = _decode(text)
        data = to_native(record) | rest.set
        for name in rest.unset:
            data.pop(name, None)
        return from_native(data, record.source, record.id)
    except (msgspec.DecodeError, RecordError, RecursionError):
        return msgspec.structs.replace(record, extra={**record.extra, "bibfold": text})


def loses(record: Record, again: Record) -> bool:
    """Whether anything that a record says, its source aside, is not said by what a format gave back of it."""
    ours, theirs = parts(record), parts(again)
    return (
        any(_said(record, name) != _said(again, name) for name in _COMPARED)
        or (record.type and not is_same_type(record.type, again.type))
        or list(map(inverted, record.authors)) != list(map(inverted, again.authors))
        or not _identifiers(record) <= _identifiers(again)
        or any(not set(getattr(ours, name)) <= set(getattr(theirs, name)) for name in _PARTS)
        or any(name not in theirs.rest or theirs.rest[name] != value for name, value in ours.rest.items())
    )


_COMPARED = ("id", "title", "year", *(name for name in TEXT_FIELDS if name not in ("title", "subtitle", "type")))
_PARTS = tuple(name for name in Parts.__struct_fields__ if name != "rest")


def _said(record: Record, name: str) -> Any:
    value = f"{record.title}: {record.subtitle}" if name == "title" and record.subtitle else getattr(record, name)
    return squeeze(value) if isinstance(value, str) and name != "id" else value


def _identifiers(record: Record) -> set[tuple[str, str]]:
    return {(kind, normalise(kind, value) or value) for kind, values in record.identifiers.items() for value in values}
