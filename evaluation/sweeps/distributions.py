"""Distributions of the scores of duplicates and non-duplicates over ten ranges, and how much they overlap."""

from itertools import pairwise

import msgspec
import numpy as np
from scipy.stats import rankdata

from bibfold.records.columns import Floats
from evaluation.sweeps.scores import ClassScores

RANGES = 10
EDGES = tuple(at / RANGES for at in range(RANGES + 1))
LABELS = tuple(f"[{low:.1f}, {high:.1f}{']' if high == 1 else ')'}" for low, high in pairwise(EDGES))


class Distribution(msgspec.Struct, frozen=True):
    """The number of pairs of each class in each range of `LABELS`.

    `overlap` is the common share of the two distributions, from 0 (no range holds both classes) to 1 (equal).
    `ordered` is the probability that a pair of the same work scores above one of different works, ties counting half
    (the area under the ROC curve). Both are None where a class is empty.
    """

    same: tuple[int, ...]
    different: tuple[int, ...]
    overlap: float | None
    ordered: float | None


def distribution(scores: ClassScores) -> Distribution:
    """The distribution of a metric's scores."""
    same, different = _counts(scores.same), _counts(scores.different)
    if not len(scores.same) or not len(scores.different):
        return Distribution(same, different, None, None)
    shared = np.minimum(np.array(same) / sum(same), np.array(different) / sum(different))
    return Distribution(same, different, float(shared.sum()), _ordered(scores))


def percentages(counts: tuple[int, ...]) -> list[float]:
    """Counts as percentages of their sum."""
    total = sum(counts) or 1
    return [100 * count / total for count in counts]


def counts_with_shares(counts: tuple[int, ...]) -> list[str]:
    """Counts as the paper writes them: `36,274 (0.26%)`."""
    return [f"{count:,} ({share:.2f}%)" for count, share in zip(counts, percentages(counts), strict=True)]


def _counts(scores: Floats) -> tuple[int, ...]:
    places = np.digitize(scores, EDGES[1:-1])
    return tuple(np.bincount(places, minlength=RANGES).tolist())


def _ordered(scores: ClassScores) -> float:
    """The area under the ROC curve, by ranks."""
    ranks = rankdata(np.concatenate((scores.same, scores.different)))
    n, m = len(scores.same), len(scores.different)
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * m))
