"""Identifiers that many different titles share."""

import pytest

from lookup.generic import GENERIC, alike, is_generic, leaders

TITLES = ["on folding", "a preface", "letters to us", "quantum tea", "the next step", "index of names"]


def test_more_than_five_titles_make_an_identifier_generic() -> None:
    assert not is_generic(TITLES[:GENERIC] * 3)
    assert is_generic(TITLES)


def test_spellings_of_one_title_count_once() -> None:
    assert not is_generic([f"a study of folding proteins {letter}" for letter in "abcdefgh"])


def test_leaders_are_like_none_before_them() -> None:
    assert leaders(["abcde", "abcdx", "vwxyz"]) == ["abcde", "vwxyz"]
    assert leaders(["abcde", "abcdx"], least=0.9) == ["abcde", "abcdx"]
    assert leaders(TITLES, 2) == TITLES[:2]


@pytest.mark.parametrize(("least", "expected"), [(0.5, True), (0.51, False), (0.8, False)])
def test_texts_are_alike_by_the_longer(least: float, expected: bool) -> None:
    assert alike("abcd", "abcdefgh", least) is expected


def test_one_edit_in_five_characters_is_eighty_percent() -> None:
    assert alike("abcde", "abcdx")
    assert alike("", "")
