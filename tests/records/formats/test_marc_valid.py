"""MARC records as the schema of MARCXML allows them."""

import pytest

from bibfold.records.formats.marc import Field, Marc
from bibfold.records.formats.marc_valid import leader, mended, valid


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("00714cam a2200205 a 4500", "00714cam a2200205 a 4500"),
        ("xx714cam a22x0205 a 45", "00000cam a2200000 a 4500"),
        ("00714cam#a2200205#a#4500", "00714cam a2200205 a 4500"),
        ("00714c?m a3300205 a 9999", "00714cam a2200205 a 4500"),
        ("", "00000nam a2200000 u 4500"),
    ],
)
def test_leaders(given: str, expected: str) -> None:
    assert leader(given) == expected
    assert leader(expected) == expected


def test_control_fields_come_first_and_indicators_are_legal() -> None:
    marc = Marc("00714cam a2200205 a 4500", (Field("245", "1#", (("a", "Cats\x00"),)), Field("001", "", (), "7")))
    assert mended(marc).fields == (Field("001", "", (), "7"), Field("245", "1 ", (("a", "Cats"),)))


def test_what_the_schema_has_no_place_for_is_left_out() -> None:
    fields = (
        Field("FMT", "", (), "BK"),
        Field("001", "", (), "7"),
        Field("245", "10", (("a", "Cats"), ("é", "x"), (" ", "y"))),
        Field("5ä0", "  ", (("a", "x"),)),
        Field("500", "  ", ()),
    )
    assert valid(Marc("", fields)).fields == (Field("001", "", (), "7"), Field("245", "10", (("a", "Cats"),)))
