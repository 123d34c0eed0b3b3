"""JSON Lines, bibfold's own form: one record a line."""

from collections.abc import Iterable, Iterator
from typing import IO, Any

import msgspec

from bibfold.errors import RecordError
from bibfold.records.formats import DEFAULTS, Options, Origin
from bibfold.records.formats.charset import BYTE_ORDER_MARK, check, decode, excerpt
from bibfold.records.model import DeadLetter, Record
from bibfold.records.native import encode, from_native, usual

_decode_any: Any = msgspec.json.Decoder().decode


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The record of each line; blank lines are passed over."""
    for number, line in enumerate(stream, 1):
        try:
            yield usual(line, origin.source)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            if not line.isspace():
                yield _unusual(line, number, origin)


def write(records: Iterable[Record], stream: IO[bytes], options: Options = DEFAULTS) -> None:
    """One line a record."""
    for record in records:
        stream.write(encode(record) + b"\n")


def _unusual(line: bytes, number: int, origin: Origin) -> Record | DeadLetter:
    """The record of a line with fields of its own, other types or other bytes than UTF-8."""
    text = decode(line).removeprefix(BYTE_ORDER_MARK)
    try:
        check(text)
        return from_native(_decode_any(text), origin.source)
    except RecordError as error:
        reason = error.reason
    except msgspec.DecodeError as error:
        reason = f"not JSON: {error}"
    except RecursionError:
        reason = "nested too deeply"
    return DeadLetter(file=origin.file, position=f"line {number}", reason=reason, raw=excerpt(text))
