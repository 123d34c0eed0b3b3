"""What a format cannot say of a record, as JSON that rides along in a field of its own.

A writer puts a record into the format's own fields, reads that back, and adds only what did not come back the
same: `{"set": {...}, "unset": [...]}` over the record's native form. So what is written and read again is the
same record, whatever it holds, and other software sees ordinary fields.
"""

from typing import Any

import msgspec

from bibfold.errors import RecordError
from bibfold.records.model import Record
from bibfold.records.native import from_native, to_native

_encode = msgspec.json.Encoder().encode


class _Remainder(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    set: dict[str, Any] = {}
    unset: list[str] = []


_decode = msgspec.json.Decoder(_Remainder).decode


def remainder(record: Record, again: Record) -> str:
    """The JSON that makes `record` out of `again`, what the format gave back; empty where they are equal."""
    ours, theirs = to_native(record), to_native(again)
    change = {name: value for name, value in ours.items() if name not in theirs or theirs[name] != value}
    unset = [name for name in theirs if name not in ours]
    return _encode(_Remainder(change, unset)).decode() if change or unset else ""


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
