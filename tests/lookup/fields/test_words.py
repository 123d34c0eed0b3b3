"""Words and letters, the ground of several comparators."""

from operator import attrgetter

import pytest

from lookup.fields import words
from tests.lookup.examples import prepared


@pytest.mark.parametrize(
    ("word", "other", "alike"),
    [
        ("behaviour", "behavior", True),
        ("fourth", "foruth", True),
        ("mice", "rice", False),
        ("color", "colour", True),
        ("downlink", "uplink", False),
        ("internationalise", "internationalized", True),
    ],
)
def test_near_spellings(word: str, other: str, alike: bool) -> None:
    assert words.alike(word, other) is words.alike(other, word) is alike


def test_near_spellings_are_taken_from_both_lists_each_once() -> None:
    left, right = ["behaviour", "behaviour", "fourth", "mice"], ["foruth", "behavior", "rice"]
    words.take_alike(left, right)
    assert (left, right) == (["behaviour", "mice"], ["rice"])


def test_words_shared_are_said_as_sets() -> None:
    say = words.say_jaccard("title", attrgetter("title"))
    assert say(prepared("the fold the"), prepared("the card"), 1 / 3) == "title: 1 of 3 words shared"
