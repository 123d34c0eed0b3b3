"""Precision, recall and F1 at every threshold, computed from scores that were made once."""

from collections.abc import Sequence

import msgspec
import numpy as np

from bibfold.records.columns import Floats
from evaluation.pairs import Score
from evaluation.sweeps.scores import ClassScores


class ThresholdResult(msgspec.Struct, frozen=True):
    """Precision, recall and F1 where pairs that score at least a threshold are called the same."""

    threshold: float
    precision: float
    recall: float
    f1: float


class Sweep(msgspec.Struct, frozen=True):
    """A metric at each threshold of a grid, at its own, at the best of the grid, and at the best of all thresholds."""

    spots: tuple[ThresholdResult, ...]
    own: ThresholdResult
    best: ThresholdResult
    finest: ThresholdResult


def grid(step: float) -> list[float]:
    """The thresholds from 0 to 1."""
    return [*(round(step * at, 10) for at in range(round(1 / step) + 1) if step * at < 1 - 1e-9), 1.0]


def sweep(scores: ClassScores, thresholds: Sequence[float], own: float) -> Sweep:
    """Measure at these thresholds and at the profile's own; of thresholds with equal F1 the highest is the best."""
    same, different = np.sort(scores.same), np.sort(scores.different)
    spots = tuple(_result_at(same, different, threshold) for threshold in thresholds)
    best = max(spots, key=lambda result: (result.f1, result.threshold))
    return Sweep(spots, _result_at(same, different, own), best, _finest(same, different))


def _result_at(same: Floats, different: Floats, threshold: float) -> ThresholdResult:
    missed, right = np.searchsorted(same, threshold), np.searchsorted(different, threshold)
    counted = Score(int(len(same) - missed), int(len(different) - right), int(missed))
    return ThresholdResult(threshold, counted.precision, counted.recall, counted.f1)


def _finest(same: Floats, different: Floats) -> ThresholdResult:
    """The threshold with the best F1 of all: only scores of pairs of the same work need to be tried."""
    at = np.unique(same[same >= 0])
    if not len(at):
        return _result_at(same, different, 1.0)
    found = len(same) - np.searchsorted(same, at)
    wrong = len(different) - np.searchsorted(different, at)
    f1 = 2 * found / (found + wrong + len(same))
    best = at[len(at) - 1 - int(np.argmax(f1[::-1]))]
    return _result_at(same, different, float(best))
