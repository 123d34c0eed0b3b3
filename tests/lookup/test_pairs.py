"""Batches of pairs and what a comparator is."""

import numpy as np

from bibfold.records.columns import Bags, Numbers
from lookup.evidence import Finding
from lookup.pairs import Comparator, Pairs, Scores
from tests.lookup.examples import crossed, prepared

YEAR = Numbers(lambda record: record.year or 0)
WORDS = Bags(lambda record: record.title.split())


def _never(pairs: Pairs) -> Scores:
    """Nothing at all,
    whatever the pair.

    More is said of it here.
    """
    return Scores(score=np.zeros(pairs.size), missing=np.zeros(pairs.size, np.bool_), share=1.0, open=False)


def test_pairs_see_both_sides() -> None:
    pairs = crossed([prepared("folding maps", year=2000), prepared("maps", year=2001)])
    assert pairs.size == 4
    ours, theirs = pairs.both(YEAR)
    assert (ours.tolist(), theirs.tolist()) == ([2000, 2000, 2001, 2001], [2000, 2001, 2000, 2001])
    assert [weight.tolist() for weight in pairs.overlap(WORDS)] == [[2, 2, 1, 1], [2, 1, 2, 1], [2, 1, 1, 1]]
    assert [record.year for record in pairs.records(1)] == [2000, 2001]


def test_some_of_the_pairs_by_flag_or_place() -> None:
    pairs = crossed([prepared(year=2000), prepared(year=2001)])
    pairs.both(YEAR)
    for kept in (np.array([False, True, True, False]), np.array([1, 2])):
        ours, theirs = pairs.only(kept).both(YEAR)
        assert (ours.tolist(), theirs.tolist()) == ([2000, 2001], [2001, 2000])
    assert pairs.only(np.zeros(4, np.bool_)).size == 0


def test_records_that_come_later_do_not_change_pairs() -> None:
    pairs = crossed([prepared("maps", year=2000)])
    assert pairs.both(YEAR)[0].tolist() == [2000]
    later = pairs.columns.add([prepared("maps of terns", year=1999)])
    assert pairs.both(YEAR)[0].tolist() == [2000]
    assert Pairs(pairs.columns, pairs.left, later).both(YEAR)[1].tolist() == [1999]
    assert [weight.tolist() for weight in Pairs(pairs.columns, pairs.left, later).overlap(WORDS)] == [[1], [3], [1]]


def test_no_words_on_either_side_overlap_nowhere() -> None:
    weights = crossed([prepared(), prepared()]).overlap(WORDS)
    assert [weight.tolist() for weight in weights] == [[0] * 4] * 3


def test_a_comparator_is_described_by_the_first_sentence_of_its_docstring() -> None:
    comparator = Comparator(_never, lambda ours, theirs, score: "never", lambda ours, theirs: Finding(0))
    assert comparator.meaning == "Nothing at all, whatever the pair."
