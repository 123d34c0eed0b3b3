"""RIS as databases write it."""

import io
from pathlib import Path

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.ris import read
from bibfold.records.model import DeadLetter, Record

DATA = Path(__file__).parents[2] / "data" / "formats"


def read_text(text: str | bytes) -> list[Record | DeadLetter]:
    data = text.encode() if isinstance(text, str) else text
    return list(read(io.BytesIO(data), Origin("file.ris", "shelf")))


def one(body: str) -> Record:
    [record] = read_text(f"TY  - JOUR\n{body}\nER  - \n")
    assert isinstance(record, Record)
    return record


def test_the_sample() -> None:
    article, book, thesis, paper = read_text((DATA / "articles.ris").read_bytes())
    assert article == Record(
        source="shelf",
        id="17",
        title="Folding duplicate records: a study of five catalogues",
        authors=("Müller, Anna", "Øster, Bo"),
        publication="Journal of Catalogue Studies",
        year=2019,
        identifiers={"doi": ("10.5555/jcs.2019.17",), "issn": ("1234-5679",)},
        volume="12",
        issue="3",
        pages="101-117",
        type="JOUR",
        abstract="We fold. A second paragraph.",
        extra={
            "J2": "J Cat Stud",
            "Y1": "2019/05/01/",
            "UR": "https://example.org/articles/17",
            "KW": ["duplicates", "catalogues"],
        },
    )
    assert book == Record(
        source="shelf",
        id="0815",
        title="A handbook of cataloguing",
        authors=("Field, Carl",),
        year=2001,
        identifiers={"isbn": ("978-0-306-40615-7",)},
        edition="2nd",
        publisher="Shelf Press",
        type="BOOK",
        language="de",
        extra={"T2": "Handbooks for libraries", "CY": "Bern", "AN": "0815"},
    )
    assert isinstance(thesis, Record)
    assert (thesis.title, thesis.year, thesis.extra) == (
        "No end tag before the next record",
        None,
        {"PY": "in press"},
    )
    assert isinstance(paper, Record)
    assert paper.identifiers == {"pmcid": ("PMC555",), "doi": ("10.5555/last",)}


@pytest.mark.parametrize(
    ("body", "field", "expected"),
    [
        ("T1  - Old tag", "title", "Old tag"),
        ("TI  - New\nT1  - Old", "title", "New"),
        ("JO  - Full\nJA  - Abbr.", "publication", "Full"),
        ("T2  - Zotero", "publication", "Zotero"),
        ("PY  - 20022", "year", 20022),
        ("Y1  - 1999/08//", "year", 1999),
        ("DA  - AUG 2001", "year", 2001),
        ("PY  - n.d.\nDA  - 2001", "year", 2001),
        ("SP  - 5", "pages", "5"),
        ("SP  - S12-S20\nEP  - S20", "pages", "S12-S20"),
        ("SP  - 12-1\nEP  - 12-9", "pages", "12-1-12-9"),
        ("EP  - 7", "pages", "7"),
        ("PU  - Web of Science", "publisher", "Web of Science"),
        ("N2  - Abstract", "abstract", "Abstract"),
        ("AU  - First, A\nA1  - Second, B", "authors", ("First, A", "Second, B")),
        ("UT  - WOS:1", "id", "WOS:1"),
        ("AN  - 9\nID  - 8", "id", "8"),
    ],
)
def test_tags(body: str, field: str, expected: object) -> None:
    assert getattr(one(body), field) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("SN  - 1234-5679 2049-3630", {"issn": ("1234-5679", "2049-3630")}),
        ("SN  - 20762615 (ISSN); 9780306406157 (ISBN)", {"issn": ("20762615",), "isbn": ("9780306406157",)}),
        ("SN  - unknown", {"issn": ("unknown",)}),
        ("DB  - Scopus\nC2  - 12345", {"pmid": ("12345",)}),
        ("C2  - 12345", {}),
        ("DB  - Ovid MEDLINE(R)\nAN  - 12345", {"pmid": ("12345",)}),
        ("DB  - psyh\nAN  - 12345", {}),
        ("UR  - http://arxiv.org/abs/2101.00001v1", {"arxiv": ("2101.00001v1",)}),
        ("L2  - https://pubmed.ncbi.nlm.nih.gov/12345/", {"pmid": ("12345",)}),
        ("DO  - 10.5555/1\nUR  - https://doi.org/10.5555/2", {"doi": ("10.5555/1",)}),
    ],
)
def test_identifiers(body: str, expected: object) -> None:
    assert one(body).identifiers == expected


def test_repeated_and_unknown_tags_are_kept() -> None:
    record = one("TI  - First\nTI  - Second\nXY  - unknown\nN1  - a\n   b\nN1  - c")
    assert record.title == "First"
    assert record.extra == {"TI": "Second", "XY": "unknown", "N1": ["a\nb", "c"]}


