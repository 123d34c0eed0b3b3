"""How predicted clusters compare with true ones: pairs after closure, B-cubed, merge distance, records removed."""

from collections.abc import Callable, Hashable, Iterable, Mapping

import msgspec
import numpy as np
import numpy.typing as npt

from evaluation.pairs import Score

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Cells(msgspec.Struct, frozen=True):
    """Two partitions of the same records: each record's clusters, and how many records each two clusters share."""

    predicted: Ints
    true: Ints
    at_predicted: Ints
    at_true: Ints
    shared: Ints

    @property
    def predicted_sizes(self) -> Ints:
        """How many records each predicted cluster has."""
        return np.bincount(self.predicted)

    @property
    def true_sizes(self) -> Ints:
        """How many records each true cluster has."""
        return np.bincount(self.true)


class Shares(msgspec.Struct, frozen=True):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


class Removal(msgspec.Struct, frozen=True):
    """What is left when of each predicted cluster only the first record is kept, as systematic reviewers count.

    Of a true work one record is to be kept and the others are duplicates to be removed. A removed record is a
    true positive, unless its removal lost the work: for each work of which no record is left one removal is a
    false positive. A kept record is a true negative for each work, and a false negative where another record of
    the same work is kept as well. So TP + FN are all duplicates and TN + FP all works.
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
"""What it costs to merge groups of these sizes, or to split one into them."""


def cells(predicted: Mapping[str, Hashable], true: Mapping[str, Hashable]) -> Cells:
    """The partitions of the predicted records; one that the truth does not name is a work of its own."""
    ours = _codes(predicted.values())
    theirs = _codes(("named", true[key]) if key in true else ("alone", key) for key in predicted)
    width = int(theirs.max(initial=0)) + 1
    both, shared = np.unique(ours * width + theirs, return_counts=True)
    at_predicted, at_true = np.divmod(both, width)
    return Cells(ours, theirs, at_predicted, at_true, shared.astype(np.int64))


def pairwise(table: Cells) -> Score:
    """The pairs within predicted clusters against those within true ones."""
    together = int(_pairs(table.shared).sum())
    found, true = int(_pairs(table.predicted_sizes).sum()), int(_pairs(table.true_sizes).sum())
    return Score(together, found - together, true - together)


def b_cubed(table: Cells) -> Shares:
    """Bagga and Baldwin's: for each record the share of its predicted cluster that is its work, and the reverse."""
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


def one_each(one: int, other: int) -> float:
    """Every merge and every split costs the same, however large the groups are."""
    return 1.0


def by_pairs(one: int, other: int) -> float:
    """A merge or split costs as many pairs as it makes or parts; the distance is then the wrong and missed pairs."""
    return float(one * other)


def merge_distance(table: Cells, merge: Cost = one_each, split: Cost = one_each) -> float:
    """Menestrina et al.'s generalised merge distance: what it costs to turn the predicted clusters into the true.

    Their linear "slice" algorithm: each predicted cluster is split into its shares of true ones, which are then
    merged. It is right for costs that do not depend on the order in which groups are split or merged.
    """
    whole, joined = table.predicted_sizes.tolist(), [0] * len(table.true_sizes)
    cost = 0.0
    for ours, theirs, count in zip(
        table.at_predicted.tolist(), table.at_true.tolist(), table.shared.tolist(), strict=True
    ):
        whole[ours] -= count
        cost += split(count, whole[ours]) if whole[ours] else 0.0
        cost += merge(count, joined[theirs]) if joined[theirs] else 0.0
        joined[theirs] += count
    return cost


def removal(table: Cells) -> Removal:
    """Records kept and removed, counted against the works; of each cluster the record that came first is kept."""
    _, first = np.unique(table.predicted, return_index=True)
    kept, works = len(first), len(table.true_sizes)
    standing = len(np.unique(table.true[first]))
    lost = works - standing
    return Removal(len(table.predicted) - kept - lost, lost, kept - standing, standing)


def _codes(values: Iterable[Hashable]) -> Ints:
    """A number for each value, equal for equal ones, in the order of their first coming."""
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(value, len(numbers)) for value in values), np.int64)


def _pairs(sizes: Ints) -> Ints:
    return sizes * (sizes - 1) // 2
