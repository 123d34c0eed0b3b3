"""NBIB as PubMed exports it."""

import io
from pathlib import Path

from bibfold.records.formats import Origin
from bibfold.records.formats.nbib import read
from bibfold.records.model import DeadLetter, Record

DATA = Path(__file__).parents[2] / "data" / "formats"


def read_bytes(data: bytes) -> list[Record | DeadLetter]:
    return list(read(io.BytesIO(data), Origin("file.nbib", "pubmed")))


def test_the_sample() -> None:
    full, short, unparted = read_bytes((DATA / "pubmed.nbib").read_bytes())
    assert full == Record(
        source="pubmed",
        id="12345",
        title="Folding duplicate records: a study of five catalogues.",
        authors=("Müller, Anna", "Øster, Bo", "Catalogue Study Group"),
        publication="Journal of catalogue studies",
        year=2019,
        identifiers={
            "pmid": ("12345",),
            "pmcid": ("PMC678",),
            "issn": ("1234-5679", "2049-3630"),
            "doi": ("10.5555/jcs.2019.17",),
        },
        volume="12",
        issue="3",
        pages="101-117",
        type="Journal Article",
        language="eng",
        abstract="We fold.",
        extra={
            "OWN": "NLM",
            "STAT": "MEDLINE",
            "nbib:IS": ["1234-5679 (Electronic)", "2049-3630 (Linking)"],
            "nbib:DP": "2019 May",
            "LID": ["10.5555/jcs.2019.17 [doi]", "S1234-5679(19)0017-X [pii]"],
            "nbib:AU": ["Müller A", "Øster B"],
            "nbib:AD": "Library, Bern.",
            "nbib:PT": "Review",
            "nbib:TA": "J Cat Stud",
            "nbib:MH": "Libraries",
            "AID": "10.5555/jcs.2019.17 [doi]",
        },
    )
    assert isinstance(short, Record)
    assert (short.authors, short.year, short.extra) == (("Field C",), None, {"nbib:DP": "in press"})
    assert isinstance(unparted, Record)
    assert (unparted.id, unparted.title) == ("12347", "No blank line before.")


def test_a_book_of_the_bookshelf() -> None:
    [book] = read_bytes(b"PMID- 7\nBTI - A handbook\nISBN- 9780306406157\nPB  - Shelf Press\nEN  - 2\n")
    assert isinstance(book, Record)
    assert (book.title, book.publisher, book.edition) == ("A handbook", "Shelf Press", "2")
    assert book.identifiers == {"pmid": ("7",), "isbn": ("9780306406157",)}


def test_dead_letters() -> None:
    nothing, undecodable = read_bytes(b"JT  - Journal\n\nPMID- 1\nTI  - \x81\n")
    assert isinstance(nothing, DeadLetter)
    assert (nothing.position, nothing.reason) == ("line 1", "neither PMID nor title: not a record of NBIB")
    assert isinstance(undecodable, DeadLetter)
    assert undecodable.position == "line 3"


def test_a_file_that_is_not_nbib_is_a_dead_letter() -> None:
    [letter] = read_bytes(b"something else\n")
    assert isinstance(letter, DeadLetter)
    assert letter.position == "whole file"


ERIC = """OWN - ERIC
TI  - Teaching the catalogue
AU  - Roe, Ann
JT  - School Shelves
OID - EJ1234567
VI  - 3
DP  - 20180613
AID - http://dx.doi.org/10.5555/ss.3
ISSN - EISSN-1234-5679
LA  - English

OWN - ERIC
TI  - Another lesson
OID - EJ7654321
AID - doi:10.5555/ss.4
"""


def test_eric_writes_tags_of_its_own() -> None:
    first, second = read(io.BytesIO(ERIC.encode()), Origin("eric.nbib", "shelf"))
    assert isinstance(first, Record)
    assert (first.id, first.title, first.authors, first.year) == (
        "EJ1234567", "Teaching the catalogue", ("Roe, Ann",), 2018,
    )  # fmt: skip
    assert first.identifiers == {"issn": ("1234-5679",), "doi": ("10.5555/ss.3",)}
    assert isinstance(second, Record)
    assert second.identifiers == {"doi": ("10.5555/ss.4",)}


def test_a_record_of_pubmed_that_ends_before_its_source_was_cut_off() -> None:
    text = "PMID- 1\nOWN - NLM\nTI  - One\nSO  - J. 2000\n\nPMID- 2\nOWN - NLM\nTI  - Tw"
    whole, cut = read(io.BytesIO(text.encode()), Origin("a.nbib", "shelf"))
    assert isinstance(whole, Record)
    assert isinstance(cut, DeadLetter)
    assert cut.reason.startswith("cut off: the file ends before the record's source (SO)")