def test_lines_may_end_in_any_way() -> None:
    for end in ("\n", "\r\n", "\r"):
        text = end.join(["TY  - JOUR", "TI  - One", "ER  -", "", "TY  - JOUR", "TI  - Two", "ER  -"])
        assert [record.title for record in read_text(text) if isinstance(record, Record)] == ["One", "Two"]


def test_one_space_before_the_hyphen_where_the_record_begins_so() -> None:
    record, strict = read_text("TY - JOUR\nTI - One\nER -\nTY  - JOUR\nAB  - of\nIL - 6\nER  -\n")
    assert isinstance(record, Record)
    assert record.title == "One"
    assert isinstance(strict, Record)
    assert strict.abstract == "of IL - 6"


def test_a_record_that_lost_its_type_is_still_one() -> None:
    records = read_text("TY  - JOUR\nTI  - One\nER  - \nTI  - Two\nAU  - A, B\nER  - \n")
    assert [record.title for record in records if isinstance(record, Record)] == ["One", "Two"]


def test_dead_letters_tell_line_and_reason() -> None:
    text = b"TY  - JOUR\nER  - \nTY  - JOUR\nTI  - bad \x81 byte\nER  - \nTY  - JOUR\nTI  - caf\xe9\nER  - \n"
    empty, undecodable, latin = read_text(text)
    assert isinstance(empty, DeadLetter)
    assert (empty.file, empty.position, empty.reason) == ("file.ris", "line 1", "no field but its type")
    assert isinstance(undecodable, DeadLetter)
    assert undecodable.position == "line 3"
    assert undecodable.reason == "byte 0x81 is neither UTF-8 nor Windows-1252"
    assert undecodable.raw == "TY  - JOUR\nTI  - bad ? byte"
    assert isinstance(latin, Record)
    assert latin.title == "café"


def test_a_file_that_is_not_ris_is_a_dead_letter() -> None:
    [letter] = read_text("title,year\nA,2000\n")
    assert isinstance(letter, DeadLetter)
    assert letter.reason == "not RIS: no line begins with `TY  - `"


def test_a_note_of_ours_that_was_damaged_is_kept() -> None:
    assert one("TI  - A\nN1  - bibfold: {oops").extra == {"bibfold": "{oops"}


@pytest.mark.parametrize(
    ("body", "field", "expected"),
    [
        ("DA  - 20180613", "year", 2018),
        ("PY  - 0000\nDA  - 2001/05/", "year", 2001),
        ("PY  - 0000", "year", None),
        ("A1  - First, A\nAU  - Second, B\nA1  - Third, C", "authors", ("First, A", "Second, B", "Third, C")),
        ("A1  - First, A\nA1  - Second, B\nAU  - First, A\nAU  - Second, B", "authors", ("First, A", "Second, B")),
        ("A2  - Editor, A\nED  - Other, B", "authors", ("Editor, A", "Other, B")),
        ("PMID  - 123\nPMCID  - PMC5", "identifiers", {"pmid": ("123",), "pmcid": ("PMC5",)}),
        ("M3  - doi: 10.5555/m3", "identifiers", {"doi": ("10.5555/m3",)}),
        ("N1  - https://doi.org/10.5555/n1", "identifiers", {"doi": ("10.5555/n1",)}),
        ("N1  - PMID: 77", "identifiers", {"pmid": ("77",)}),
        ("C3  - PUBMED 31,EMBASE 6", "identifiers", {"pmid": ("31",)}),
    ],
)
def test_what_databases_do_in_their_own_ways(body: str, field: str, expected: object) -> None:
    assert getattr(one(body), field) == expected


def test_a_file_that_was_cut_off_in_its_last_record() -> None:
    whole, cut = read_text("TY  - JOUR\nTI  - One\nER  - \n\nTY  - JOUR\nTI  - Tw")
    assert isinstance(whole, Record)
    assert isinstance(cut, DeadLetter)
    assert (cut.position, cut.reason) == ("line 5", "cut off: the file ends before the record's ER")
    assert cut.raw == "TY  - JOUR\nTI  - Tw"


def test_a_program_may_write_no_end_marks_at_all() -> None:
    records = read_text("TY  - JOUR\nTI  - One\n\nTY  - JOUR\nTI  - Two\n")
    assert [record.title for record in records if isinstance(record, Record)] == ["One", "Two"]


def test_the_tags_of_cochrane_and_embase() -> None:
    cochrane = one("AN  - CN-1\nTI  - T\nSO  - Shelves\nYR  - 2001\nNO  - 3\nPG  - 45-50\nPM  - PUBMED 777")
    assert (cochrane.publication, cochrane.year, cochrane.issue, cochrane.pages) == ("Shelves", 2001, "3", "45-50")
    assert cochrane.identifiers == {"pmid": ("777",)}
    embase = one("T1  - T\nU2  - L123\nC5  - 777")
    assert (embase.id, embase.identifiers) == ("L123", {"pmid": ("777",)})
