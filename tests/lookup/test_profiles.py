"""The paper's formulas, worked by hand, and what every profile promises."""

import pytest

from bibfold.errors import SettingsError
from bibfold.records.prepare import Prepared
from lookup.profile import Profile
from lookup.profile_file import check, to_text
from lookup.profiles import BIBFOLD, MENDELEY, PROFILES, profile_named
from tests.lookup.examples import comparison, prepared

OURS = prepared("Folding proteins fast", authors=("Doe, Jane", "Roe, R"), publication="Nature", year=2003)
THEIRS = prepared("Folding proteins slowly", authors=("Roe, R",), publication="Nature Physics", year=2007)
BARE = prepared("Folding proteins fast")

TITLE = 2 / 4  # folding, proteins; fast, slowly
PUBLICATION = 1 / 2  # nature; physics
YEAR = 1 / (1 + 4 / 4)
AUTHORS = 2 / 4  # roe, r; doe, jane


def _score(name: str, ours: Prepared, theirs: Prepared) -> float:
    return comparison(ours, theirs, PROFILES[name]).score


def test_mendeley() -> None:
    assert _score("mendeley", OURS, THEIRS) == pytest.approx((21 * TITLE + 7 * PUBLICATION + 2 * YEAR) / 30)


def test_mendeley_authors() -> None:
    expected = (21 * TITLE + 7 * PUBLICATION + 2 * YEAR + 10 * AUTHORS) / 40
    assert _score("mendeley-authors", OURS, THEIRS) == pytest.approx(expected)


def test_mendeley_title() -> None:
    assert _score("mendeley-title", OURS, THEIRS) == TITLE


def test_mendeley_levenshtein() -> None:
    title = 1 - 6 / 23  # "fast" to "slowly", 6 edits, in "folding proteins slowly"
    publication = 1 - 8 / 14
    expected = (21 * title + 7 * publication + 2 * YEAR) / 30
    assert _score("mendeley-levenshtein", OURS, THEIRS) == pytest.approx(expected)


def test_mendeley_citation() -> None:
    # folding proteins fast doe jane roe r nature 2003: of 9 words, "fast" and "2003" are replaced, "doe" and
    # "jane" left out, "physics" added
    assert _score("mendeley-citation", OURS, THEIRS) == pytest.approx(1 - 5 / 9)


def test_what_is_missing_scores_nothing_in_the_papers_own() -> None:
    assert _score("mendeley", OURS, BARE) == pytest.approx(21 / 30)
    assert _score("mendeley-authors", OURS, BARE) == pytest.approx(21 / 40)
    assert _score("mendeley-citation", OURS, BARE) == pytest.approx(1 - 6 / 9)


def test_what_is_missing_is_left_out_of_the_weighed_mean() -> None:
    assert _score("bibfold", OURS, BARE) == 1.0


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_a_profile_is_documented_and_sound(profile: Profile) -> None:
    assert profile.title
    assert 0 < profile.unsure <= profile.same < 1
    check(profile)


def test_profiles_are_found_by_name() -> None:
    assert profile_named("bibfold") is BIBFOLD
    with pytest.raises(SettingsError, match=r"profile 'nope'.*mendeley-citation.*\./mine\.json"):
        profile_named("nope")


def test_the_text_of_a_file_is_a_profile() -> None:
    found = profile_named(to_text(MENDELEY))
    assert (found.parts, found.same) == (MENDELEY.parts, MENDELEY.same)
    assert found.name.startswith("mendeley@")
