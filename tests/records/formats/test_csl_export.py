"""CSL-JSON as citation processors read it."""

import io
import json
from typing import Any

from bibfold.records.formats import Options
from bibfold.records.formats.csl_export import write
from bibfold.records.model import Record


def items(*records: Record, plain: bool = True) -> list[dict[str, Any]]:
    out = io.BytesIO()
    write(records, out, Options(plain=plain, file_sources=frozenset({"s"})))
    return json.loads(out.getvalue())


def test_an_article() -> None:
    record = Record(
        source="s",
        id="1",
        title="Cats",
        subtitle="a study",
        authors=("Jan van der Berg Jr.", "World Health Organization"),
        publication="Nature",
        year=2020,
        pages="1-9",
        type="JOUR",
        identifiers={"doi": ("10.1/1",), "issn": ("1234-5679", "2049-3630")},
        extra={"KW": ["cats", "dogs"], "A2": "Roe, R.", "CY": "Bern"},
    )
    assert items(record) == [
        {
            "id": "1",
            "type": "article-journal",
            "title": "Cats: a study",
            "author": [
                {"family": "van der Berg", "given": "Jan", "suffix": "Jr."},
                {"literal": "World Health Organization"},
            ],
            "editor": [{"family": "Roe", "given": "R."}],
            "container-title": "Nature",
            "page": "1-9",
            "issued": {"date-parts": [[2020]]},
            "DOI": "10.1/1",
            "ISSN": "1234-5679, 2049-3630",
            "keyword": "cats, dogs",
            "publisher-place": "Bern",
        }
    ]


def test_a_date_that_was_received_stays() -> None:
    issued = {"date-parts": [[2020, 5, 1]]}
    [item] = items(Record(source="s", id="1", title="Cats", year=2020, extra={"issued": issued, "XY": "z"}))
    assert item == {"issued": issued, "id": "1", "type": "document", "title": "Cats"}


def test_what_csl_cannot_hold_stands_in_custom() -> None:
    [item] = items(Record(source="s", id="1", title="Cats", extra={"XY": "z"}), plain=False)
    assert json.loads(item["custom"]["bibfold"])["set"]["XY"] == "z"


def test_no_records_are_an_empty_array() -> None:
    assert items() == []
    assert len(items(Record(source="s", id="1", title="A"), Record(source="s", id="2", title="B"))) == 2
