"""XLSX tables, by the rules of CSV: the first sheet that has a header of bibliographic columns."""

import datetime
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

from bibfold.errors import InputError, RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.attempt import attempt, too_large
from bibfold.records.formats.charset import excerpt
from bibfold.records.formats.csv import read_row
from bibfold.records.formats.csv_columns import columns, is_header
from bibfold.records.formats.streams import Broken
from bibfold.records.model import RAW_LIMIT, DeadLetter, Record

_DAMAGE = (BadZipFile, EOFError, KeyError, OSError, SyntaxError, TypeError, ValueError, zlib.error)
_IN_MEMORY = 1 << 24
_LARGEST = 1 << 32
_BLOCK = 1 << 20
_MOST_BEFORE = 10


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The record of each row below the header."""
    with SpooledTemporaryFile(_IN_MEMORY) as file:
        while block := stream.read(_BLOCK):
            file.write(block)
        file.seek(0)
        try:
            yield from _records(_opened(file, origin.file), origin)
        except _DAMAGE as error:
            raise Broken(f"the workbook is damaged here: {error}; save it again, or as CSV") from error


def _opened(file: IO[bytes], name: str) -> Any:
    try:
        import openpyxl
    except ImportError:
        hint = "XLSX needs openpyxl: pip install 'bibfold[xlsx]', or save the table as CSV"
        raise InputError(f"{name}: {hint}") from None
    try:
        with ZipFile(file) as archive:
            if sum(part.file_size for part in archive.infolist()) > _LARGEST:
                raise InputError(f"{name}: more than {_LARGEST >> 30} GB when unpacked; is it a table? save it as CSV")
        return openpyxl.load_workbook(file, read_only=True, data_only=True)
    except _DAMAGE as error:
        raise InputError(
            f"{name}: cannot be read as XLSX: {error}; was it cut off? save it again, or as CSV"
        ) from error


def _records(book: Any, origin: Origin) -> Iterator[Record | DeadLetter]:
    for sheet in book.worksheets:
        rows = enumerate(sheet.iter_rows(values_only=True), 1)
        first = [(number, _cells(row)) for number, row in islice(rows, _MOST_BEFORE)]
        begin = next((at for at, (_, row) in enumerate(first) if is_header(_bare(row), origin.columns)), None)
        if begin is None:
            continue
        header = _bare(first[begin][1])
        where = columns(header, origin.columns, origin.file)

        def made(row: list[str], origin: Origin, header: list[str] = header, where: Any = where) -> Record:
            if sum(map(len, row)) > origin.largest:
                raise RecordError("row", too_large(origin.largest))
            return read_row(row, header, where, origin)

        for number, row in chain(first[begin + 1 :], ((number, _cells(row)) for number, row in rows)):
            position = f"sheet {sheet.title!r}, row {number}"
            if any(row):
                yield attempt(made, row, origin, partial(_letter, origin.file, position, row))
        return
    raise InputError(
        f"{origin.file}: no sheet has a header with a title or an identifier; say which is what with --map"
    )


def _letter(file: str, position: str, row: list[str], reason: str) -> DeadLetter:
    return DeadLetter(file=file, position=position, reason=reason, raw=excerpt("\t".join(row)[:RAW_LIMIT]))


def _cells(row: Sequence[Any]) -> list[str]:
    return [_cell(value) for value in row]


def _bare(row: Sequence[str]) -> list[str]:
    """A header without the empty cells behind it."""
    names = list(row)
    while names and not names[-1]:
        names.pop()
    return names


def _cell(value: Any) -> str:
    """A cell as the text that a CSV of the same table would have."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    return str(value)
