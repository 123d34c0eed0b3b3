"""How the scores of duplicates and of non-duplicates are distributed, and how far the two overlap."""

from itertools import pairwise

import msgspec
import numpy as np
from scipy.stats import rankdata

from evaluation.sweeps.scores import Floats, Scored

RANGES = 10
EDGES = tuple(at / RANGES for at in range(RANGES + 1))
LABELS = tuple(f"[{low:.1f}, {high:.1f}{']' if high == 1 else ')'}" for low, high in pairwise(EDGES))


class Distribution(msgspec.Struct, frozen=True):
    """How many pairs score in each of `LABELS`.

    `overlap` is what the two distributions have in common, from 0 where no range holds both to 1 where they are
    equal; `ordered` is how often a pair of the same work scores above one of different works, ties counting half.
    Both are None where one kind of pairs is missing.
    """

    same: tuple[int, ...]
    different: tuple[int, ...]
    overlap: float | None
    ordered: float | None


def distribution(scored: Scored) -> Distribution:
    """The distribution of a metric's scores."""
    same, different = _counts(scored.same), _counts(scored.different)
    if not len(scored.same) or not len(scored.different):
        return Distribution(same, different, None, None)
    shared = np.minimum(np.array(same) / sum(same), np.array(different) / sum(different))
    return Distribution(same, different, float(shared.sum()), _ordered(scored))


def shares(counts: tuple[int, ...]) -> list[float]:
    """Counts as percentages of their sum."""
    total = sum(counts) or 1
    return [100 * count / total for count in counts]


def told(counts: tuple[int, ...]) -> list[str]:
    """Counts as the paper writes them: `36,274 (0.26%)`."""
    return [f"{count:,} ({share:.2f}%)" for count, share in zip(counts, shares(counts), strict=True)]


def _counts(scores: Floats) -> tuple[int, ...]:
    places = np.digitize(scores, EDGES[1:-1])
    return tuple(np.bincount(places, minlength=RANGES).tolist())


def _ordered(scored: Scored) -> float:
    """The area under the ROC curve, by ranks."""
    ranks = rankdata(np.concatenate((scored.same, scored.different)))
    n, m = len(scored.same), len(scored.different)
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * m))
