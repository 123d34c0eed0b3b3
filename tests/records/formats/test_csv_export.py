"""Tables that spreadsheets and review tools open."""

import csv
import io
from typing import Any

import pytest

from bibfold.errors import SettingsError
from bibfold.records.formats import Options, Origin
from bibfold.records.formats.csv import read
from bibfold.records.formats.csv_export import COLUMNS, write
from bibfold.records.model import Record

RECORD = Record(
    source="s",
    id="1",
    title="Cats",
    subtitle="a study",
    authors=("Anna Müller", "Roe, R."),
    publication="Nature",
    year=2020,
    volume="7",
    identifiers={"doi": ("10.1/1",), "pmid": ("12",), "pmcid": ("PMC3",)},
    type="journal-article",
    abstract="We fold.",
    extra={"KW": ["cats", "dogs"], "UR": "https://example.org"},
)


def written(*records: Record, **options: Any) -> bytes:
    out = io.BytesIO()
    write(records, out, Options(file_sources=frozenset({"s"}), **options))
    return out.getvalue()


def table(*records: Record, **options: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(written(*records, **options).decode("utf-8-sig"))))


def test_excel_sees_utf8_and_line_ends() -> None:
    data = written(RECORD)
    assert data.startswith(b"\xef\xbb\xbfsource,id,title")
    assert data.count(b"\r\n") == 2


def test_bibfolds_own_columns() -> None:
    [row] = table(RECORD)
    assert (row["authors"], row["identifiers.doi"], row["keywords"]) == (
        "Müller, Anna; Roe, R.",
        "10.1/1",
        "cats; dogs",
    )
    assert row["bibfold"] == ""
    assert "bibfold" not in table(RECORD, plain=True)[0]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (
            "asreview",
            {"title": "Cats: a study", "authors": "Müller, Anna; Roe, R.", "doi": "10.1/1", "abstract": "We fold."},
        ),
        ("rayyan", {"key": "1", "authors": "Müller, Anna and Roe, R.", "pubmed_id": "12", "journal": "Nature"}),
        ("zotero", {"Item Type": "journalArticle", "Author": "Müller, Anna; Roe, R.", "Extra": "PMID: 12 PMCID: PMC3"}),
    ],
)
def test_columns_of_other_tools(columns: str, expected: dict[str, str]) -> None:
    [row] = table(RECORD, columns=columns)
    assert {name: row[name] for name in expected} == expected
    [again] = read(io.BytesIO(written(RECORD, columns=columns)), Origin("", "s"))
    assert isinstance(again, Record)
    assert (again.year, again.publication, again.identifiers["doi"]) == (2020, "Nature", ("10.1/1",))


def test_unknown_columns_are_named() -> None:
    with pytest.raises(SettingsError, match="columns 'covidence' are not known; known: asreview, rayyan, zotero"):
        written(RECORD, columns="covidence")


def test_nothing_passes_for_a_formula() -> None:
    evil = Record(source="s", id="-x7", title='=HYPERLINK("http://x")', authors=("@sum",), abstract="+cmd")
    [row] = table(evil)
    assert (row["id"], row["title"], row["authors"], row["abstract"]) == (
        "'-x7",
        '\'=HYPERLINK("http://x")',
        "'@sum",
        "'+cmd",
    )
    assert list(read(io.BytesIO(written(evil)), Origin("", "s"))) == [evil]


def test_without_records_the_header_stands_alone() -> None:
    for columns in ("", *COLUMNS):
        assert written(columns=columns).count(b"\r\n") == 1


def test_where_a_record_was_found() -> None:
    extra = {"databases": ["x", "y"], "records": ["x:1", "y:2"], "note": "mine"}
    [row] = table(Record(source="s", id="1", title="A", extra=extra), plain=True)
    assert (row["found_in"], row["record_ids"], row["records_folded"]) == ("x; y", "x:1; y:2", "2")
    assert row["notes"] == "mine"
