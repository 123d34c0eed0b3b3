"""Confidence intervals by bootstrap over works, since the pairs of one work are not independent."""

from collections.abc import Callable, Sequence

import numpy as np

from evaluation.metrics.clusters import Floats

DRAWS = 1_000
LEVEL = 0.95
_CELLS = 10_000_000
"""The greatest number of resampling weights in memory at once."""

Interval = tuple[float, float]


def bootstrap(
    parts: Floats, measure: Callable[[Floats], Floats], *, seed: int, draws: int = DRAWS, level: float = LEVEL
) -> list[Interval]:
    """Percentile intervals of measures over sums.

    `parts` has a row for each work: its contribution to each sum. Each of `draws` resamples draws as many works as
    there are, with replacement. `measure` turns sums, a row for each resample, into measures, a column each. Works with
    equal rows are drawn together, so that a million works cost little.
    """
    kinds, counts = np.unique(parts, axis=0, return_counts=True)
    works = int(counts.sum())
    rng = np.random.default_rng(seed)
    step = max(1, _CELLS // max(1, len(kinds)))
    sums = [
        rng.multinomial(works, counts / works, size=min(step, draws - done)) @ kinds for done in range(0, draws, step)
    ]
    edges = ((1 - level) / 2, (1 + level) / 2)
    low, high = np.quantile(measure(np.concatenate(sums)), edges, axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def precision_recall_f1(sums: Floats) -> Floats:
    """From sums of true positives, false positives and false negatives; an undefined share is 1."""
    right, wrong, missed = sums.T
    return np.stack(
        [_share(right, right + wrong), _share(right, right + missed), _share(2 * right, 2 * right + wrong + missed)],
        axis=1,
    )


def means_and_f1(sums: Floats) -> Floats:
    """From sums of precisions and recalls over records, and the number of records."""
    precision, recall = sums[:, 0] / sums[:, 2], sums[:, 1] / sums[:, 2]
    return np.stack([precision, recall, _share(2 * precision * recall, precision + recall)], axis=1)


def named(intervals: Sequence[Interval], names: Sequence[str]) -> dict[str, list[float]]:
    """Intervals by the names of what they are of, rounded."""
    return {name: [round(low, 6), round(high, 6)] for name, (low, high) in zip(names, intervals, strict=True)}


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.ones_like(part, dtype=np.float64), where=whole > 0)
