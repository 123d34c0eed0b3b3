"""Metrics of clusters, each against values worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.clusters import (
    Removal,
    b_cubed,
    by_pairs,
    cells,
    merge_distance,
    pairwise,
    removal,
)
from evaluation.pairs import Score

TRUE = {"a": 1, "b": 1, "c": 1, "d": 2, "e": 2, "f": 3}
FOUND = {"a": "x", "b": "x", "c": "y", "d": "y", "e": "y", "f": "z"}
"""The works {abc} {de} {f}, found as {ab} {cde} {f}."""


def test_pairs_after_closure() -> None:
    # found: ab cd ce de; true: ab ac bc de; both: ab de
    assert pairwise(cells(FOUND, TRUE)) == Score(2, 2, 2)


def test_b_cubed() -> None:
    # precision: a b 2/2, c 1/3, d e 2/3, f 1; recall: a b 2/3, c 1/3, d e 1, f 1
    shares = b_cubed(cells(FOUND, TRUE))
    assert shares.precision == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3 + 1) / 6)
    assert shares.recall == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1 + 1) / 6)
    assert shares.f1 == pytest.approx(7 / 9)


def test_merge_distance() -> None:
    # split cde into c and de, then merge c with ab
    assert merge_distance(cells(FOUND, TRUE)) == 2
    # by pairs: 1 x 2 parted, 1 x 2 joined
    assert merge_distance(cells(FOUND, TRUE), by_pairs, by_pairs) == 4
    # splits for free
    assert merge_distance(cells(FOUND, TRUE), by_pairs, lambda first, second: 0) == 2


def test_merge_distance_of_all_in_one_and_of_none_together() -> None:
    single_cluster = dict.fromkeys(TRUE, 0)
    assert merge_distance(cells(single_cluster, TRUE)) == 2
    assert merge_distance(cells({key: key for key in TRUE}, TRUE)) == 3


def test_records_removed() -> None:
    # kept: a, c, f; of abc both a and c, of de none. Duplicates are b, c and one of de: 3
    found = removal(cells(FOUND, TRUE))
    assert found == Removal(true_positives=2, false_positives=1, false_negatives=1, true_negatives=2)
    assert (found.sensitivity, found.specificity) == (2 / 3, 2 / 3)


def test_a_perfect_result() -> None:
    table = cells(TRUE, TRUE)
    assert pairwise(table) == Score(4, 0, 0)
    assert (b_cubed(table).precision, b_cubed(table).recall, b_cubed(table).f1) == (1, 1, 1)
    assert merge_distance(table) == 0
    assert removal(table) == Removal(3, 0, 0, 3)


def test_a_record_that_the_truth_does_not_name_is_alone() -> None:
    assert pairwise(cells({"a": 1, "p": 1, "q": 1}, {"a": 1})) == Score(0, 3, 0)
    assert removal(cells({"a": 1, "p": 1, "q": 1}, {"a": 1})) == Removal(0, 2, 0, 1)


def test_no_records_at_all() -> None:
    table = cells({}, {})
    assert pairwise(table) == Score(0, 0, 0)
    assert b_cubed(table).f1 == 1
    assert removal(table).sensitivity == removal(table).specificity == 1


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30))
def test_by_pairs_the_merge_distance_counts_wrong_and_missed_pairs(labels: list[tuple[int, int]]) -> None:
    found = {str(at): ours for at, (ours, _) in enumerate(labels)}
    true = {str(at): theirs for at, (_, theirs) in enumerate(labels)}
    table = cells(found, true)
    score = pairwise(table)
    assert merge_distance(table, by_pairs, by_pairs) == score.false_positives + score.false_negatives
    back = removal(table)
    assert back.true_positives + back.false_negatives == len(labels) - len(table.true_sizes)
    assert back.true_negatives + back.false_positives == len(table.true_sizes)
