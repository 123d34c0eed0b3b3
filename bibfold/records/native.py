"""bibfold's own JSON form of a record: what `jsonl` files, the catalogue and the index hold."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import msgspec

from bibfold.errors import RecordError
from bibfold.records.model import FIELD_NAMES, NATIVE_FIELDS, TEXT_FIELDS, Record

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def _field(field: msgspec.structs.FieldInfo) -> tuple[str, Any, Any]:
    """A field of a line, which need not be there, with its type and default."""
    if field.name == "identifiers":
        return field.name, dict[str, str | tuple[str, ...]], {}
    return field.name, field.type, "" if field.required else field.default


_Line: Any = msgspec.defstruct(
    "_Line",
    [_field(field) for field in msgspec.structs.fields(Record) if field.name in FIELD_NAMES],
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,
)
"""A line of the usual shape, which is read and written twice as fast as one of any shape."""

_decode_usual = msgspec.json.Decoder(_Line).decode
_EXTRA = Record.__struct_fields__.index("extra")


def from_native(data: Any, source: str, id: str = "") -> Record:
    """The record that a JSON object holds; `source` and `id` serve where it names none of its own."""
    if not isinstance(data, dict):
        raise RecordError("record", f"expected a JSON object, got {type(data).__name__}")
    texts = {name: _text(name, data[name]) for name in TEXT_FIELDS if data.get(name) is not None}
    year = data.get("year")
    return Record(
        source=_text("source", data.get("source")) or source,
        id=_text("id", data.get("id")) or id,
        authors=_many("authors", data.get("authors")),
        year=year if type(year) is int else _year(year),
        identifiers=_identifiers(data.get("identifiers")),
        extra=_extra(data, year),
        **texts,
    )


def says_something(record: Record) -> bool:
    """Whether there is anything to recognise a work by: a title, an identifier, an author or a publication."""
    return bool(record.title or record.identifiers or record.authors or record.publication)


def to_native(record: Record) -> dict[str, Any]:
    """The JSON object of a record: empty fields left out, a single identifier value as a plain string."""
    data: dict[str, Any] = {"source": record.source, "id": record.id}
    for name in NATIVE_FIELDS:
        value = getattr(record, name)
        if value or (name == "year" and value == 0):
            data[name] = value
    if record.authors:
        data["authors"] = list(record.authors)
    if record.identifiers:
        data["identifiers"] = {
            kind: values[0] if len(values) == 1 else list(values) for kind, values in record.identifiers.items()
        }
    data.update(record.extra)
    return data


def encode(record: Record) -> bytes:
    """The record as one line of JSON, without the line's end."""
    if record.extra or not record.source or not record.id:
        return _encode(to_native(record))
    line = _Line(*msgspec.structs.astuple(record)[:_EXTRA])
    if record.identifiers:
        line.identifiers = identifiers = {}
        for kind, values in record.identifiers.items():  # faster than a comprehension
            identifiers[kind] = values[0] if len(values) == 1 else values
    return _encode(line)


def digest(content: bytes) -> bytes:
    """What tells whether a record's content, as `encode` gives it, is still the same."""
    return blake2b(content, digest_size=16).digest()


def decode(line: bytes | str) -> Record:
    """The record that `encode` wrote."""
    try:
        return usual(line, "")
    except msgspec.DecodeError:
        return from_native(_decode(line), "")


def usual(line: bytes | str, source: str) -> Record:
    """The record of a line that holds no field but the model's, each of its usual type; else a `DecodeError`."""
    data = _decode_usual(line)
    if not data.source:
        data.source = source
    if data.identifiers:
        given, data.identifiers = data.identifiers, {}
        for kind, value in given.items():
            if value != ():
                data.identifiers[kind] = (value,) if type(value) is str else value
    return Record(**msgspec.structs.asdict(data))


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise RecordError("record", f"{name}: expected a text, got {type(value).__name__}")


def _many(name: str, value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, list):
        return tuple([item if type(item) is str else _text(name, item) for item in value])
    return (_text(name, value),)


def _year(value: Any) -> int | None:
    """The year that a number or a text of digits tells; anything else stays in `extra`."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.strip().isdecimal() and len(value.strip()) < 10:
        return int(value)
    return None


def _identifiers(value: Any) -> Mapping[str, tuple[str, ...]]:
    if not value:
        return {}
    if not isinstance(value, dict):
        raise RecordError("record", f"identifiers: expected an object, got {type(value).__name__}")
    return {kind: values for kind, item in value.items() if (values := _many(f"identifiers.{kind}", item))}


def _extra(data: dict[str, Any], year: Any) -> Mapping[str, Any]:
    extra = {name: value for name, value in data.items() if name not in FIELD_NAMES}
    if year is not None and type(year) is not int and _year(year) is None:
        extra["year"] = year
    return extra
