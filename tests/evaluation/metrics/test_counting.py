"""Pairs of a truth counted in clusters, against a plain count of every pair."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.counting import count_pairs
from evaluation.pairs import Score, closure, make_pair
from evaluation.truth import Truth


def test_labelled_pairs_count_alone() -> None:
    truth = Truth(same={("a", "b"), ("c", "d")}, different={("a", "c"), ("a", "d")}, whole=False)
    counted = count_pairs(truth, {"a": "1", "b": "1", "c": "1", "d": "2", "e": "1"})
    assert counted.score == Score(1, 1, 1)
    assert (counted.missed, counted.wrong) == ([("c", "d")], [("a", "c")])
    # the works ab and cd: one right and half a wrong pair, one missed and half a wrong pair
    assert sorted(counted.parts.tolist()) == [[0, 0.5, 1], [1, 0.5, 0]]


def test_of_a_whole_truth_every_other_pair_is_wrong() -> None:
    truth = Truth(same={("a", "b")}, different=set(), whole=True)
    counted = count_pairs(truth, {"a": "1", "b": "1", "c": "1", "d": "2"})
    assert counted.score == Score(1, 2, 0)
    assert counted.wrong == [("a", "c"), ("b", "c")]


def test_what_follows_from_known_pairs_is_neither_right_nor_wrong() -> None:
    truth = Truth(same={("a", "b"), ("b", "c")}, different=set(), whole=True)
    assert count_pairs(truth, dict.fromkeys("abc", "1")).score == Score(2, 0, 0)


def test_a_record_that_is_not_there_is_with_nobody() -> None:
    truth = Truth(same={("a", "b")}, different={("a", "c")}, whole=False)
    assert count_pairs(truth, {}).score == Score(0, 0, 1)


records = st.sampled_from("abcdefg")


@given(
    st.sets(
        st.tuples(records, records).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: make_pair(*pair)),
        max_size=6,
    ),
    st.dictionaries(records, st.sampled_from("123"), min_size=7),
    st.none() | st.frozensets(records),
)
def test_the_quick_count_is_the_plain_count(
    same: set[tuple[str, str]], found: dict[str, str], judged: frozenset[str] | None
) -> None:
    truth = Truth(same, frozenset(), True, judged)
    truth = Truth({pair for pair in same if truth.counts(pair)}, frozenset(), True, judged)
    work = closure(truth.same)
    wrong = [
        pair
        for pair in combinations(sorted(found), 2)
        if found[pair[0]] == found[pair[1]]
        and truth.counts(pair)
        and work.get(pair[0], pair[0]) != work.get(pair[1], pair[1])
    ]
    right = sum(found[a] == found[b] for a, b in truth.same)
    counted = count_pairs(truth, found)
    assert counted.score == Score(right, len(wrong), len(truth.same) - right)
    assert counted.wrong == sorted(wrong)
    assert np.allclose(counted.parts.sum(axis=0), [right, len(wrong), len(truth.same) - right])
