"""How evidence becomes a score, and what can be ruled out before all of it is there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookup.combinations import COMBINATIONS, mean
from lookup.pairs import Scores
from lookup.profile import Part

MEAN = COMBINATIONS["mean"]


def _scores(score: float, share: float = 1.0, *, missing: bool = False, open: bool = False) -> Scores:
    return Scores(np.array([score]), np.array([share]), np.array([missing]), np.array([open]))


def _part(weight: float, **more: float | None) -> Part:
    return Part("x", "titles.similar", weight, **more)


def _total(*weighed: tuple[Part, Scores]) -> float:
    (total,) = mean([part for part, _ in weighed], [found for _, found in weighed])
    return float(total)


ABSENT = _scores(0.7, missing=True)


def test_the_score_is_the_mean_by_weight_and_share() -> None:
    assert _total((_part(3), _scores(1.0)), (_part(2), _scores(0.0, 0.5))) == pytest.approx(3 / 4)


@pytest.mark.parametrize(("missing", "total"), [(None, 1.0), (0.0, 3 / 4), (0.5, 3.5 / 4), (1.0, 1.0)])
def test_what_is_missing_is_left_out_or_counts_as_a_score_with_its_full_weight(
    missing: float | None, total: float
) -> None:
    absent = ABSENT._replace(share=np.array([0.2]))
    assert _total((_part(3), _scores(1.0)), (_part(1, missing=missing), absent)) == pytest.approx(total)


@pytest.mark.parametrize(("score", "total"), [(0.39, 1.0), (0.4, (3 + 0.4) / 4), (0.9, (3 + 0.9) / 4)])
def test_below_the_least_score_a_part_is_left_out(score: float, total: float) -> None:
    assert _total((_part(3), _scores(1.0)), (_part(1, least=0.4), _scores(score))) == pytest.approx(total)


@pytest.mark.parametrize(("score", "total"), [(0.39, 0.0), (0.4, (3 + 0.4) / 4), (0.9, (3 + 0.9) / 4)])
def test_below_the_needed_score_a_pair_scores_nothing(score: float, total: float) -> None:
    assert _total((_part(3), _scores(1.0)), (_part(1, needed=0.4), _scores(score))) == pytest.approx(total)


def test_what_is_missing_fails_no_need_and_has_no_least() -> None:
    assert _total((_part(3), _scores(1.0)), (_part(1, needed=0.9, missing=0.0), ABSENT)) == pytest.approx(3 / 4)
    assert _total((_part(3), _scores(1.0)), (_part(1, least=0.9, missing=0.0), ABSENT)) == pytest.approx(3 / 4)


def test_a_part_without_weight_may_still_be_needed() -> None:
    assert _total((_part(1), _scores(1.0)), (_part(0, needed=0.5), _scores(0.2))) == 0.0
    assert _total((_part(1), _scores(1.0)), (_part(0, needed=0.5), _scores(0.6))) == 1.0


def test_nothing_to_compare_scores_nothing() -> None:
    assert _total((_part(3), ABSENT), (_part(1), ABSENT)) == 0.0
    assert _total((_part(3, least=0.5), _scores(0.2))) == 0.0


def test_each_pair_has_its_own_score() -> None:
    found = Scores(np.array([1.0, 0.5]), np.ones(2), np.array([False, False]), np.zeros(2, np.bool_))
    other = Scores(np.array([0.0, 0.0]), np.ones(2), np.array([False, True]), np.zeros(2, np.bool_))
    assert mean([_part(1), _part(1)], [found, other]).tolist() == [0.5, 0.5]


def test_a_combination_says_what_its_score_is() -> None:
    assert all(combination.meaning for combination in COMBINATIONS.values())


def test_what_is_far_off_cannot_reach() -> None:
    parts = [_part(3), _part(1)]
    assert MEAN.reaches(parts, [_scores(0.4), _scores(1.0, open=True)], 0.6).tolist() == [False]
    assert MEAN.reaches(parts, [_scores(0.5), _scores(1.0, open=True)], 0.6).tolist() == [True]
    assert MEAN.reaches(parts, [_scores(0.5), ABSENT], 0.6).tolist() == [False]


def test_a_look_may_find_that_a_part_is_missing() -> None:
    parts = [_part(1), _part(1, missing=1.0)]
    assert MEAN.reaches(parts, [_scores(0.0), _scores(0.5, open=True)], 0.5).tolist() == [True]


units = st.floats(0, 1) | st.sampled_from([0.0, 0.3, 0.5, 0.6, 0.76, 0.8, 1.0])
parts = st.builds(
    _part, st.floats(0, 30) | st.integers(0, 21), missing=st.none() | units, least=st.just(0.0) | units,
    needed=st.just(0.0) | units,
)  # fmt: skip


@st.composite
def before_and_after(draw: st.DrawFn) -> tuple[Part, Scores, Scores]:
    """A part, what is found of a pair before its look, and what after it."""
    part = draw(parts)
    if draw(st.booleans()):
        found = _scores(draw(units), draw(units), missing=draw(st.booleans()))
        return part, found, found
    most, share = draw(units), draw(units)
    before = _scores(most, share, open=True)
    if draw(st.booleans()):
        return part, before, _scores(most, share, missing=True)
    return part, before, _scores(most * draw(units), share * draw(units))


@given(st.lists(before_and_after(), min_size=1, max_size=5), units, st.sampled_from(sorted(COMBINATIONS)))
def test_no_pair_is_ruled_out_that_reaches_the_threshold_once_it_was_looked_at(
    found: list[tuple[Part, Scores, Scores]], threshold: float, name: str
) -> None:
    weighed, before, after = zip(*found, strict=True)
    total = COMBINATIONS[name].total(weighed, after)
    assert 0 <= total <= 1 + 1e-12
    if total >= threshold:
        assert COMBINATIONS[name].reaches(weighed, before, threshold).tolist() == [True]
