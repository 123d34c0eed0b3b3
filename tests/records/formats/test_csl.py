"""CSL-JSON, as reference managers export it."""

import io
import json
from typing import Any

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.csl import read
from bibfold.records.model import DeadLetter, Record


def read_text(text: str) -> list[Record | DeadLetter]:
    return list(read(io.BytesIO(text.encode()), Origin("file.json", "shelf")))


def one(**item: Any) -> Record:
    [record] = read_text(json.dumps([{"id": "x", "title": "T", **item}], indent=2))
    assert isinstance(record, Record), record
    return record


def test_an_item_of_zotero() -> None:
    record = one(
        id="http://zotero.org/users/1/items/ABCD",
        type="article-journal",
        author=[{"family": "Roe", "given": "Ann"}, {"literal": "Shelf Society"}],
        issued={"date-parts": [["2001", 5]]},
        page="1-9",
        volume="3",
        issue="2",
        DOI="10.5555/1",
        ISSN="1234-5679, 2049-3630",
        note="PMID: 77",
        abstract="Short.",
        **{"container-title": "Shelves", "publisher-place": "Bern"},
    )
    assert record == Record(
        source="shelf",
        id="http://zotero.org/users/1/items/ABCD",
        title="T",
        authors=("Roe, Ann", "Shelf Society"),
        publication="Shelves",
        year=2001,
        identifiers={"doi": ("10.5555/1",), "issn": ("1234-5679", "2049-3630"), "pmid": ("77",)},
        volume="3",
        issue="2",
        pages="1-9",
        type="article-journal",
        abstract="Short.",
        extra={"issued": {"date-parts": [["2001", 5]]}, "note": "PMID: 77", "publisher-place": "Bern"},
    )


@pytest.mark.parametrize(
    ("issued", "year"),
    [
        ({"date-parts": [[2001]]}, 2001),
        ({"date-parts": [["2001", "5"]]}, 2001),
        ({"raw": "2001-05-03"}, 2001),
        ({"literal": "Spring 2001"}, 2001),
        ({"date-parts": [[]], "raw": "20010503"}, 2001),
        ("2001", 2001),
        ({"season": 1}, None),
    ],
)
def test_dates(issued: Any, year: int | None) -> None:
    assert one(issued=issued).year == year


@pytest.mark.parametrize(
    ("names", "authors"),
    [
        ({"author": [{"family": "Roe", "given": "Ann", "non-dropping-particle": "van"}]}, ("van Roe, Ann",)),
        ({"author": [{"family": "Roe", "given": "Ann", "dropping-particle": "de"}]}, ("de Roe, Ann",)),
        ({"editor": [{"family": "Roe"}]}, ("Roe",)),
        ({"author": [], "editor": [{"family": "Roe"}]}, ("Roe",)),
        ({"author": "nobody"}, ()),
    ],
)
def test_names(names: Any, authors: tuple[str, ...]) -> None:
    assert one(**names).authors == authors


def test_lines_and_one_item_alone() -> None:
    item = {"id": 1, "title": "T", "type": "book"}
    for text in (json.dumps(item), json.dumps(item, indent=1), f"{json.dumps(item)}\n{json.dumps(item)}\n"):
        assert {record.id for record in read_text(text) if isinstance(record, Record)} == {"1"}


def test_what_is_no_item_is_a_dead_letter() -> None:
    [letter] = read_text('[{"id": 1, "type": "book"}]')
    assert isinstance(letter, DeadLetter)
    assert letter.reason.endswith("not an item of CSL-JSON; its names are id, type")
