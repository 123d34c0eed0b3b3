"""BibTeX entries as records."""

import io
from pathlib import Path

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.bibtex import read
from bibfold.records.model import RAW_LIMIT, DeadLetter, Record

DATA = Path(__file__).parents[2] / "data" / "formats"


def read_text(text: str | bytes) -> list[Record | DeadLetter]:
    data = text.encode() if isinstance(text, str) else text
    return list(read(io.BytesIO(data), Origin("file.bib", "shelf")))


def one(fields: str, type: str = "article") -> Record:
    [record] = read_text(f"@{type}{{key, {fields}}}")
    assert isinstance(record, Record), record
    return record


def test_the_sample() -> None:
    article, paper, broken, short, lenient = read_text((DATA / "articles.bib").read_bytes())
    assert article == Record(
        source="shelf",
        id="mueller2019",
        title="Folding Duplicate Records: Étude of $\\alpha$-catalogues & more",
        authors=("Müller, Anna", "Øster, Bo", "Library and Archive Group"),
        publication="Journal of Catalogue Studies",
        year=2019,
        identifiers={"doi": ("10.5555/jcs_2019",), "issn": ("1234-5679", "2049-3630")},
        volume="12",
        issue="3",
        pages="101-117",
        type="article",
        extra={
            "author": "Müller, Anna and Øster, Bo and Library and Archive Group and others",
            "month": "may",
            "keywords": "duplicates, catalogues",
        },
    )
    assert paper == Record(
        source="shelf",
        id="field2001",
        title='Quotes with "braces"',
        authors=("Carl Field",),
        publication="Proc. of the Shelf",
        year=2001,
        identifiers={"arxiv": ("2101.00001v2",), "pmid": ("12345",), "pmcid": ("PMC678",)},
        type="inproceedings",
        extra={"note": "PMID: 12345 PMCID: PMC678", "date": "2001-05"},
    )
    assert isinstance(broken, DeadLetter)
    assert (broken.position, broken.reason) == ("line 30", "no closing brace for @article")
    assert broken.raw.startswith("@article{broken,")
    assert isinstance(short, DeadLetter)
    assert short.reason == "entry 'short' has no fields"
    assert isinstance(lenient, Record)
    assert (lenient.title, lenient.publisher, lenient.year) == ("Commas", "are", None)
    assert lenient.extra == {"year": "n.d.", "bibtex:type": "Handbook"}


@pytest.mark.parametrize(
    ("fields", "field", "expected"),
    [
        ("booktitle = {In}", "publication", "In"),
        ("journal = {J}, booktitle = {B}", "publication", "J"),
        ("journaltitle = {BibLaTeX}", "publication", "BibLaTeX"),
        ("issue = {Spring}", "issue", "Spring"),
        ("year = 20022", "year", 20022),
        ("date = {2001-05-02}", "year", 2001),
        ("pages = {1---9}", "pages", "1-9"),
        ("author = {A and B\nAND C}", "authors", ("A", "B", "C")),
        ("author = {{Sand and Land}, Anna and}", "authors", ("Sand and Land, Anna",)),
        ("author = {others}", "authors", ()),
        ("author = {A}, author = {B and C}", "authors", ("A", "B", "C")),
        ("title = {On\n   two  lines}", "title", "On two lines"),
        ("TITLE = {Case}", "title", "Case"),
    ],
)
def test_fields(fields: str, field: str, expected: object) -> None:
    assert getattr(one(fields), field) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("eprint = {2101.00001}", {"arxiv": ("2101.00001",)}),
        ("eprint = {math.GT/0309136}, eprinttype = {arxiv}", {"arxiv": ("math.GT/0309136",)}),
        ("eprint = {12345}, eprinttype = {pubmed}", {"pmid": ("12345",)}),
        ("eprint = {something/else}", {}),
        ("isbn = {978-0-306-40615-7}", {"isbn": ("978-0-306-40615-7",)}),
        ("doi = {10.1002/(SICI)1097(1998)49:8{\\textless}693::AID{\\textgreater}3.0.CO;2-O}",
         {"doi": ("10.1002/(SICI)1097(1998)49:8<693::AID>3.0.CO;2-O",)}),
        ("url = {https://doi.org/10.5555/a}", {"doi": ("10.5555/a",)}),
        ("pmid = 12345, note = {PMID: 999}", {"pmid": ("12345",)}),
        ("note = {arXiv:2101.00001 [cs]}", {"arxiv": ("2101.00001",)}),
    ],
)  # fmt: skip
def test_identifiers(fields: str, expected: object) -> None:
    assert one(fields).identifiers == expected


