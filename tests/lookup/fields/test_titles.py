"""Titles as sources write them."""

import pytest

from lookup.evidence import Evidence
from tests.lookup.examples import finding, prepared


def _similar(title: str, other: str, **fields: object) -> Evidence:
    found = finding("titles.similar", prepared(title, **fields), prepared(other))
    assert found is not None
    return found


@pytest.mark.parametrize("comparator", ["titles.similar", "titles.words_shared", "titles.letters"])
def test_absent_is_not_different(comparator: str) -> None:
    assert finding(comparator, prepared(), prepared("Folding fast")) is None
    assert finding(comparator, prepared(), prepared()) is None


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("Folding proteins", "FOLDING  Proteins."),
        ("A data base of mobile films", "A database of mobile films"),
        ("Semantic access to sources", "Semanticaccess tosources"),
        ("The behaviour of mobile agents", "The behavior of mobile agents"),
        ("Daytona and the fourth-generation language", "Daytona and the foruth-generation language"),
        ("Where's the beef? (panel abstract)", "Where's the beef? (panel session)"),
    ],
)
def test_spelling_spacing_and_kind_do_not_part_titles(title: str, other: str) -> None:
    assert _similar(title, other).score > 0.98


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("Throughput of the downlink in wireless networks", "Throughput of the uplink in wireless networks"),
        ("Diabetes in mice after exercise", "Diabetes in rats after exercise"),
        ("Complex numbers in six dimensions", "Complex functions in six dimensions"),
    ],
)
def test_another_word_is_another_title(title: str, other: str) -> None:
    assert _similar(title, other).score < 0.85


def test_words_that_name_authors_or_publication_strayed_into_the_title() -> None:
    title = "Materialized views in Oracle"
    fields = {"authors": ("Witkowski, A.", "Bello, R."), "publication": "Proc. VLDB", "year": 1998}
    assert _similar(f"Witkowski A., Bello R.: {title}, VLDB 1998", title, **fields).score == 1.0


def test_a_subtitle_may_be_missing() -> None:
    found = _similar("Visualization of rules: semantics and uses", "Visualization of rules")
    assert (found.score, found.reason) == (0.9, "title: equal but for the subtitle")


def test_a_main_title_of_few_words_needs_a_page_in_common() -> None:
    long, short = "Rules: their semantics, uses and visualization in databases", "Rules"
    assert _similar(long, short).score < 1 / 3
    assert finding("titles.similar", prepared(long, pages="7-9"), prepared(short, pages="8")).score < 1 / 3
    assert finding("titles.similar", prepared(long, pages="7-9"), prepared(short, pages="7")).score == 0.9


def test_a_title_within_another_is_better_than_its_words_alone() -> None:
    words = 24 / (24 + 10 + 8)  # hidden markov models speech; recognition, japanese: letters and one a word
    found = _similar("Hidden Markov models of speech recognition in Japanese", "Hidden Markov models of speech")
    assert words < found.score < 0.9


def test_titles_with_little_in_common_are_not_mended() -> None:
    found = _similar("Folding of the behaviour", "Mapping of the behavior")
    assert (found.score, found.reason) == (0, "title: 0 words shared, 4 not")


def test_small_words_count_only_where_there_are_no_others() -> None:
    assert _similar("On the folding", "For a folding").score == 1.0
    assert 0 < _similar("To be or not", "To be").score < 1


def test_agreement_of_short_titles_counts_less_and_disagreement_does_not() -> None:
    assert _similar("One two three four five six seven", "One two three four five six seven").weight == 1.0
    assert _similar("Preface", "Preface").weight == pytest.approx(1 / 7)
    assert _similar("Preface", "Editorial").weight == pytest.approx(0.7)


def test_a_word_that_is_repeated_counts_in_the_reason_as_in_the_score() -> None:
    found = _similar("alpha beta gamma delta eps zeta zeta zeta", "alpha beta gamma lambda kappa sigma")
    assert found.score < 1 / 3
    assert found.reason == "title: 3 words shared, 8 not"


@pytest.mark.parametrize(
    ("comparator", "title", "other", "score", "reason"),
    [
        ("titles.similar", "Folding fast", "Folding  FAST", 1.0, "title: equal"),
        ("titles.similar", "Folding proteins fast", "Folding proteins slowly", 17 / 29, "title: 2 words shared, 2 not"),
        ("titles.words_shared", "Folding fast", "Folding", 1 / 2, "title: 1 of 2 words shared"),
        ("titles.words_shared", "Folding the fold", "The fold", 2 / 3, "title: 2 of 3 words shared"),
        ("titles.letters", "Folding fast", "Folding last", 11 / 12, "title: 92% of the letters agree"),
        ("titles.letters", "abc", "xyz", 0.0, "title: 0% of the letters agree"),
    ],
)
def test_scores_and_reasons(comparator: str, title: str, other: str, score: float, reason: str) -> None:
    found = finding(comparator, prepared(title), prepared(other))
    assert found is not None
    assert (found.score, found.reason) == (pytest.approx(score), reason)
