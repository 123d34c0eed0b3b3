"""The trees' tables give what the trees say, and never less than they may yet say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning.fitting import exported
from lookup.learnt import Learnt, Trees, rarity
from lookup.pairs import Findings
from lookup.trees import chances, contributions, margins

TREE = Trees(
    roots=(0, 5),
    feature=(0, -1, 1, -1, -1, 1, -1, -1),
    threshold=(0.5, 0, 0.3, 0, 0, 0.7, 0, 0),
    missing_left=(True, False, False, False, False, True, False, False),
    left=(1, 0, 3, 0, 0, 6, 0, 0),
    right=(2, 0, 4, 0, 0, 7, 0, 0),
    value=(0.0, -1.0, 0.5, 0.25, 2.0, 0.0, -0.5, 1.0),
)


def _findings(lines: list[list[float | None]], open: bool = False) -> Findings:
    """Findings of a column for each line; None is missing."""
    score = np.array([[0.0 if value is None else value for value in line] for line in lines]).T
    missing = np.array([[value is None for value in line] for line in lines]).T
    return Findings(score, missing, np.ones(score.shape), np.full(score.shape, open) & ~missing)


@pytest.mark.parametrize(
    ("scores", "total"),
    [([0.5, 0.9], 0.0), ([0.6, 0.3], -0.25), ([0.6, 0.8], 3.0), ([None, None], -1.5), ([0.9, None], 1.5)],
)
def test_a_pair_goes_left_at_the_threshold_or_where_the_part_is_missing(
    scores: list[float | None], total: float
) -> None:
    assert margins(TREE, _findings([scores])).tolist() == [total]


def test_chances_are_of_the_sum_with_slope_and_intercept() -> None:
    assert chances(TREE, np.array([0.0, 100.0, -100.0])).round(6).tolist() == [0.5, 1.0, 0.0]


def test_what_the_parts_add_is_the_whole_sum() -> None:
    added = contributions(TREE, np.array([0.9, np.nan]), 2)
    assert added.tolist() == [0.5, 1.0]
    assert added.sum() == margins(TREE, _findings([[0.9, None]]))[0]


@given(st.lists(st.tuples(st.floats(0, 1), st.none() | st.floats(0, 1)), min_size=1, max_size=4), st.floats(0, 1))
def test_open_parts_count_the_most_they_may(lines: list[tuple[float, float | None]], lower: float) -> None:
    most = margins(TREE, _findings([list(line) for line in lines], open=True))
    for other in (
        [[None if v is None else v * lower for v in line] for line in lines],
        [[None, line[1]] for line in lines],
    ):
        assert (margins(TREE, _findings(other)) <= most + 1e-12).all()


def test_exported_trees_say_what_the_learner_says() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    rng = np.random.default_rng(0)
    matrix = rng.random((1_000, 4))
    same = matrix[:, 0] + matrix[:, 1] * matrix[:, 2] > 0.9
    matrix[rng.random(matrix.shape) < 0.2] = np.nan
    model = ensemble.HistGradientBoostingClassifier(max_iter=20, max_leaf_nodes=8, early_stopping=False)
    model.fit(matrix, same)
    trees = exported(model, [4, 3, 2, 1])
    lines = np.full((1_000, 5), np.nan)
    lines[:, [4, 3, 2, 1]] = matrix
    found = _findings([[None if np.isnan(value) else value for value in line] for line in lines.tolist()])
    assert np.abs(chances(trees, margins(trees, found)) - model.predict_proba(matrix)[:, 1]).max() < 1e-4


def test_words_are_as_rare_as_their_step_and_others_as_rare_as_can_be() -> None:
    rare = rarity(Learnt(words=("the of", "cell", "")))
    assert [rare(word) for word in ("the", "cell", "zebrafish")] == [0.25, 0.5, 1.0]