def test_an_eprint_of_an_unknown_archive_is_kept() -> None:
    assert one("eprint = {42}, eprinttype = {hal}").extra == {"eprint": "42", "eprinttype": "hal"}


def test_repeated_fields_are_kept() -> None:
    record = one("title = {A}, title = {B}, url = {x}, url = {y}")
    assert record.title == "A"
    assert record.extra == {"bibtex:title": "B", "url": ["x", "y"]}


def test_bytes_of_windows_1252_are_read_and_others_are_dead_letters() -> None:
    latin, bad = read_text(b"@a{a, title = {caf\xe9 \xe2\x80\x93 \x93q\x94}}\n@a{b, title = {\x81}}")
    assert isinstance(latin, Record)
    assert latin.title == "café – “q”"
    assert isinstance(bad, DeadLetter)
    assert bad.position == "line 2"


def test_the_text_of_a_dead_letter_is_limited() -> None:
    [letter] = read_text("@a{a, title = {" + "x" * (2 * RAW_LIMIT))
    assert isinstance(letter, DeadLetter)
    assert len(letter.raw) == RAW_LIMIT


def test_a_file_that_is_not_bibtex_is_a_dead_letter() -> None:
    [letter] = read_text("title,year\nA,2000\n")
    assert isinstance(letter, DeadLetter)
    assert "no entry such as" in letter.reason


def test_comments_alone_are_no_records() -> None:
    [letter] = read_text("@comment{nothing here}\n@string{a = {b}}\n")
    assert isinstance(letter, DeadLetter)
    assert letter.reason == "no entry such as `@article{` in it"


def test_types_with_an_underscore_as_mendeley_writes_them() -> None:
    page, section = read_text("@web_page{a, title = {Page}}\n@book_section{b,\n title = {Section}\n}\n")
    assert isinstance(page, Record)
    assert isinstance(section, Record)
    assert (page.type, page.title, section.type, section.title) == ("web_page", "Page", "book_section", "Section")


def test_field_names_with_a_space_and_comments_between_fields() -> None:
    text = "@article{a,\n% a note\ntitle = {T}, % another, with {a brace\nfunding_text 1={Grant},\n% note = {off},\n}\n"
    [record] = read_text(text)
    assert isinstance(record, Record)
    assert (record.title, record.extra) == ("T", {"funding_text 1": "Grant"})


def test_an_entry_inherits_from_the_one_it_refers_to() -> None:
    text = """@inproceedings{child, author = {Roe, A.}, title = {Paper}, pages = {1--2}, crossref = {Parent}}
@inproceedings{orphan, title = {Alone}, crossref = {nowhere}}
@proceedings{parent, title = {Proceedings of Shelves}, year = 2001, publisher = {Shelf}, editor = {Poe, E.},
  doi = {10.5555/whole}}
@inproceedings{late, title = {Later}, year = 2002, crossref = {parent}}
"""
    parent, child, late, orphan = read_text(text)
    assert isinstance(parent, Record)
    assert (parent.id, parent.authors) == ("parent", ("Poe, E.",))
    assert isinstance(child, Record)
    assert (child.title, child.publication, child.year, child.publisher) == (
        "Paper", "Proceedings of Shelves", 2001, "Shelf",
    )  # fmt: skip
    assert (child.authors, child.identifiers) == (("Roe, A.",), {})
    assert isinstance(late, Record)
    assert (late.publication, late.year) == ("Proceedings of Shelves", 2002)
    assert isinstance(orphan, Record)
    assert orphan.title == "Alone"
