"""Works of Crossref."""

import io
import json
from pathlib import Path

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.crossref import read
from bibfold.records.model import DeadLetter, Record

DATA = Path(__file__).parents[2] / "data" / "formats"


def read_text(text: str | bytes) -> list[Record | DeadLetter]:
    data = text.encode() if isinstance(text, str) else text
    return list(read(io.BytesIO(data), Origin("file.json", "crossref")))


def one(**work: object) -> Record:
    [record] = read_text(json.dumps(work))
    assert isinstance(record, Record), record
    return record


def test_the_sample() -> None:
    article, book = read_text((DATA / "crossref-page.json").read_bytes())
    assert article == Record(
        source="crossref",
        id="10.5555/jcs.2019.17",
        title="Folding duplicate records",
        subtitle="a study",
        authors=("Müller, Anna", "Øster, Bo, Jr", "Catalogue Study Group"),
        publication="Journal of Catalogue Studies",
        year=2019,
        identifiers={"doi": ("10.5555/jcs.2019.17",), "issn": ("1234-5679", "2049-3630")},
        volume="12",
        issue="3",
        pages="101-117",
        publisher="Shelf Press",
        type="journal-article",
        abstract="<jats:p>We fold.</jats:p>",
        extra={
            "short-container-title": ["J Cat Stud"],
            "issued": {"date-parts": [[2019, 5]]},
            "crossref:source": "Crossref",
        },
    )
    assert isinstance(book, Record)
    assert (book.title, book.year, book.authors) == ("A handbook", 2001, ("Field, Carl",))
    assert book.extra["crossref:title"] == ["A handbook", "Ein Handbuch"]
    assert book.extra["author"][0]["ORCID"] == "http://orcid.org/0000-0000-0000-0000"


def test_a_work_of_csl_json() -> None:
    record = one(
        id="field2001",
        type="article-journal",
        title="A title",
        author=[{"family": "Berg", "given": "D", "non-dropping-particle": "van der"}, {"literal": "A group"}],
        issued={"date-parts": [["2001", 5]]},
        **{"container-title": "Shelf"},
    )
    assert (record.id, record.title, record.publication) == ("field2001", "A title", "Shelf")
    assert (record.year, record.authors) == (2001, ("van der Berg, D", "A group"))


@pytest.mark.parametrize(
    "work",
    [
        {"DOI": "10.5/1", "title": []},
        {"DOI": "10.5/1", "title": [""], "author": "Nobody"},
        {"DOI": "10.5/1", "title": None, "issued": {"date-parts": [[]]}},
        {"DOI": "10.5/1", "issued": {"date-parts": None}, "ISSN": None},
        {"DOI": "10.5/1", "issued": [], "author": [None]},
    ],
)
def test_works_with_nothing_in_their_fields(work: dict[str, object]) -> None:
    record = one(**work)
    assert (record.id, record.title, record.authors, record.year) == ("10.5/1", "", (), None)


def test_dead_letters() -> None:
    first, nothing, number, last = read_text(
        '[{"DOI": "10.5/1"}, {"given": "x"}, {"DOI": "\\ud800"}, {"DOI": "10.5/2"}]'
    )
    assert isinstance(first, Record)
    assert isinstance(last, Record)
    assert isinstance(nothing, DeadLetter)
    assert (nothing.position, nothing.reason) == (
        "work 2",
        "neither DOI nor title: not a work of Crossref; its names are given",
    )
    assert isinstance(number, DeadLetter)
    assert "stands alone" in number.reason


def test_bytes_of_windows_1252() -> None:
    latin, bad = read_text(b'{"DOI": "1", "title": ["caf\xe9"]}\n{"DOI": "2", "title": ["\x81"]}\n')
    assert isinstance(latin, Record)
    assert latin.title == "café"
    assert isinstance(bad, DeadLetter)
    assert (bad.position, bad.raw) == ("work 2", '{"DOI": "2", "title": ["?"]}')
