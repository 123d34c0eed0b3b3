"""CSV and TSV with a header: delimiter and columns are recognised, broken rows become dead letters."""

import csv
import io
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import IO

from bibfold.display import spreadsheet_safe
from bibfold.errors import InputError, RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.charset import check, excerpt, lines, readable
from bibfold.records.formats.csv_columns import columns, delimiter
from bibfold.records.formats.remainder import remainder, restored
from bibfold.records.formats.values import (
    Fields,
    gather,
    left,
    linked,
    noted,
    page_range,
    serials,
    take,
    take_all,
    take_year,
)
from bibfold.records.model import NATIVE_FIELDS, TEXT_FIELDS, DeadLetter, Record

_MOST_LINES = 1000  # that a row may run over, before its opening quote is held to be the mistake
_IDENTIFIERS = ("doi", "arxiv", "pmid", "pmcid", "isbn", "issn", "oclc", "lccn", "filehash")
_HEADER = (
    *(name for name in NATIVE_FIELDS if name != "identifiers"),
    *(f"identifiers.{kind}" for kind in _IDENTIFIERS),
    "bibfold",
)
_AND = re.compile(r"\s+(?:and|&)\s+")
_FAMILY_INITIALS = re.compile(r"[^,]+ [A-Z][A-Z.-]{0,5}\.?")

Columns = Mapping[str, Sequence[str]]


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The record of each row; a row that cannot be split, or has too many cells, is a dead letter."""
    csv.field_size_limit(2**31 - 1)
    text = lines(stream, newline="")
    first = text.readline()
    if stated := re.fullmatch(r'"?sep=(.)"?\s*', first):
        mark, source = stated[1], _Lines(text, 1)
    else:
        mark, source = delimiter(first, origin.columns), _Lines(chain([first], text))
    rows = _rows(source, mark, origin.file)
    first_row = next(rows, [])
    if isinstance(first_row, DeadLetter):
        raise InputError(f"{origin.file}: the header cannot be read: {first_row.reason}")
    header = [readable(name) for name in first_row]
    where = columns(header, origin.columns, origin.file)
    for row in rows:
        yield row if isinstance(row, DeadLetter) else _read_row(row, header, where, source, origin)


def write(records: Iterable[Record], stream: IO[bytes]) -> None:
    """A table with the model's fields as columns; the column `bibfold` holds what they cannot."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    where = columns(_HEADER, {}, "")
    writer.writerow(_HEADER)
    for record in records:
        cells = [spreadsheet_safe(cell) for cell in _cells(record)]
        reread = _record(_fields(_HEADER, cells), where, Origin("", ""))
        writer.writerow([*cells, remainder(record, reread)])
    text.detach()


class _Lines:
    """The lines of a table; those of a row that failed, but for its first, can be had once more."""

    def __init__(self, lines: Iterable[str], number: int = 0) -> None:
        self._lines = iter(lines)
        self._again: deque[str] = deque()
        self.row: list[str] = []
        self._before = number

    @property
    def number(self) -> int:
        """The number of the line where the current row begins."""
        return self._before + 1

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if len(self.row) == _MOST_LINES:
            raise csv.Error("a quotation mark is opened and not closed")
        self.row.append(self._again.popleft() if self._again else next(self._lines))
        return self.row[-1]

    def begin(self) -> None:
        self._before += len(self.row)
        self.row = []

    def give_back(self) -> None:
        self._again.extendleft(reversed(self.row[1:]))
        del self.row[1:]


def _rows(source: _Lines, mark: str, file: str) -> Iterator[list[str] | DeadLetter]:
    rows = csv.reader(source, delimiter=mark, strict=True)
    while True:
        source.begin()
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            source.give_back()
            reason = f"not a row: {error}"
            yield DeadLetter(file=file, position=f"line {source.number}", reason=reason, raw=excerpt(source.row[0]))
        else:
            if any(row):
                yield row


def _read_row(
    row: list[str], header: Sequence[str], where: Columns, source: _Lines, origin: Origin
) -> Record | DeadLetter:
    try:
        if any(row[len(header) :]) or len(row) == 1 < len(header):
            raise RecordError("row", f"{len(row)} cells, but the header has {len(header)}")
        check("".join(source.row))
        return _record(_fields(header, row), where, origin)
    except RecordError as error:
        raw = excerpt("".join(source.row))
        return DeadLetter(file=origin.file, position=f"line {source.number}", reason=error.reason, raw=raw)


def _fields(header: Sequence[str], row: Sequence[str]) -> Fields:
    fields: Fields = {}
    for name, cell in zip(header, row, strict=False):
        if cell:
            fields.setdefault(name, []).append(cell)
    return fields


def _record(fields: Fields, where: Columns, origin: Origin) -> Record:
    rest = "".join(fields.pop(name)[0] for name in where.get("remainder", ()) if name in fields)
    texts = {name: take(fields, *where.get(name, ())) for name in TEXT_FIELDS}
    if not texts["pages"]:
        texts["pages"] = page_range(*(take(fields, *where.get(f"page_{end}", ())) for end in ("start", "end")))
    identifiers = _identifiers(fields, where)
    id = take(fields, *where.get("id", ())) or identifiers.get("pmid", ("",))[0]
    source = take(fields, *where.get("source", ())) or origin.source
    authors = _authors(take(fields, *where.get("authors", ())))
    year = take_year(fields, *where.get("year", ()))
    record = Record(
        source=source,
        id=id,
        authors=authors,
        year=year,
        identifiers=identifiers,
        extra=left(fields, "csv", year),
        **texts,
    )
    return restored(record, rest)


def _identifiers(fields: Fields, where: Columns) -> Mapping[str, tuple[str, ...]]:
    pairs: list[tuple[str, str]] = []
    for field, names in where.items():
        kind = field.removeprefix("identifiers.")
        if kind != field:
            for text in take_all(fields, *names):
                found = serials(text, kind) if kind in ("isbn", "issn") else _several(kind, text)
                pairs.extend(found)
    kinds = {kind for kind, _ in pairs}
    for name in where.get("url", ()):
        pairs.extend(pair for url in fields.get(name, ()) if (pair := linked(url)) and pair[0] not in kinds)
    for note in fields.get("Extra", ()):
        pairs.extend(pair for pair in noted(note) if pair[0] not in kinds)
    return gather(pairs)


def _several(kind: str, text: str) -> Iterator[tuple[str, str]]:
    """The values of a cell; only a semicolon with a space separates them, since old DOIs contain semicolons."""
    return ((kind, value.strip()) for value in text.split("; "))


def _authors(text: str) -> tuple[str, ...]:
    """The names in a cell, separated by semicolons, or else by "and", or else, as in PubMed, "Doe J, Roe AB"."""
    if ";" in text:
        names = text.split(";")
    elif _AND.search(text):
        names = _AND.split(text)
    else:
        names = text.rstrip(".").split(",")
        if not all(_FAMILY_INITIALS.fullmatch(name.strip()) for name in names):
            names = [text]
    return tuple(name.strip(" ,") if len(names) > 1 else name for name in names if name.strip(" ,"))


def _cells(record: Record) -> list[str]:
    """The cells of a record in the order of the header, but for the last."""
    single = {name: getattr(record, name) for name in ("source", "id", *TEXT_FIELDS)}
    single["authors"] = "; ".join(record.authors)
    single["year"] = "" if record.year is None else str(record.year)
    for kind, values in record.identifiers.items():
        single[f"identifiers.{kind}"] = "; ".join(values)
    return [single.get(name, "") for name in _HEADER[:-1]]
