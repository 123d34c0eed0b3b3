"""Years of publication."""

import pytest

from tests.lookup.examples import finding, prepared


@pytest.mark.parametrize(("apart", "score"), [(0, 1), (1, 0.8), (4, 0.5), (8, 1 / 3)])
def test_years_as_in_the_paper(apart: int, score: float) -> None:
    found = finding("years.near", prepared(year=2003), prepared(year=2003 + apart))
    assert found is not None
    assert (found.score, found.weight) == (pytest.approx(score), 1)


@pytest.mark.parametrize(
    ("apart", "other_title", "score", "share"),
    [(0, "A", 1, 0.5), (0, "B", 1, 0.5), (1, "A", 0.3, 0.5), (1, "B", 0.3, 1), (2, "A", 0, 0.5), (2, "B", 0, 1)],
)
def test_years_apart_weigh_more_where_titles_differ(apart: int, other_title: str, score: float, share: float) -> None:
    found = finding("years.close", prepared("A", year=2003), prepared(other_title, year=2003 + apart))
    assert found is not None
    assert (found.score, found.weight) == (score, share)


@pytest.mark.parametrize(
    ("year", "other", "reason"),
    [(2003, 2004, "year 2003 against 2004: 1 apart"), (2003, 1999, "year 2003 against 1999: 4 apart"),
     (2003, 2003, "year 2003: equal")],
)  # fmt: skip
@pytest.mark.parametrize("comparator", ["years.close", "years.near"])
def test_reasons(comparator: str, year: int, other: int, reason: str) -> None:
    found = finding(comparator, prepared(year=year), prepared(year=other))
    assert found is not None
    assert found.reason == reason


@pytest.mark.parametrize("comparator", ["years.close", "years.near"])
@pytest.mark.parametrize("year", [None, 20022, 0])
def test_no_year_says_nothing(comparator: str, year: int | None) -> None:
    assert finding(comparator, prepared(year=2003), prepared(year=year)) is None
    assert finding(comparator, prepared(year=year), prepared(year=year)) is None
