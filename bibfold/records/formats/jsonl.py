"""JSON Lines, bibfold's own form: one record a line."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import IO, Any

import msgspec

from bibfold.errors import RecordError
from bibfold.records.formats import DEFAULTS, Options, Origin
from bibfold.records.formats.attempt import attempt, too_large
from bibfold.records.formats.charset import BYTE_ORDER_MARK, check, decode, excerpt
from bibfold.records.formats.json_shapes import looks_like
from bibfold.records.formats.json_works import works
from bibfold.records.formats.streams import HEAD
from bibfold.records.model import RAW_LIMIT, DeadLetter, Record
from bibfold.records.native import encode, from_native, says_something, usual

_decode_any: Any = msgspec.json.Decoder().decode
_PART = 1 << 20
_IN_LINES = re.compile(rb"\s*(?:\[\s*\{|\{\s*\n)")


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The record of each line; blank lines are passed over. A list, or objects over several lines, are read as well."""
    if _IN_LINES.match(getattr(stream, "peek", lambda size: b"")(HEAD)):
        yield from works(stream, origin, _native)
        return
    readline = partial(stream.readline, origin.largest + 1)
    source = origin.source
    for number, line in enumerate(iter(readline, b""), 1):
        try:
            record = usual(line, source)
            if record.title or says_something(record):
                yield record
                continue
        except Exception:  # noqa: BLE001 - what is unusual is read once more, with a guard
            if line.isspace():
                continue

        def letter(reason: str, number: int = number, line: bytes = line) -> DeadLetter:
            raw = excerpt(decode(line[: 4 * RAW_LIMIT]))
            return DeadLetter(file=origin.file, position=f"line {number}", reason=reason, raw=raw)

        if len(line) > origin.largest:
            yield letter(too_large(origin.largest))
            _skip_line(stream)
        else:
            yield attempt(_unusual, line, origin, letter)


def write(records: Iterable[Record], stream: IO[bytes], options: Options = DEFAULTS) -> None:
    """One line a record."""
    for record in records:
        stream.write(encode(record) + b"\n")


def _skip_line(stream: IO[bytes]) -> None:
    while (part := stream.readline(_PART)) and not part.endswith(b"\n"):
        pass


def _unusual(line: bytes, origin: Origin) -> Record:
    """The record of a line with fields of its own, other types or other bytes than UTF-8."""
    text = decode(line).removeprefix(BYTE_ORDER_MARK)
    check(text)
    try:
        data = _decode_any(text)
    except msgspec.DecodeError as error:
        raise RecordError("record", f"not JSON: {error}") from error
    except RecursionError as error:
        raise RecordError("record", "nested too deeply") from error
    return _native(data, origin)


def _native(data: Any, origin: Origin) -> Record:
    record = from_native(data, origin.source)
    if not says_something(record):
        raise RecordError("record", f"no title, identifier, author or publication: {looks_like(data)}")
    return record
