"""The rules of ranking that all engines share."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from bibfold.engines.base import coarse, reach, rounded


@pytest.mark.parametrize(
    ("score", "expected"),
    [(12.345678, 12.346), (0.0012345678, 0.0012346), (123456.0, 123460.0), (9.99999, 10.0), (1.0, 1.0)],
)
def test_scores_keep_five_digits(score: float, expected: float) -> None:
    assert rounded(score) == expected


@given(some.floats(1e-6, 1e6), some.floats(1e-6, 1e6))
def test_rounding_never_turns_an_order_round(one: float, other: float) -> None:
    assert (rounded(one) <= rounded(other)) or one > other


@given(some.floats(1e-6, 1e6))
def test_rounding_twice_is_rounding_once(score: float) -> None:
    assert rounded(rounded(score)) == rounded(score)


def test_lengths_are_kept_as_search_engines_keep_them() -> None:
    kept = {length: coarse(length) for length in (1, 39, 40, 41, 42, 55, 56, 59, 60, 87, 88, 95, 96, 500, 5_000)}
    assert kept == {
        1: 1,
        39: 39,
        40: 40,
        41: 40,
        42: 42,
        55: 54,
        56: 56,
        59: 56,
        60: 60,
        87: 84,
        88: 88,
        95: 88,
        96: 96,
        500: 472,
        5_000: 4_632,
    }


def test_more_is_asked_for_than_is_wanted() -> None:
    assert all(reach(limit) > limit for limit in (1, 10, 1_000))
