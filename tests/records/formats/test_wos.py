"""Web of Science's tagged export."""

import io

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.wos import read
from bibfold.records.model import DeadLetter, Record

FILE = """\ufeffFN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Roe, AB
   Doe, C
AF Roe, Ann Bea
   Doe, Cy
CA Shelf Consortium
TI Folding duplicates in
   five catalogues
SO JOURNAL OF SHELVES
LA English
DT Article
DE duplicates; catalogues
AB First line
   second line.
CR Poe E, 1999, SHELVES, V1, P1
   Poe E, 2000, SHELVES, V2, P1
NR 2
PU SHELF PRESS
SN 1234-5679
EI 2049-3630
PD MAY
PY 2001
VL 12
IS 3
BP 45
EP 50
DI 10.5555/js.12.45
UT WOS:000123456700001
PM 777
ER

PT B
BE Poe, E
TI A handbook
PY 2002
AR e12
BN 978-0-306-40615-7
UT WOS:000123456700002
ER

EF
"""


def read_text(text: str) -> list[Record | DeadLetter]:
    return list(read(io.BytesIO(text.encode()), Origin("savedrecs.txt", "shelf")))


def test_an_article_and_a_book() -> None:
    article, book = read_text(FILE)
    assert article == Record(
        source="shelf",
        id="WOS:000123456700001",
        title="Folding duplicates in five catalogues",
        authors=("Roe, Ann Bea", "Doe, Cy", "Shelf Consortium"),
        publication="JOURNAL OF SHELVES",
        year=2001,
        identifiers={"doi": ("10.5555/js.12.45",), "pmid": ("777",), "issn": ("1234-5679", "2049-3630")},
        volume="12",
        issue="3",
        pages="45-50",
        publisher="SHELF PRESS",
        type="Article",
        language="English",
        abstract="First line second line.",
        extra={
            "wos:DE": "duplicates; catalogues",
            "wos:CR": ["Poe E, 1999, SHELVES, V1, P1", "Poe E, 2000, SHELVES, V2, P1"],
            "wos:NR": "2",
            "wos:PD": "MAY",
            "wos:UT": "WOS:000123456700001",
            "wos:PT": "J",
        },
    )
    assert isinstance(book, Record)
    assert (book.title, book.authors, book.pages) == ("A handbook", ("Poe, E",), "e12")
    assert book.identifiers == {"isbn": ("978-0-306-40615-7",)}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way(end: str) -> None:
    assert read_text(FILE.replace("\n", end)) == read_text(FILE)


def test_a_record_without_fields_and_one_that_was_cut_off() -> None:
    empty, cut = read_text("PT J\nER\n\nPT J\nTI A title th")
    assert isinstance(empty, DeadLetter)
    assert empty.reason == "no field but its type"
    assert isinstance(cut, DeadLetter)
    assert cut.reason == "cut off: the file ends before the record's ER"
