"""Headers of tables."""

import pytest

from bibfold.records.formats.csv_columns import columns, delimiter, looks_like_header


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("title,authors,year", True),
        ('"Key","Item Type","Title"', True),
        ("Titre;DOI;Année", True),
        ("PT\tAU\tTI", True),
        ("title", True),
        ("identifiers.doi,source,id", True),
        ("Dear reader, here is the title", False),
        ("id,year", False),
        ("a,b,c", False),
        ("", False),
    ],
)
def test_what_looks_like_a_header(line: str, expected: bool) -> None:
    assert looks_like_header(line) is expected


def test_the_delimiter_is_the_one_that_gives_known_columns() -> None:
    assert delimiter("title;a,b,c,d;authors") == ";"
    assert delimiter("x;y;z") == ";"
    assert delimiter("a,b|c", {"a,b": "title"}) == "|"


def test_the_best_column_of_a_field_comes_first() -> None:
    found = columns(["Date", "Publication Year", "Title", "E-ISSN", "ISSN"], {}, "file")
    assert found == {
        "title": ["Title"],
        "year": ["Publication Year", "Date"],
        "identifiers.issn": ["ISSN", "E-ISSN"],
    }
