"""The paper's formulas, worked by hand, and what every profile promises."""

import pytest

from bibfold.errors import SettingsError
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from lookup.profiles import BIBFOLD, PROFILES, profile
from lookup.scoring import compare

OURS = prepare(
    Record(
        source="x", id="1", title="Folding proteins fast", authors=("Doe, Jane", "Roe, R"), publication="Nature",
        year=2003,
    )
)  # fmt: skip
THEIRS = prepare(
    Record(
        source="y", id="2", title="Folding proteins slowly", authors=("Roe, R",), publication="Nature Physics",
        year=2007,
    )
)  # fmt: skip
BARE = prepare(Record(source="y", id="3", title="Folding proteins fast"))

TITLE = 2 / 4  # folding, proteins; fast, slowly
PUBLICATION = 1 / 2  # nature; physics
YEAR = 1 / (1 + 4 / 4)
AUTHORS = 2 / 4  # roe, r; doe, jane


def _score(name, one, other):
    return compare(one, other, PROFILES[name]).score


def test_mendeley():
    assert _score("mendeley", OURS, THEIRS) == pytest.approx((21 * TITLE + 7 * PUBLICATION + 2 * YEAR) / 30)


def test_mendeley_authors():
    expected = (21 * TITLE + 7 * PUBLICATION + 2 * YEAR + 10 * AUTHORS) / 40
    assert _score("mendeley-authors", OURS, THEIRS) == pytest.approx(expected)


def test_mendeley_title():
    assert _score("mendeley-title", OURS, THEIRS) == TITLE


def test_mendeley_levenshtein():
    title = 1 - 6 / 23  # "fast" to "slowly", 6 edits, in "folding proteins slowly"
    publication = 1 - 8 / 14
    expected = (21 * title + 7 * publication + 2 * YEAR) / 30
    assert _score("mendeley-levenshtein", OURS, THEIRS) == pytest.approx(expected)


def test_mendeley_citation():
    # folding proteins fast doe jane roe r nature 2003: of 9 words, "fast" and "2003" are replaced, "doe" and
    # "jane" left out, "physics" added
    assert _score("mendeley-citation", OURS, THEIRS) == pytest.approx(1 - 5 / 9)


def test_what_is_missing_scores_nothing_in_the_papers_own():
    assert _score("mendeley", OURS, BARE) == pytest.approx(21 / 30)
    assert _score("mendeley-authors", OURS, BARE) == pytest.approx(21 / 40)
    assert _score("mendeley-citation", OURS, BARE) == pytest.approx(1 - 6 / 9)


def test_what_is_missing_is_left_out_of_the_default():
    assert _score("bibfold", OURS, BARE) == 1.0


@pytest.mark.parametrize("one", PROFILES.values(), ids=PROFILES)
def test_a_profile_is_documented_and_its_thresholds_are_in_order(one):
    assert one.title
    assert 0 < one.unsure <= one.same < 1
    rules = [part.comparator for part in one.parts] + list(one.vetoes) + list(one.cautions)
    assert all(rule.__doc__ for rule in rules)
    assert len({part.field for part in one.parts}) == len(one.parts)


def test_profiles_are_found_by_name():
    assert profile("bibfold") is BIBFOLD
    with pytest.raises(SettingsError, match=r"profile 'nope'.*mendeley-citation"):
        profile("nope")
