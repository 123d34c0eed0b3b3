"""OAI Dublin Core, in OAI-PMH answers and bare."""

import io
from pathlib import Path

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.oai_dc import read
from bibfold.records.model import DeadLetter, Deletion, Item, Record

FILE = Path(__file__).parents[2] / "data" / "formats" / "oai-dc.xml"
ORIGIN = Origin("oai-dc.xml", "shelf")


def results() -> list[Item]:
    with FILE.open("rb") as stream:
        return list(read(stream, ORIGIN))


def one(*rows: str) -> Record:
    data = f"<oai_dc:dc><dc:title>T</dc:title>{''.join(rows)}</oai_dc:dc>"
    (record,) = read(io.BytesIO(data.encode()), ORIGIN)
    assert isinstance(record, Record)
    return record


def test_deleted_records_are_deletions_and_empty_ones_dead_letters() -> None:
    found = results()
    assert found[1] == Deletion("shelf", "oai:x:2", "the OAI-PMH header says status=deleted (oai-dc.xml)")
    assert [each.position if isinstance(each, DeadLetter) else each.id for each in found] == [
        "oai:arXiv.org:0704.0001",
        "oai:x:2",
        "oai:ojs:3",
        "oai:dspace:4",
        "record 5, line 15, column 1",
    ]
    assert isinstance(found[-1], DeadLetter)
    assert found[-1].reason == "no Dublin Core elements in this record; is the file oai_dc?"


def test_a_preprint() -> None:
    assert results()[0] == Record(
        source="shelf",
        id="oai:arXiv.org:0704.0001",
        title="Calculation of prompt diphoton production cross sections",
        authors=("Balázs, C.", "Berger, E. L."),
        year=2007,
        identifiers={"arxiv": ("0704.0001",), "doi": ("10.1103/PhysRevD.76.013009",)},
        type="text",
        abstract="A fully differential calculation.",
        extra={
            "subject": "High Energy Physics",
            "description": "Comment: 37 pages",
            "date": ["2007-04-02", "2007-07-24"],
            "identifier": "Phys.Rev.D76:013009,2007",
        },
    )


def test_a_journal_article() -> None:
    record = results()[2]
    assert isinstance(record, Record)
    assert (record.title, record.extra["alternative_titles"]) == ("On foo", ["Sobre foo"])
    assert (record.publication, record.volume, record.issue, record.pages) == (
        "Journal of Foo",
        "12",
        "3",
        "123-145",
    )
    assert (record.authors, record.extra["contributor"]) == (("Silva, João",), "CNPq")
    assert (record.type, record.publisher, record.language) == ("article", "Univ X", "eng")
    assert record.identifiers == {
        "url": ("https://ojs.x/article/view/3",),
        "doi": ("10.1234/foo.3",),
        "issn": ("1234-5679",),
    }


def test_a_repository_item_has_its_own_date_not_that_of_the_deposit() -> None:
    record = results()[3]
    assert isinstance(record, Record)
    assert (record.year, record.authors) == (1998, ("Smith, Advisor",))
    assert record.identifiers == {"hdl": ("123/456",), "isbn": ("978-0-306-40615-7",)}


@pytest.mark.parametrize(
    ("value", "kind", "bare"),
    [
        ("doi:10.1234/x", "doi", "10.1234/x"),
        ("https://doi.org/10.1234/x", "doi", "10.1234/x"),
        ("info:doi/10.1234/x", "doi", "10.1234/x"),
        ("10.1234/x", "doi", "10.1234/x"),
        ("arXiv:2101.00001v2", "arxiv", "2101.00001v2"),
        ("https://arxiv.org/abs/2101.00001", "arxiv", "2101.00001"),
        ("urn:isbn:9780306406157", "isbn", "9780306406157"),
        ("ISSN 0317-8471", "issn", "0317-8471"),
        ("pmid:123", "pmid", "123"),
        ("hdl:123/4", "hdl", "123/4"),
        ("https://example.org/4", "url", "https://example.org/4"),
    ],
)
def test_identifiers_are_known_by_their_look(value: str, kind: str, bare: str) -> None:
    assert one(f"<dc:identifier>{value}</dc:identifier>").identifiers == {kind: (bare,)}


def test_a_relation_is_an_identifier_only_where_it_says_so() -> None:
    other = "info:eu-repo/semantics/altIdentifier/doi/10.1234/x"
    record = one(f"<dc:relation>{other}</dc:relation>", "<dc:relation>doi:10.1234/other</dc:relation>")
    assert record.identifiers == {"doi": ("10.1234/x",)}
    assert record.extra == {"relation": [other, "doi:10.1234/other"]}


@pytest.mark.parametrize(
    ("kinds", "kind"),
    [
        (["info:eu-repo/semantics/publishedVersion", "info:eu-repo/semantics/article"], "article"),
        (["Text", "Thesis"], "Text"),
        ([], ""),
    ],
)
def test_type(kinds: list[str], kind: str) -> None:
    assert one(*(f"<dc:type>{each}</dc:type>" for each in kinds)).type == kind


def test_a_plain_source_is_the_publication() -> None:
    assert one("<dc:source>0317-8471</dc:source><dc:source>Cats</dc:source>").publication == "Cats"


def test_other_names_for_dublin_core_are_read() -> None:
    data = b"<record><header><identifier>x</identifier></header><metadata><qdc:qualifieddc><dc:title>T</dc:title>\
<dcterms:issued>2001-05</dcterms:issued><dcterms:abstract>A</dcterms:abstract></qdc:qualifieddc></metadata></record>"
    (record,) = read(io.BytesIO(data), ORIGIN)
    assert isinstance(record, Record)
    assert (record.id, record.title, record.year, record.abstract) == ("x", "T", 2001, "A")


def test_a_deletion_that_does_not_say_of_what_is_a_dead_letter() -> None:
    (letter,) = read(io.BytesIO(b"<record><header status='deleted'/></record>"), ORIGIN)
    assert isinstance(letter, DeadLetter)
    assert "nothing says what is gone" in letter.reason
