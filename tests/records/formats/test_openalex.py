"""Works of OpenAlex."""

import io
import json
from typing import Any

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.openalex import read
from bibfold.records.model import DeadLetter, Record

WORK: dict[str, Any] = {
    "id": "https://openalex.org/W123",
    "doi": "https://doi.org/10.5555/1",
    "title": "Folding duplicates",
    "display_name": "Folding duplicates",
    "publication_year": 2001,
    "ids": {"openalex": "https://openalex.org/W123", "pmid": "https://pubmed.ncbi.nlm.nih.gov/77"},
    "language": "en",
    "primary_location": {
        "landing_page_url": "https://arxiv.org/abs/2101.00001",
        "source": {"display_name": "Shelves", "issn": ["1234-5679"], "issn_l": "1234-5679",
                   "host_organization_name": "Shelf Press"},
    },
    "type": "article",
    "authorships": [
        {"raw_author_name": "Ann Roe", "author": {"display_name": "A. Roe"}},
        {"author": {"display_name": "Bob Doe"}},
    ],
    "biblio": {"volume": "12", "issue": "3", "first_page": "45", "last_page": "50"},
    "abstract_inverted_index": {"fold": [1, 3], "We": [0], "and": [2]},
    "cited_by_count": 5,
}  # fmt: skip


def read_text(text: str) -> list[Record | DeadLetter]:
    return list(read(io.BytesIO(text.encode()), Origin("works.json", "shelf")))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"meta": {"count": 1}, "results": [WORK], "group_by": []}),
        json.dumps({"meta": {"count": 1}, "results": [WORK]}, indent=2),
        json.dumps(WORK) + "\n",
        json.dumps([WORK]),
        json.dumps(WORK, indent=2),
    ],
)
def test_a_work_in_every_wrapping(text: str) -> None:
    [record] = read_text(text)
    assert isinstance(record, Record)
    assert (record.id, record.title, record.authors) == ("W123", "Folding duplicates", ("Ann Roe", "Bob Doe"))
    assert (record.publication, record.publisher, record.year) == ("Shelves", "Shelf Press", 2001)
    assert (record.volume, record.issue, record.pages) == ("12", "3", "45-50")
    assert record.identifiers == {
        "doi": ("10.5555/1",), "pmid": ("77",), "arxiv": ("2101.00001",), "issn": ("1234-5679",),
    }  # fmt: skip
    assert (record.abstract, record.type, record.language) == ("We fold and fold", "article", "en")
    assert record.extra["cited_by_count"] == 5


def test_a_work_with_little_in_it_and_what_is_none() -> None:
    bare, letter = read_text(
        '{"id": "https://openalex.org/W1", "title": null, "authorships": null, "biblio": null, '
        '"primary_location": null, "doi": "10.5555/2"}\n{"id": "https://openalex.org/A5", "orcid": null}\n'
    )
    assert isinstance(bare, Record)
    assert bare.identifiers == {"doi": ("10.5555/2",)}
    assert isinstance(letter, DeadLetter)
    assert letter.reason.startswith("neither title nor DOI: not a work of OpenAlex")
