"""EndNote's tagged form, and Refer."""

from pathlib import Path

import pytest

from bibfold.records.formats.files import read_file
from bibfold.records.model import DeadLetter, Record


def read_text(tmp_path: Path, text: str) -> list[Record | DeadLetter]:
    path = tmp_path / "citation.enw"
    path.write_text(text, encoding="utf-8")
    return list(read_file(str(path)))


def one(tmp_path: Path, text: str) -> Record:
    [record] = read_text(tmp_path, text)
    assert isinstance(record, Record)
    return record


def test_an_article_of_google_scholar(tmp_path: Path) -> None:
    record = one(
        tmp_path,
        "%0 Journal Article\n%T Folding duplicates\n%A Roe, Ann\n%A Doe, Bob\n%J Journal of Shelves\n%V 12\n%N 3\n"
        "%P 45-50\n%@ 1234-5679\n%D 2001\n%I Shelf Press\n%R doi:10.5555/1\n%X First.\n\nSecond.\n%F roe2001\n",
    )
    assert (record.id, record.title, record.authors) == ("roe2001", "Folding duplicates", ("Roe, Ann", "Doe, Bob"))
    assert (record.publication, record.volume, record.issue, record.pages) == ("Journal of Shelves", "12", "3", "45-50")
    assert (record.year, record.publisher, record.type) == (2001, "Shelf Press", "Journal Article")
    assert record.identifiers == {"issn": ("1234-5679",), "doi": ("10.5555/1",)}
    assert record.abstract == "First. Second."


@pytest.mark.parametrize(
    ("body", "field", "expected"),
    [
        ("%0 Book Section\n%T C\n%B The book", "publication", "The book"),
        ("%0 Book\n%T C\n%B A series", "publication", ""),
        ("%0 Edited Book\n%T C\n%E Poe, E", "authors", ("Poe, E",)),
        ("%0 Book\n%T C\n%@ 978-0-306-40615-7", "identifiers", {"isbn": ("978-0-306-40615-7",)}),
        ("%0 Journal Article\n%T C\n%8 May 2001", "year", 2001),
        ("%0 Journal Article\n%T C\n%U https://doi.org/10.5555/2", "identifiers", {"doi": ("10.5555/2",)}),
        ("%0 Journal Article\n%T C\n%W NLM PubMed\n%M 77", "identifiers", {"pmid": ("77",)}),
    ],
)
def test_tags(tmp_path: Path, body: str, field: str, expected: object) -> None:
    assert getattr(one(tmp_path, body), field) == expected


def test_records_of_refer_stand_between_blank_lines(tmp_path: Path) -> None:
    first, second = read_text(tmp_path, "%A A. Roe\n%T One\n%D 2001\n\n\n%A B. Doe\n%T Two\n  goes on\n%D 2002\n")
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.title, second.title) == ("One", "Two goes on")


def test_a_record_without_fields_is_a_dead_letter(tmp_path: Path) -> None:
    record, letter = read_text(tmp_path, "%0 Book\n%T One\n%0 Book\n")
    assert isinstance(record, Record)
    assert isinstance(letter, DeadLetter)
    assert (letter.position, letter.reason) == ("line 3", "no field but its type")
