"""What `extra` holds, whichever format left it there."""

from typing import Any

import pytest

from bibfold.records.formats.parts import Parts, found_notes, parts
from bibfold.records.model import Record


def held(extra: dict[str, Any], **fields: Any) -> Parts:
    return parts(Record(source="s", id="1", extra=extra, **fields))


@pytest.mark.parametrize(
    ("extra", "part", "values"),
    [
        ({"KW": ["a", "b, c"]}, "keywords", ("a", "b, c")),
        ({"keywords": "a, b"}, "keywords", ("a", "b")),
        ({"keywords": "a, b; c"}, "keywords", ("a, b", "c")),
        ({"nbib:OT": "a", "nbib:MH": ["b", "a"]}, "keywords", ("a", "b")),
        ({"Author Keywords": "a; b"}, "keywords", ("a", "b")),
        ({"subject": ["a"]}, "keywords", ("a",)),
        ({"UR": "https://a.org", "L2": "https://b.org"}, "urls", ("https://a.org", "https://b.org")),
        ({"editor": "Anna Müller and Øster, Bo"}, "editors", ("Müller, Anna", "Øster, Bo")),
        ({"editor": [{"family": "Roe", "given": "R.", "sequence": "first"}, {"name": "A Group"}]}, "editors", None),
        ({"Editor": "Roe, R.; Doe, J."}, "editors", ("Roe, R.", "Doe, J.")),
        ({"series": [{"title": "Handbooks"}]}, "series", ("Handbooks",)),
        ({"CY": "Bern"}, "place", ("Bern",)),
        ({"DA": "2019/05/01/", "month": "may"}, "dates", ("2019-05-01", "2019-05")),
        ({"issued": {"date-parts": [[2019]]}, "date": "2018"}, "dates", ("2018",)),
        ({"annote": "Seen."}, "notes", ("Seen.",)),
        ({"AD": "Bern; Basel\nGenf"}, "affiliations", ("Bern", "Basel", "Genf")),
        ({"nbib:TA": "J Cat"}, "abbreviation", ("J Cat",)),
        ({"N1": ["one\ntwo", "three"]}, "notes", ("one", "two", "three")),
        ({"marc": [["653", "  ", [["a", "cats"]]], ["856", "40", [["u", "https://a.org"]]]]}, "keywords", ("cats",)),
    ],
)
def test_parts_by_the_names_of_formats(extra: dict[str, Any], part: str, values: tuple[str, ...] | None) -> None:
    expected = ("Roe, R.", "A Group") if values is None else values
    assert getattr(held(extra, year=2019), part) == expected


def test_what_is_no_part_is_left() -> None:
    found = held({"KW": ["a", 1], "editor": [{"family": "Roe", "given": "R", "ORCID": "1"}], "XY": "z"})
    assert (found.keywords, found.editors) == ((), ())
    assert found.rest.keys() == {"KW", "editor", "XY"}


def test_a_series_that_only_repeats_the_publication_is_none() -> None:
    assert held({"T2": "Nature"}, publication="Nature") == Parts()
    assert held({"T2": "Handbooks"}).series == ("Handbooks",)


def test_where_a_record_was_found() -> None:
    extra = {"databases": ["pubmed", "embase"], "records": ["pubmed:1", "embase:2", "embase:3"]}
    expected = ["Found in: pubmed, embase", "Records folded: 3 (pubmed:1, embase:2, embase:3)"]
    assert found_notes(Record(source="s", id="1", extra=extra)) == expected
    assert held({**extra, "N1": "mine"}).notes == ("mine", *expected)
    assert found_notes(Record(source="s", id="1", extra={"records": 3})) == []
