"""The four measures of titles, against values worked by hand."""

import pytest

from evaluation.samples.similarities import characters, measures, words, words_in_common, words_shared


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("abcd", "abxd", (0.75, 0.0, 0.0, 0.0)),
        ("a b c", "a b c", (1.0, 1.0, 1.0, 1.0)),
        ("a b c", "c b a", (0.6, 1.0, 1 / 3, 1.0)),
        ("a a b", "a b b", (0.8, 1.0, 2 / 3, 2 / 3)),
        ("a a b", "a c", (0.4, 1 / 3, 1 / 3, 2 / 5)),
    ],
)
def test_values_worked_by_hand(first, second, expected):
    assert measures(first, second) == pytest.approx(expected)
    assert measures(second, first) == pytest.approx(expected)


def test_titles_that_are_empty_share_no_words():
    assert (words_shared("", ""), words_in_common("", "")) == (0.0, 0.0)
    assert (characters("", "a"), words("", "a")) == (0.0, 0.0)
