"""How evidence becomes a score: what is missing, least and needed."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lookup.combinations import COMBINATIONS
from lookup.comparing import compare
from lookup.evidence import RANK
from lookup.fields import COMPARATORS
from lookup.pairs import Pairs
from lookup.profile import Part, Profile
from lookup.profiles import BIBFOLD
from tests.lookup.examples import batches, comparison, many, prepared

LETTERS = "abcdefghij"


def _titled(agreeing: int) -> str:
    """A title of which so many of ten letters agree with `LETTERS`."""
    return LETTERS[:agreeing] + "z" * (10 - agreeing)


def _total(*parts: Part, title: str = "", **fields: object) -> float:
    """The score of a record of 2000, and a title of ten letters, and one of other fields."""
    profile = Profile("p", "P", parts, same=1, unsure=1)
    return comparison(prepared(LETTERS, year=2000, volume="1"), prepared(title, **fields), profile).score


YEAR = Part("year", "years.near", 3)


def _title(weight: float = 1, **more: float | None) -> Part:
    return Part("title", "titles.letters", weight, **more)


def test_the_score_is_the_mean_by_weight() -> None:
    assert _total(YEAR, _title(), title=_titled(2), year=2000) == pytest.approx((3 + 0.2) / 4)
    assert _total(YEAR, _title(2), title=_titled(0), year=2004) == pytest.approx(3 * 0.5 / 5)


def test_a_share_of_the_weight_applies() -> None:
    year = Part("year", "years.close", 2)  # of the same year a half counts
    assert _total(year, _title(), title=_titled(4), year=2000) == pytest.approx((2 * 0.5 + 0.4) / (2 * 0.5 + 1))


@pytest.mark.parametrize(("missing", "total"), [(None, 1.0), (0.0, 3 / 4), (0.5, 3.5 / 4), (1.0, 1.0)])
def test_what_is_missing_is_left_out_or_counts_as_a_score_with_its_full_weight(
    missing: float | None, total: float
) -> None:
    assert _total(YEAR, _title(missing=missing), year=2000) == pytest.approx(total)
    close = Part("year", "years.close", 1, missing=missing)
    assert _total(Part("volume", "numbering.volume", 3), close, volume="1") == pytest.approx(total)


@pytest.mark.parametrize(("agreeing", "total"), [(3, 1.0), (4, (3 + 0.4) / 4), (9, (3 + 0.9) / 4)])
def test_below_the_least_score_a_part_is_left_out(agreeing: int, total: float) -> None:
    assert _total(YEAR, _title(least=0.4), title=_titled(agreeing), year=2000) == pytest.approx(total)


@pytest.mark.parametrize(("agreeing", "total"), [(3, 0.0), (4, (3 + 0.4) / 4), (9, (3 + 0.9) / 4)])
def test_below_the_needed_score_a_pair_scores_nothing(agreeing: int, total: float) -> None:
    assert _total(YEAR, _title(needed=0.4), title=_titled(agreeing), year=2000) == pytest.approx(total)


@pytest.mark.parametrize("rule", ["needed", "least"])
def test_what_is_missing_fails_no_need_and_has_no_least(rule: str) -> None:
    assert _total(YEAR, _title(missing=0.0, **{rule: 0.9}), year=2000) == pytest.approx(3 / 4)
    assert _total(YEAR, _title(**{rule: 0.9}), year=2000) == 1.0


def test_a_part_without_weight_may_still_be_needed() -> None:
    assert _total(YEAR, _title(0, needed=0.5), title=_titled(2), year=2000) == 0.0
    assert _total(YEAR, _title(0, needed=0.5), title=_titled(6), year=2000) == 1.0


def test_nothing_that_counts_scores_nothing() -> None:
    assert _total(YEAR, _title()) == 0.0
    assert _total(_title(least=0.5), title=_titled(2)) == 0.0


def test_a_combination_says_what_its_score_is() -> None:
    assert all(combination.meaning for combination in COMBINATIONS.values())


units = st.floats(0, 1) | st.sampled_from([0.0, 0.3, 0.5, 0.6, 0.8, 1.0])
weighings = st.fixed_dictionaries({
    "weight": st.sampled_from([0, 0.5, 1, 3, 8, 21]),
    "missing": st.none() | units,
    "least": st.just(0.0) | units,
    "needed": st.just(0.0) | units,
})  # fmt: skip
parts = st.lists(
    st.builds(lambda name, weighing: Part(name, name, **weighing), st.sampled_from(sorted(COMPARATORS)), weighings),
    min_size=1,
    max_size=6,
    unique_by=lambda part: part.field,
)


@given(batches, parts.map(tuple), st.sampled_from(sorted(COMBINATIONS.keys() - {"trees"})), units)
@settings(max_examples=100)
def test_no_pair_is_ruled_out_that_reaches_the_threshold_once_it_was_looked_at(
    pairs: Pairs, parts: tuple[Part, ...], combine: str, unsure: float
) -> None:
    profile = msgspec.structs.replace(BIBFOLD, parts=parts, combine=combine, same=1.0, unsure=unsure, vetoes=())
    every, early = compare(many(pairs), profile, every=True), compare(many(pairs), profile)
    assert ((every.score >= 0) & (every.score <= 1 + 1e-12)).all()
    assert early.kept.tolist() == (every.decision > RANK["different"]).nonzero()[0].tolist()
    assert early.score.tolist() == every.score[early.kept].tolist()
