"""EndNote XML, field by field."""

import io
from pathlib import Path

from bibfold.records.formats import Origin
from bibfold.records.formats.endnote import read
from bibfold.records.model import DeadLetter, Record

FILE = Path(__file__).parents[2] / "data" / "formats" / "endnote.xml"
ORIGIN = Origin("endnote.xml", "shelf")


def results() -> list[Record | DeadLetter]:
    with FILE.open("rb") as stream:
        return list(read(stream, ORIGIN))


def test_an_article() -> None:
    assert results()[0] == Record(
        source="shelf",
        id="19",
        title="Relapse of Plasmodium vivax malaria",
        authors=("Baird, J. K.", "Rieckmann, K. H."),
        publication="Trends Parasitol",
        year=2003,
        identifiers={
            "issn": ("1471-4922", "1471-5007"),
            "doi": ("10.1016/s1471-4922(03)00002-3",),
            "pmcid": ("PMC123",),
            "pmid": ("12643993",),
        },
        volume="19",
        issue="3",
        pages="115-20",
        type="Journal Article",
        language="eng",
        abstract="About relapse.",
        extra={
            "keywords/keyword": ["Humans", "Malaria"],
            "endnote:edition": "2003/03/15",
            "remote-database-provider": "NLM",
        },
    )


def test_a_book_has_editors_and_a_series_and_no_publication() -> None:
    assert results()[1] == Record(
        source="shelf",
        id="20",
        title="Tropical medicine",
        authors=("Kumar, A.",),
        year=2010,
        identifiers={"isbn": ("9783034604796",)},
        edition="2nd",
        publisher="Springer",
        type="Book",
        extra={"titles/secondary-title": "A series", "dates/year": "[2010]", "accession-num": "CN-1"},
    )


def test_what_is_no_reference_is_a_dead_letter() -> None:
    letter = results()[2]
    assert isinstance(letter, DeadLetter)
    assert (letter.position, letter.raw) == ("record 3, line 3, column 1", "bar")
    assert letter.reason == "no title and no reference type; is the file EndNote XML?"


def test_pubmed_numbers_of_embase_cochrane_and_links() -> None:
    data = b"""<xml><records><record><titles><title>A</title></titles><custom5>111</custom5>
    <remote-database-name>Embase&#xD;Medline</remote-database-name></record><record><titles><title>B</title></titles>
    <custom3>PUBMED 222,EMBASE 333</custom3><accession-num>444</accession-num><urls><related-urls>
    <url>https://doi.org/10.1234/x</url></related-urls></urls></record></records></xml>"""
    first, second = read(io.BytesIO(data), ORIGIN)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert first.identifiers == {"pmid": ("111",)}
    assert second.identifiers == {"pmid": ("222",), "doi": ("10.1234/x",)}
    assert second.extra["accession-num"] == "444"
