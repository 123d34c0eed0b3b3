"""JSON Lines, bibfold's own form: one record a line."""

from collections.abc import Iterable, Iterator
from typing import IO, Any

import msgspec

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.charset import check, decode, excerpt
from bibfold.records.model import DeadLetter, Record
from bibfold.records.native import encode, from_native


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """A line of the usual shape, which is decoded twice as fast as one of any shape."""

    source: str = ""
    id: str = ""
    title: str = ""
    subtitle: str = ""
    authors: tuple[str, ...] = ()
    publication: str = ""
    year: int | None = None
    identifiers: dict[str, str | tuple[str, ...]] = {}
    volume: str = ""
    issue: str = ""
    pages: str = ""
    edition: str = ""
    publisher: str = ""
    type: str = ""
    language: str = ""
    abstract: str = ""


_decode_usual = msgspec.json.Decoder(_Line).decode
_decode_any: Any = msgspec.json.Decoder().decode


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The record of each line; blank lines are passed over."""
    for number, line in enumerate(stream, 1):
        try:
            yield _usual(line, origin.source)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            if not line.isspace():
                yield _unusual(line, number, origin)


def write(records: Iterable[Record], stream: IO[bytes]) -> None:
    """One line a record."""
    for record in records:
        stream.write(encode(record) + b"\n")


def _usual(line: bytes, source: str) -> Record:
    data = _decode_usual(line)
    return Record(
        source=data.source or source,
        id=data.id,
        title=data.title,
        subtitle=data.subtitle,
        authors=data.authors,
        publication=data.publication,
        year=data.year,
        identifiers={
            kind: (value,) if isinstance(value, str) else value
            for kind, value in data.identifiers.items()
            if value != ()
        },
        volume=data.volume,
        issue=data.issue,
        pages=data.pages,
        edition=data.edition,
        publisher=data.publisher,
        type=data.type,
        language=data.language,
        abstract=data.abstract,
    )


def _unusual(line: bytes, number: int, origin: Origin) -> Record | DeadLetter:
    """The record of a line with fields of its own, other types or other bytes than UTF-8."""
    text = decode(line)
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
