"""The sweet spot of scores that can be counted by hand."""

import numpy as np
import pytest

from evaluation.sweeps.scores import ClassScores
from evaluation.sweeps.sweep import ThresholdResult, grid, sweep

SCORED = ClassScores(np.array([0.95, 0.7, 0.5, 0.35]), np.array([0.6, 0.3, 0.1, 0.0]))
"""Four pairs of the same work and four of different ones."""


@pytest.mark.parametrize(
    ("step", "expected"),
    [(0.5, [0, 0.5, 1]), (0.1, [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]), (0.3, [0, 0.3, 0.6, 0.9, 1])],
)
def test_thresholds_go_from_0_to_1(step, expected):
    assert grid(step) == expected


@pytest.mark.parametrize(
    ("threshold", "precision", "recall", "f1"),
    [
        (0.0, 4 / 8, 1.0, 2 / 3),
        (0.1, 4 / 7, 1.0, 8 / 11),
        (0.3, 4 / 6, 1.0, 4 / 5),
        (0.4, 3 / 4, 3 / 4, 3 / 4),
        (0.5, 3 / 4, 3 / 4, 3 / 4),
        (0.7, 1.0, 2 / 4, 2 / 3),
        (1.0, 1.0, 0.0, 0.0),
    ],
)
def test_precision_recall_and_f1_at_a_threshold(threshold, precision, recall, f1):
    (spot,) = sweep(SCORED, [threshold], 0.5).spots
    assert spot == ThresholdResult(threshold, pytest.approx(precision), pytest.approx(recall), pytest.approx(f1))


def test_the_best_threshold_of_the_grid_and_of_all():
    found = sweep(SCORED, grid(0.1), 0.5)
    assert (found.best.threshold, found.best.f1) == (0.3, pytest.approx(0.8))
    assert (found.finest.threshold, found.finest.precision) == (0.35, 0.8)
    assert found.finest.f1 == pytest.approx(8 / 9)
    assert (found.own.threshold, found.own.f1) == (0.5, pytest.approx(0.75))


def test_of_equal_thresholds_the_strictest_is_best():
    found = sweep(ClassScores(np.array([0.8, 0.9]), np.array([0.1])), grid(0.1), 0.5)
    assert found.best.threshold == 0.8
    assert found.finest.threshold == 0.8


def test_no_threshold_reaches_pairs_that_a_veto_forbids():
    found = sweep(ClassScores(np.array([-1.0, 0.9]), np.array([-1.0])), [0.0, 0.5], 0.5)
    assert [spot.recall for spot in found.spots] == [0.5, 0.5]
    assert found.finest.threshold == 0.9
    assert sweep(ClassScores(np.array([-1.0]), np.array([0.5])), [0.0], 0.5).finest.f1 == 0


def test_the_finest_threshold_is_the_best_of_all_tried_one_by_one():
    chance = np.random.default_rng(7)
    scores = ClassScores(chance.beta(4, 2, 300).round(3), chance.beta(2, 4, 500).round(3))
    every = sweep(scores, np.unique(np.concatenate((scores.same, scores.different))).tolist(), 0.5)
    assert every.finest == every.best
