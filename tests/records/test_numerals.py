"""Numbers in titles, however written."""

import pytest

from bibfold.records.numerals import numerals, roman


@pytest.mark.parametrize(
    ("title", "numbers", "series"),
    [
        ("zeta functions part ii", ("2",), ("2",)),
        ("zeta functions part two", ("2",), ("2",)),
        ("zeta functions ii", ("2",), ("2",)),
        ("zeta functions i", ("1",), ("1",)),
        ("the 2nd part", ("2",), ("2",)),
        ("the sixteenth workshop", ("16",), ()),
        ("the 16th workshop", ("16",), ()),
        ("trends from 1990 to 2000", ("1990", "2000"), ()),
        ("hpv 016", ("16",), ()),
        ("what i saw", (), ()),
        ("vitamin x and l forms", (), ()),
        ("chapter v", ("5",), ("5",)),
        ("no numbers here", (), ()),
        ("", (), ()),
    ],
)
def test_numerals(title, numbers, series):
    assert numerals(title.split()) == (numbers, series)


@pytest.mark.parametrize(
    ("word", "number"), [("iv", "4"), ("xii", "12"), ("xl", "40"), ("mix", ""), ("", ""), ("12", "")]
)
def test_roman(word, number):
    assert roman(word) == number
