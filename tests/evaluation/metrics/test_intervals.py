"""Intervals: the same for the same seed, narrow where there is much to go by, never without the figure."""

import numpy as np
import pytest

from evaluation.metrics.intervals import bootstrap, means_and_f1, named, precision_recall_f1


def test_the_measures() -> None:
    assert precision_recall_f1(np.array([[2.0, 2.0, 0.0], [0.0, 0.0, 0.0]])).tolist() == [[0.5, 1, 2 / 3], [1, 1, 1]]
    assert means_and_f1(np.array([[3.0, 6.0, 6.0]])).tolist() == [[0.5, 1, pytest.approx(2 / 3)]]


def test_one_kind_of_work_leaves_no_doubt() -> None:
    assert bootstrap(np.array([[3.0, 1.0, 1.0]] * 9), precision_recall_f1, seed=1) == [(0.75, 0.75)] * 3


def test_the_seed_decides_and_more_works_tell_more() -> None:
    few = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] * 10)
    _, (low, high), _ = bootstrap(few, precision_recall_f1, seed=7)
    assert (low, high) == bootstrap(few, precision_recall_f1, seed=7)[1]
    assert low < 0.5 < high
    _, (lower, higher), _ = bootstrap(np.repeat(few, 100, axis=0), precision_recall_f1, seed=7)
    assert low < lower < 0.5 < higher < high


def test_the_interval_is_that_of_the_binomial() -> None:
    # 20 works with a chance of 1/2: 95 % of the draws lie between 6 and 14 found
    parts = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] * 10)
    _, recall, _ = bootstrap(parts, precision_recall_f1, seed=0, draws=20_000)
    assert recall == (0.3, 0.7)


def test_a_large_pair_counts_as_one_work() -> None:
    # a work of a thousand pairs, found whole or not at all, says no more than one of a single pair
    large = np.array([[1000.0, 0.0, 0.0], [0.0, 0.0, 1000.0]])
    _, (low, high), _ = bootstrap(large, precision_recall_f1, seed=0)
    assert (low, high) == (0, 1)


def test_names() -> None:
    assert named([(0.12345678, 1.0)], ["recall"]) == {"recall": [0.123457, 1.0]}
