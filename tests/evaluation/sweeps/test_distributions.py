"""Ten ranges, as in the paper's tables, and how far two distributions overlap."""

import numpy as np
import pytest

from evaluation.sweeps.distributions import LABELS, counts_with_shares, distribution, percentages
from evaluation.sweeps.scores import ClassScores


def _scored(same, different):
    return ClassScores(np.array(same, float), np.array(different, float))


def test_the_ranges_are_the_papers():
    assert LABELS[0] == "[0.0, 0.1)"
    assert LABELS[-1] == "[0.9, 1.0]"
    assert len(LABELS) == 10


@pytest.mark.parametrize(
    ("score", "label"),
    [
        (0.0, "[0.0, 0.1)"),
        (0.0999, "[0.0, 0.1)"),
        (0.1, "[0.1, 0.2)"),
        (0.3, "[0.3, 0.4)"),
        (21 / 30, "[0.7, 0.8)"),
        (0.9, "[0.9, 1.0]"),
        (1.0, "[0.9, 1.0]"),
    ],
)
def test_a_score_falls_into_its_range(score, label):
    found = distribution(_scored([score], [0.5])).same
    assert [LABELS[place] for place, count in enumerate(found) if count] == [label]


def test_overlap_and_order_worked_by_hand():
    found = distribution(_scored([0.95, 0.92, 0.55, 0.45], [0.05, 0.42]))
    assert found.same == (0, 0, 0, 0, 1, 1, 0, 0, 0, 2)
    assert found.different == (1, 0, 0, 0, 1, 0, 0, 0, 0, 0)
    assert found.overlap == pytest.approx(0.25)  # only [0.4, 0.5): a quarter here, a half there
    assert found.ordered == 1.0


def test_equal_scores_count_half():
    assert distribution(_scored([0.5, 0.5], [0.5])).ordered == 0.5
    assert distribution(_scored([0.5], [0.5])).overlap == 1.0
    assert distribution(_scored([0.1, 0.6], [0.5])).ordered == 0.5


def test_one_kind_of_pairs_has_no_overlap():
    found = distribution(_scored([0.5], []))
    assert found.overlap is None
    assert found.ordered is None
    assert sum(found.different) == 0


def test_counts_are_told_with_their_shares():
    assert counts_with_shares((36_274, 0, 3_726)) == ["36,274 (90.69%)", "0 (0.00%)", "3,726 (9.31%)"]
    assert percentages((0, 0)) == [0, 0]
