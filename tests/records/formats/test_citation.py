"""Volume, issue and pages are found in statements of many kinds."""

import pytest

from bibfold.records.formats.citation import place


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Vol. 24, pt. B no. 9 (Sept. 1993), p. 235-48", ("24", "9", "235-48")),
        ("Bd. 3 (1998), H. 2, S. 5-10", ("3", "2", "5-10")),
        ("volume:3 year:1998 number:2 pages:5-10", ("3", "2", "5-10")),
        ("24(9):235-48", ("24", "9", "235-48")),
        ("24:9<235", ("24", "9", "235")),
        ("Vol. XII, p. e12", ("XII", "", "e12")),
        ("24", ("24", "", "")),
        ("Årg. 12, nr 3, s. 4–9", ("12", "3", "4–9")),
        ("Spring 1993", ("", "", "")),
        ("", ("", "", "")),
    ],
)
def test_place(text: str, found: tuple[str, str, str]) -> None:
    assert place(text) == found
