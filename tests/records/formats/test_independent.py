"""What is written, as readers that are not ours take it: rispy, bibtexparser, pybtex, pymarc and lxml."""

import io
from collections.abc import Callable
from pathlib import Path

import bibtexparser
import pybtex.database
import pymarc
import pytest
import rispy
from lxml import etree

from bibfold.records.formats import Options, writer
from bibfold.records.formats.files import read_file
from bibfold.records.formats.names import inverted
from bibfold.records.model import Record

DATA = Path(__file__).parents[2] / "data" / "formats"
FILES = ["articles.bib", "articles.ris", "crossref-page.json", "endnote.xml", "marcxml-linked.xml", "oai-dc.xml"]
FILES += ["pubmed.csv", "pubmed.nbib", "records.jsonl", "scopus.csv", "marc-charsets.mrc"]
SCHEMA = Path(__file__).parent / "marcxml.rng"

ODD = Record(
    source="s",
    id="odd {1}, é",
    title='100 % of $5 {and} \\more & #1_2 ~ ^ @article{x, "quoted"',
    authors=("Anna Müller", "Library and Archive Group", "O'Neil, {Bo}", "others"),
    abstract="Line one\nER  - \nLine two",
    type="Journal Article",
    year=2020,
    pages="1-9",
    identifiers={"doi": ("10.1/a_b(c)<d>",), "issn": ("1234-5679",)},
    extra={
        "KW": ["a, b", "c"],
        "deep": {"{": ["}"]},
        "marc": [["FMT", "BK"], ["LDR", "bad"], ["245", "##", [["é", "x"]]]],
    },
)


def records(name: str) -> list[Record]:
    return [ODD, *(item for item in read_file(str(DATA / name)) if isinstance(item, Record))]


def written(form: str, some: list[Record], plain: bool) -> str:
    out = io.BytesIO()
    writer(form)(some, out, Options(plain=plain))
    return out.getvalue().decode()


def each_file(test: Callable[..., None]) -> Callable[..., None]:
    both = pytest.mark.parametrize("plain", [True, False])
    return both(pytest.mark.parametrize("name", FILES)(test))


@each_file
def test_rispy_reads_titles_authors_and_types(name: str, plain: bool) -> None:
    some = records(name)
    found = rispy.loads(written("ris", some, plain))
    assert len(found) == len(some)
    for record, entry in zip(some, found, strict=True):
        assert entry.get("authors", []) == [inverted(author) for author in record.authors]
        assert entry.get("title", "").startswith(record.title.split("\n")[0])
        assert entry.get("doi", "") == "".join(record.identifiers.get("doi", ())[:1])
        assert entry["type_of_reference"].isupper()


@each_file
def test_bibtexparser_takes_every_entry(name: str, plain: bool) -> None:
    some = records(name)
    library = bibtexparser.parse_string(written("bibtex", some, plain))
    assert library.failed_blocks == []
    assert len(library.entries) == len(some)
    assert [("author" in entry) for entry in library.entries] == [bool(record.authors) for record in some]


@each_file
def test_pybtex_takes_every_entry_and_every_name(name: str, plain: bool) -> None:
    some = records(name)
    library = pybtex.database.parse_string(written("bibtex", some, plain), "bibtex")
    assert len(library.entries) == len(some)
    for record, entry in zip(some, library.entries.values(), strict=True):
        people = entry.persons.get("author", [])
        more = str(record.extra.get("author", "")).endswith(" and others")
        assert len(people) == len(record.authors) + more
        assert entry.fields.get("year") == (None if record.year is None else str(record.year)) or record.year is None


@each_file
def test_marcxml_keeps_to_its_schema_record_by_record(name: str, plain: bool) -> None:
    schema = etree.RelaxNG(etree.parse(str(SCHEMA)))
    some = records(name)
    root = etree.fromstring(written("marcxml", some, plain).encode())
    assert len(root) == len(some)
    for element in root:
        schema.assertValid(etree.fromstring(etree.tostring(element)))


@each_file
def test_pymarc_reads_titles(name: str, plain: bool) -> None:
    some = records(name)
    found = pymarc.parse_xml_to_array(io.BytesIO(written("marcxml", some, plain).encode()))
    assert len(found) == len(some)
    for record, marc in zip(some, found, strict=True):
        assert len(str(marc.leader)) == 24
        assert bool(record.title) <= bool(marc.title)


@each_file
def test_lxml_reads_endnote_xml(name: str, plain: bool) -> None:
    some = records(name)
    root = etree.fromstring(written("endnote", some, plain).encode())
    assert [len(element.findall("contributors/authors/author")) for element in root.iter("record")] == [
        len(record.authors) for record in some
    ]


def test_articles_are_component_parts() -> None:
    article = Record(source="s", id="1", title="Cats", publication="Nature", type="Journal Article")
    chapter = Record(source="s", id="2", title="Cats", publication="Handbook", type="incollection")
    book = Record(source="s", id="3", title="Cats", type="BOOK")
    found = pymarc.parse_xml_to_array(io.BytesIO(written("marcxml", [article, chapter, book], True).encode()))
    assert [str(marc.leader)[6:8] for marc in found] == ["ab", "aa", "am"]


def test_organisations_and_people_have_fields_of_their_own() -> None:
    record = Record(source="s", id="1", title="Cats", authors=("UNESCO", "Anna Müller", "Study Group", "Roe, R."))
    [marc] = pymarc.parse_xml_to_array(io.BytesIO(written("marcxml", [record], True).encode()))
    assert [(field.tag, field["a"]) for field in marc.get_fields("100", "110", "700", "710")] == [
        ("110", "UNESCO"),
        ("700", "Müller, Anna"),
        ("710", "Study Group"),
        ("700", "Roe, R."),
    ]


def test_two_authors_of_one_name_are_two() -> None:
    record = Record(source="s", id="1", title="Cats", authors=("Wang, Y", "Li, X", "Wang, Y"))
    assert rispy.loads(written("ris", [record], True))[0]["authors"] == list(record.authors)
    root = etree.fromstring(written("endnote", [record], True).encode())
    assert [author.text for author in root.iter("author")] == list(record.authors)
