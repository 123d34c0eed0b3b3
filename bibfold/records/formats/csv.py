"""CSV and TSV with a header: delimiter and columns are recognised, broken rows become dead letters."""

import csv
import io
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import IO

from bibfold.errors import InputError, RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.attempt import attempt, too_large
from bibfold.records.formats.author_lists import split_authors
from bibfold.records.formats.charset import BYTE_ORDER_MARK, check, excerpt, readable, text
from bibfold.records.formats.csv_columns import columns, delimiter, looks_like_header
from bibfold.records.formats.remainder import restored
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
from bibfold.records.model import TEXT_FIELDS, DeadLetter, Record

_MOST_LINES = 1000  # that a row may run over, before its opening quote is held to be the mistake
_MOST_BEFORE = 10  # lines that may stand before a header
_CITED = re.compile(r";\s*(?P<volume>[^;:()\s]*)\s*(?:\((?P<issue>[^)]*)\))?:(?P<pages>[\w-]+)")
_SPRINGER = frozenset({"springer"})

Columns = Mapping[str, Sequence[str]]


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The record of each row; a row that cannot be split, or has too many cells, is a dead letter.

    Up to ten lines before the header are passed over, as some databases say there where the table comes from.
    """
    csv.field_size_limit(2**31 - 1)
    source = _Lines(text(stream, newline=""), origin.largest)
    mark = source.find_header(origin.columns)
    rows = _rows(source, mark, origin.file)
    first_row = next(rows, [])
    if isinstance(first_row, DeadLetter):
        raise InputError(f"{origin.file}: the header cannot be read: {first_row.reason}")
    header = [readable(name).removeprefix(BYTE_ORDER_MARK) for name in first_row]
    where = columns(header, origin.columns, origin.file)

    def letter(reason: str) -> DeadLetter:
        raw = excerpt("".join(source.row))
        return DeadLetter(file=origin.file, position=f"line {source.number}", reason=reason, raw=raw)

    def made(row: list[str], origin: Origin) -> Record:
        check("".join(source.row))
        if source.is_cut and len(row) < len(header):
            raise RecordError("row", f"cut off: the file ends after {len(row)} of {len(header)} cells")
        return read_row(row, header, where, origin)

    for row in rows:
        yield row if isinstance(row, DeadLetter) else attempt(made, row, origin, letter)


def read_row(row: Sequence[str], header: Sequence[str], where: Columns, origin: Origin) -> Record:
    """The record of a row; raises RecordError where its cells are not those of the header."""
    if any(row[len(header) :]) or len(row) == 1 < len(header):
        raise RecordError("row", f"{len(row)} cells, but the header has {len(header)}")
    return _record(_fields(header, row), where, origin)


class _Lines:
    """The lines of a table; those of a row that failed, but for its first, can be had once more.

    `is_cut` says whether the last line that was read is the end of the file, without a line end.
    """

    def __init__(self, text: io.TextIOWrapper, largest: int) -> None:
        self._readline = partial(text.readline, largest + 1)
        self._largest = largest
        self._again: deque[str] = deque()
        self.row: list[str] = []
        self._size = 0
        self._before = 0
        self.is_cut = False

    @property
    def number(self) -> int:
        """The number of the line where the current row begins."""
        return self._before + 1

    def find_header(self, given: Mapping[str, str]) -> str:
        """Go to the header, and return its delimiter."""
        first = [line for _ in range(_MOST_BEFORE) if (line := self._line())]
        if first and (stated := re.fullmatch(r'"?sep=(.)"?\s*', first[0])):
            self._again.extend(first[1:])
            self._before = 1
            return stated[1]
        begin = next((place for place, line in enumerate(first) if looks_like_header(line, given)), 0)
        self._again.extend(first[begin:])
        self._before = begin
        return delimiter(first[begin] if first else "", given)

    def _line(self) -> str:
        """The next line; of one that is too long only the beginning."""
        line = rest = self._readline()
        while len(line) > self._largest and rest and not rest.endswith(("\n", "\r")):
            rest = self._readline()
        return line

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if len(self.row) == _MOST_LINES:
            raise csv.Error("a quotation mark is opened and not closed")
        line = self._again.popleft() if self._again else self._line()
        if not line:
            raise StopIteration
        self.is_cut = not line.endswith(("\n", "\r"))
        self._size += len(line)
        self.row.append(line)
        if self._size > self._largest:
            raise csv.Error(too_large(self._largest))
        return line

    def begin(self) -> None:
        self._before += len(self.row)
        self.row = []
        self._size = 0

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


def _fields(header: Sequence[str], row: Sequence[str]) -> Fields:
    fields: Fields = {}
    for name, cell in zip(header, row, strict=False):
        if cell:
            fields.setdefault(name, []).append(cell)
    return fields


def _record(fields: Fields, where: Columns, origin: Origin) -> Record:
    rest = "".join(fields.pop(name)[0] for name in where.get("remainder", ()) if name in fields)
    texts = {name: take(fields, *where.get(name, ())) for name in TEXT_FIELDS}
    for cited in (value for name in where.get("citation", ()) for value in fields.get(name, ())):
        texts.update({name: value for name, value in _cited(cited).items() if not texts[name]})
    if not texts["pages"]:
        texts["pages"] = page_range(*(take(fields, *where.get(f"page_{end}", ())) for end in ("start", "end")))
    identifiers = _identifiers(fields, where)
    id = take(fields, *where.get("id", ())) or identifiers.get("pmid", ("",))[0]
    source = take(fields, *where.get("source", ())) or origin.source
    authors = split_authors(take(fields, *where.get("authors", ())), glued=where.keys() >= _SPRINGER)
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


def _cited(citation: str) -> dict[str, str]:
    """Volume, issue and pages of a citation in PubMed's manner: "J Cat. 2020 Jan;12(3):45-50. doi: …"."""
    found = _CITED.search(citation)
    return {name: value or "" for name, value in found.groupdict().items()} if found else {}
