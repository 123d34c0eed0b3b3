"""The sweet spot of a metric: precision, recall and F1 at every threshold, from scores that were made once."""

from collections.abc import Sequence

import msgspec
import numpy as np

from evaluation.pairs import Score
from evaluation.sweeps.scores import Floats, Scored


class Spot(msgspec.Struct, frozen=True):
    """How a metric does where pairs from a threshold on are held to be the same."""

    threshold: float
    precision: float
    recall: float
    f1: float


class Sweep(msgspec.Struct, frozen=True):
    """A metric at each threshold of a grid, at its own, at the best of the grid, and at the best of all there are."""

    spots: tuple[Spot, ...]
    own: Spot
    best: Spot
    finest: Spot


def grid(step: float) -> list[float]:
    """The thresholds from 0 to 1."""
    return [*(round(step * at, 10) for at in range(round(1 / step) + 1) if step * at < 1 - 1e-9), 1.0]


def sweep(scored: Scored, thresholds: Sequence[float], own: float) -> Sweep:
    """A metric at these thresholds and at its own; of those with equal F1 the strictest is the best."""
    same, different = np.sort(scored.same), np.sort(scored.different)
    spots = tuple(_spot(same, different, threshold) for threshold in thresholds)
    best = max(spots, key=lambda spot: (spot.f1, spot.threshold))
    return Sweep(spots, _spot(same, different, own), best, _finest(same, different))


def _spot(same: Floats, different: Floats, threshold: float) -> Spot:
    missed, right = np.searchsorted(same, threshold), np.searchsorted(different, threshold)
    counted = Score(int(len(same) - missed), int(len(different) - right), int(missed))
    return Spot(threshold, counted.precision, counted.recall, counted.f1)


def _finest(same: Floats, different: Floats) -> Spot:
    """Where F1 is best: F1 only changes at a score that some pair of the same work has."""
    at = np.unique(same[same >= 0])
    if not len(at):
        return _spot(same, different, 1.0)
    found = len(same) - np.searchsorted(same, at)
    wrong = len(different) - np.searchsorted(different, at)
    f1 = 2 * found / (found + wrong + len(same))
    best = at[len(at) - 1 - int(np.argmax(f1[::-1]))]
    return _spot(same, different, float(best))
