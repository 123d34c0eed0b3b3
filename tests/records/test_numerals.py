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
        ("31 000 men", ("31000",), ()),
        ("1 234 567 men", ("1234567",), ()),
        ("1990 100 men", ("100", "1990"), ()),
        ("hpv 16 18", ("16", "18"), ()),
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


def test_every_roman_numeral_up_to_89_is_known():
    tens = ("", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx")
    ones = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
    words = [ten + one for ten in tens for one in ones][1:]
    assert [numerals(["part", word])[0] for word in words] == [(str(number),) for number in range(1, 90)]
