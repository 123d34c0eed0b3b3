"""DOIs of DataCite."""

import io
import json
from typing import Any

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.datacite import read
from bibfold.records.model import DeadLetter, Record

DOI: dict[str, Any] = {
    "id": "10.5555/data",
    "type": "dois",
    "attributes": {
        "doi": "10.5555/data",
        "creators": [{"name": "Roe, Ann", "givenName": "Ann", "familyName": "Roe"}, {"name": "Shelf Society"}],
        "titles": [
            {"title": "Ein Regal", "titleType": "TranslatedTitle"},
            {"title": "A shelf"},
            {"title": "its data", "titleType": "Subtitle"},
        ],
        "publisher": {"name": "Shelf Archive"},
        "publicationYear": 2001,
        "container": {"title": "Shelves", "volume": "12", "firstPage": "1", "lastPage": "9",
                      "identifier": "1234-5679", "identifierType": "ISSN"},
        "types": {"resourceTypeGeneral": "Dataset"},
        "alternateIdentifiers": [{"alternateIdentifierType": "arXiv", "alternateIdentifier": "2101.00001"}],
        "descriptions": [{"descriptionType": "Abstract", "description": "Data of a shelf."}],
        "subjects": [{"subject": "shelves"}],
    },
    "relationships": {"client": {}},
}  # fmt: skip


def read_text(text: str) -> list[Record | DeadLetter]:
    return list(read(io.BytesIO(text.encode()), Origin("dois.json", "shelf")))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"data": [DOI], "meta": {"total": 1}, "links": {}}),
        json.dumps({"data": DOI}),
        json.dumps(DOI) + "\n",
        json.dumps(DOI["attributes"], indent=1),
    ],
)
def test_a_doi_in_every_wrapping(text: str) -> None:
    [record] = read_text(text)
    assert isinstance(record, Record)
    assert (record.id, record.title, record.subtitle) == ("10.5555/data", "A shelf", "its data")
    assert record.authors == ("Roe, Ann", "Shelf Society")
    assert (record.publication, record.volume, record.pages, record.year) == ("Shelves", "12", "1-9", 2001)
    assert (record.publisher, record.type, record.abstract) == ("Shelf Archive", "Dataset", "Data of a shelf.")
    assert record.identifiers == {"doi": ("10.5555/data",), "arxiv": ("2101.00001",), "issn": ("1234-5679",)}
    assert record.extra["alternative_titles"] == ["Ein Regal"]
    assert record.extra["subjects"] == [{"subject": "shelves"}]


def test_what_is_no_doi_is_a_dead_letter() -> None:
    [letter] = read_text('{"data": [{"type": "clients", "attributes": {"name": "x"}}]}')
    assert isinstance(letter, DeadLetter)
    assert letter.reason.startswith("neither DOI nor titles: not a work of DataCite")
