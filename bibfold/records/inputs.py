"""What a Python caller hands in, paths or records, as a stream of records."""

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from bibfold.errors import InputError, RecordError
from bibfold.records.formats.files import Files, identified
from bibfold.records.formats.json_shapes import looks_like
from bibfold.records.formats.streams import checked_encoding
from bibfold.records.model import RAW_LIMIT, DeadLetter, Deletion, Item, Record
from bibfold.records.native import from_native, says_something

RecordLike = Record | Mapping[str, Any]
"""A record, or the JSON object of one."""

PathLike = str | os.PathLike[str]

Input = PathLike | RecordLike | Iterable[PathLike | RecordLike | Deletion | DeadLetter]
"""A path of a file (`-` is standard input), a record, or many paths, or many records."""


def read(
    given: Input,
    *,
    format: str | None = None,
    source: str | None = None,
    columns: Mapping[str, str] = {},
    encoding: str = "",
) -> Iterable[Item]:
    """The records of files, or those handed in, and a dead letter for each that cannot be read.

    `format` is detected from a file's content if it is not given; `source` names the source of records that do not
    name one themselves; `columns` says for CSV which column holds which field; `encoding` is for
    text whose encoding cannot be told from it (`gbk`, `cp1251`). Raises InputError at once where a file
    is not there.
    """
    items = iter([given] if isinstance(given, str | os.PathLike | Record | Mapping) else given)
    first = next(items, None)
    if isinstance(first, str | os.PathLike):
        paths = [os.fspath(_expected(item, str | os.PathLike, "a path")) for item in chain([first], items)]
        return Files(tuple(paths), format, source, columns, checked_encoding(encoding))
    return identified(_records(items if first is None else chain([first], items), source or "records"))


def as_record(given: RecordLike, source: str = "records", id: str = "") -> Record:
    """The record of a JSON object; a record is returned as it is. Raises RecordError where it cannot be read."""
    return given if isinstance(given, Record) else from_native(dict(given), source, id)


def _records(items: Iterable[Any], source: str) -> Iterator[Item]:
    for number, item in enumerate(items, start=1):
        try:
            _expected(item, Record | Deletion | DeadLetter | Mapping, "a record or the JSON object of one")
            if isinstance(item, Deletion | DeadLetter):
                yield item
                continue
            record = as_record(item, source)
            if not says_something(record):
                raise RecordError("record", f"no title, identifier, author or publication: {looks_like(item)}")
            yield record
        except RecordError as error:
            raw = str(item)[:RAW_LIMIT]
            yield DeadLetter(file=source, position=f"record {number}", reason=error.reason, raw=raw)


def _expected(item: Any, types: Any, words: str) -> Any:
    if not isinstance(item, types):
        raise InputError(f"expected {words}, got {type(item).__name__}: {str(item)[:60]}")
    return item
