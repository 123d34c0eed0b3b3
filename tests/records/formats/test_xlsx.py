"""Excel tables."""

import builtins
import datetime
import io
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from bibfold.errors import InputError
from bibfold.records.formats.files import read_file
from bibfold.records.model import DeadLetter, Record
from tests.records.formats.samples import workbook


def read_rows(tmp_path: Path, *rows: list[Any], **options: Any) -> list[Record | DeadLetter]:
    path = tmp_path / "export.xlsx"
    path.write_bytes(workbook(list(rows)))
    return list(read_file(str(path), **options))


def test_a_table_of_web_of_science(tmp_path: Path) -> None:
    [record] = read_rows(
        tmp_path,
        [
            "Publication Type",
            "Authors",
            "Article Title",
            "Source Title",
            "Publication Year",
            "DOI",
            "UT (Unique WOS ID)",
        ],
        ["J", "Roe, A; Doe, B", "A shelf", "SHELVES", 2001.0, "10.5555/1", "WOS:1"],
        [None, None, None, None, None, None, None],
    )
    assert isinstance(record, Record)
    assert (record.id, record.title, record.authors, record.year) == ("WOS:1", "A shelf", ("Roe, A", "Doe, B"), 2001)
    assert record.identifiers == {"doi": ("10.5555/1",)}


def test_lines_before_the_header_dates_and_columns_of_ones_own(tmp_path: Path) -> None:
    rows = [["Exported today"], ["Title", "Date", "Pages"], ["A", datetime.datetime(2001, 5, 3), 12]]
    [record] = read_rows(tmp_path, *rows)
    assert isinstance(record, Record)
    assert (record.title, record.year, record.pages) == ("A", 2001, "12")
    [mapped] = read_rows(tmp_path, ["Titel"], ["A"], columns={"Titel": "title"})
    assert isinstance(mapped, Record)
    assert mapped.title == "A"


def test_a_dead_letter_names_sheet_and_row(tmp_path: Path) -> None:
    [letter] = read_rows(tmp_path, ["Title", "Year"], ["A", 2001, None, "too much"])
    assert isinstance(letter, DeadLetter)
    assert (letter.position, letter.reason) == ("sheet 'Results', row 2", "4 cells, but the header has 2")
    [large] = read_rows(tmp_path, ["Title", "Year"], ["A" * 2000, 2001], largest=1000)
    assert isinstance(large, DeadLetter)
    assert large.reason.startswith("larger than 0.001 MB")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no sheet has a header with a title or an identifier"):
        read_rows(tmp_path, ["one", "two"], ["A", "B"])
    path = tmp_path / "cut.xlsx"
    path.write_bytes(workbook([["Title"], ["A"]])[:300])
    with pytest.raises(InputError, match="cannot be read as XLSX"):
        list(read_file(str(path)))


def test_a_workbook_that_is_damaged_says_so(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Title", "Year"], *([f"A title {number}", number] for number in range(3000))):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    data = bytearray(out.getvalue())
    sheet = zipfile.ZipFile(io.BytesIO(data)).getinfo("xl/worksheets/sheet1.xml")
    late = sheet.header_offset + sheet.compress_size * 9 // 10
    data[late : late + 50] = bytes(50)
    path = tmp_path / "a.xlsx"
    path.write_bytes(bytes(data))
    *_, letter = read_file(str(path))
    assert isinstance(letter, DeadLetter)
    assert letter.reason.startswith("the workbook is damaged here")


def test_without_openpyxl_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **options: Any) -> Any:
        if name == "openpyxl":
            raise ImportError
        return real(name, *args, **options)

    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook([["Title"], ["A"]]))
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"XLSX needs openpyxl: pip install 'bibfold\[xlsx\]'"):
        list(read_file(str(path)))
