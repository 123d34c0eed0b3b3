"""Titles as sources write them."""

import pytest

from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from lookup.compare import titles


def _record(title, **fields):
    return prepare(Record(source="x", id="1", title=title, **fields))


def _score(one, other, **fields):
    return titles.similar(_record(one, **fields), _record(other)).score


def test_absent_is_not_different():
    assert titles.similar(_record(""), _record("Folding fast")) is None
    assert titles.words_shared(_record(""), _record("Folding fast")) is None
    assert titles.letters(_record(""), _record("Folding fast")) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Folding proteins", "FOLDING  Proteins."),
        ("A data base of mobile films", "A database of mobile films"),
        ("Semantic access to sources", "Semanticaccess tosources"),
        ("The behaviour of mobile agents", "The behavior of mobile agents"),
        ("Daytona and the fourth-generation language", "Daytona and the foruth-generation language"),
        ("Where's the beef? (panel abstract)", "Where's the beef? (panel session)"),
    ],
)
def test_spelling_spacing_and_kind_do_not_part_titles(one, other):
    assert _score(one, other) > 0.98


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Throughput of the downlink in wireless networks", "Throughput of the uplink in wireless networks"),
        ("Diabetes in mice after exercise", "Diabetes in rats after exercise"),
        ("Complex numbers in six dimensions", "Complex functions in six dimensions"),
    ],
)
def test_another_word_is_another_title(one, other):
    assert _score(one, other) < 0.85


def test_words_that_name_authors_or_publication_strayed_into_the_title():
    title = "Materialized views in Oracle"
    fields = {"authors": ("Witkowski, A.", "Bello, R."), "publication": "Proc. VLDB", "year": 1998}
    assert _score(f"Witkowski A., Bello R.: {title}, VLDB 1998", title, **fields) == 1.0


def test_a_subtitle_may_be_missing():
    assert _score("Visualization of rules: semantics and uses", "Visualization of rules") == 0.9


def test_a_title_within_another_is_better_than_its_words_alone():
    words = 24 / (24 + 10 + 8)  # hidden markov models speech; recognition, japanese: letters and one a word
    assert (
        words < _score("Hidden Markov models of speech recognition in Japanese", "Hidden Markov models of speech") < 0.9
    )


def test_agreement_of_short_titles_counts_less_and_disagreement_does_not():
    long, short = _record("One two three four five six seven"), _record("Preface")
    assert titles.similar(long, long).share == 1.0
    assert titles.similar(short, short).share == pytest.approx(1 / 7)
    assert titles.similar(short, _record("Editorial")).share == pytest.approx(0.7)


def test_reasons_say_how_many_words():
    assert titles.similar(_record("Folding proteins fast"), _record("Folding proteins slowly")).reason == (
        "title: 2 words shared, 2 not"
    )
    assert titles.words_shared(_record("Folding fast"), _record("Folding")).reason == "title: 1 of 2 words shared"
