"""Compares predicted clusters with true ones: pairs after closure, B-cubed, merge distance, records removed."""

from collections.abc import Callable, Hashable, Iterable, Mapping

import msgspec
import numpy as np
import numpy.typing as npt

from evaluation.pairs import Score

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Cells(msgspec.Struct, frozen=True):
    """Two partitions of the same records, and the number of records that each predicted and true cluster share.

    `predicted` and `true` hold each record's cluster; cell i has `shared[i]` records in the predicted cluster
    `at_predicted[i]` and the true cluster `at_true[i]`.
    """

    predicted: Ints
    true: Ints
    at_predicted: Ints
    at_true: Ints
    shared: Ints

    @property
    def predicted_sizes(self) -> Ints:
        """The number of records of each predicted cluster."""
        return np.bincount(self.predicted)

    @property
    def true_sizes(self) -> Ints:
        """The number of records of each true cluster."""
        return np.bincount(self.true)


class Shares(msgspec.Struct, frozen=True):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


class Removal(msgspec.Struct, frozen=True):
    """The result of keeping only the first record of each predicted cluster, as systematic reviewers count.

    Of each true work one record should be kept and the others, its duplicates, removed. A removed record is a true
    positive, but for each work without a kept record one removal is a false positive. A kept record is a true
    negative, once per work, and every further kept record of a work is a false negative. So TP + FN is the number of
    duplicates and TN + FP the number of works.
    """

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    @property
    def sensitivity(self) -> float:
        """The share of the duplicates that were removed; 1 where there are none."""
        duplicates = self.true_positives + self.false_negatives
        return self.true_positives / duplicates if duplicates else 1.0

    @property
    def specificity(self) -> float:
        """The share of the works of which a record is left; 1 where there are none."""
        works = self.true_negatives + self.false_positives
        return self.true_negatives / works if works else 1.0


Cost = Callable[[int, int], float]
"""The cost of merging two groups of these sizes, or of splitting a group into them."""


def cells(predicted: Mapping[str, Hashable], true: Mapping[str, Hashable]) -> Cells:
    """Tabulate the predicted records; a record that the truth does not name is a work of its own."""
    predicted_at = _codes(predicted.values())
    true_at = _codes(("named", true[key]) if key in true else ("alone", key) for key in predicted)
    width = int(true_at.max(initial=0)) + 1
    both, shared = np.unique(predicted_at * width + true_at, return_counts=True)
    at_predicted, at_true = np.divmod(both, width)
    return Cells(predicted_at, true_at, at_predicted, at_true, shared.astype(np.int64))


def pairwise(table: Cells) -> Score:
    """Compare the pairs within predicted clusters with those within true ones."""
    together = int(_pairs(table.shared).sum())
    found, true = int(_pairs(table.predicted_sizes).sum()), int(_pairs(table.true_sizes).sum())
    return Score(together, found - together, true - together)


def b_cubed(table: Cells) -> Shares:
    """Bagga and Baldwin's B-cubed: the mean over records of the precision and recall of their clusters."""
    if not len(table.predicted):
        return Shares(1.0, 1.0, 1.0)
    precision, recall = (float(part.sum()) / len(table.predicted) for part in b_cubed_parts(table))
    return Shares(precision, recall, harmonic(precision, recall))


def b_cubed_parts(table: Cells) -> tuple[Floats, Floats]:
    """For each cell the sum of its records' precisions, and of their recalls."""
    square = table.shared.astype(np.float64) ** 2
    return square / table.predicted_sizes[table.at_predicted], square / table.true_sizes[table.at_true]


def harmonic(precision: float, recall: float) -> float:
    """The harmonic mean of two shares."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def unit_cost(first: int, second: int) -> float:
    """Every merge and every split costs 1."""
    return 1.0


def by_pairs(first: int, second: int) -> float:
    """A merge or split costs the number of pairs that it joins or separates."""
    return float(first * second)


def merge_distance(table: Cells, merge: Cost = unit_cost, split: Cost = unit_cost) -> float:
    """Menestrina et al.'s generalised merge distance: the cost of turning the predicted clusters into the true ones.

    Uses their linear "slice" algorithm: each predicted cluster is split by true cluster, and the parts are merged. The
    costs must not depend on the order of splits and merges.
    """
    whole, joined = table.predicted_sizes.tolist(), [0] * len(table.true_sizes)
    cost = 0.0
    for predicted_at, true_at, count in zip(
        table.at_predicted.tolist(), table.at_true.tolist(), table.shared.tolist(), strict=True
    ):
        whole[predicted_at] -= count
        cost += split(count, whole[predicted_at]) if whole[predicted_at] else 0.0
        cost += merge(count, joined[true_at]) if joined[true_at] else 0.0
        joined[true_at] += count
    return cost


def removal(table: Cells) -> Removal:
    """Count kept and removed records; the first record of each cluster is kept."""
    _, first = np.unique(table.predicted, return_index=True)
    kept, works = len(first), len(table.true_sizes)
    standing = len(np.unique(table.true[first]))
    lost = works - standing
    return Removal(len(table.predicted) - kept - lost, lost, kept - standing, standing)


def _codes(values: Iterable[Hashable]) -> Ints:
    """Values as numbers, in the order of first occurrence."""
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(value, len(numbers)) for value in values), np.int64)


def _pairs(sizes: Ints) -> Ints:
    return sizes * (sizes - 1) // 2
