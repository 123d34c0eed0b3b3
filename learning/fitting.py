"""Fits gradient-boosted trees to examples and hands them over as plain arrays."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import numpy as np

from bibfold.errors import SettingsError
from bibfold.records.columns import Flags, Floats
from learning.examples import Examples
from learning.parts import DROPPED, FREE
from lookup.learnt import Trees
from lookup.profile import Part
from lookup.trees import MOST_LEAVES

LARGEST: Final = 1e9
"""In place of infinity, which JSON lacks: where a split only asks what is missing."""


class Plan(msgspec.Struct, frozen=True):
    """How trees are fitted: how many, of how many leaves, how fast, from how many examples of a set, and the seed.

    Each of `copies` repeats all examples with some fields left out. Trees are monotone unless `free`.
    """

    trees: int = 150
    leaves: int = MOST_LEAVES
    least: int = 30
    rate: float = 0.1
    most: int = 8_000
    copies: int = 1
    free: bool = False
    seed: int = 0


def fit(sets: Sequence[Examples], parts: Sequence[Part], plan: Plan) -> Trees:
    """Trees for these examples; a set weighs what it says, however many examples it has."""
    rng = np.random.default_rng(plan.seed)
    chosen = [_sampled(examples, plan.most, rng) for examples in sets]
    lines, labels, weights = [], [], []
    for examples in chosen:
        for copy in range(plan.copies + 1):
            lines.append(_lacking(examples.scores, parts, rng) if copy else examples.scores)
            labels.append(examples.same)
            weight_of_each = (0.5 if copy else 1.0) * examples.weight / len(examples.same)
            weights.append(np.full(len(examples.same), weight_of_each))
    matrix, same, weight = np.concatenate(lines), np.concatenate(labels), np.concatenate(weights)
    return _fitted(matrix, same, weight * len(weight) / weight.sum(), parts, plan)


def _sampled(examples: Examples, most: int, rng: np.random.Generator) -> Examples:
    """No more than so many different pairs and half as many of the same work."""
    kept = []
    for label, limit in ((True, most // 2), (False, most)):
        places = np.flatnonzero(examples.same == label)
        kept.append(rng.choice(places, limit, replace=False) if len(places) > limit else places)
    return examples.only(np.concatenate(kept))


def _lacking(scores: Floats, parts: Sequence[Part], rng: np.random.Generator) -> Floats:
    """The scores of the same pairs with some of their fields left out."""
    place = {part.field: number for number, part in enumerate(parts)}
    lacking = scores.copy()
    for fields, chance in DROPPED:
        dropped = np.flatnonzero(rng.random(len(scores)) < chance)
        for field in fields:
            if field in place:
                lacking[dropped, place[field]] = np.nan
    return lacking


def _fitted(matrix: Floats, same: Flags, weight: Floats, parts: Sequence[Part], plan: Plan) -> Trees:
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
    except ImportError:
        raise SettingsError("learning needs scikit-learn; install it with `pip install 'bibfold[learn]'`") from None
    used = [place for place in range(len(parts)) if not parts[place].needed and not np.isnan(matrix[:, place]).all()]
    directions = [0 if plan.free or parts[place].comparator in FREE else 1 for place in used]
    model = HistGradientBoostingClassifier(
        max_iter=plan.trees,
        max_leaf_nodes=plan.leaves,
        learning_rate=plan.rate,
        min_samples_leaf=plan.least,
        l2_regularization=1.0,
        monotonic_cst=directions,
        early_stopping=False,
        random_state=plan.seed,
    )
    model.fit(matrix[:, used], same, sample_weight=weight)
    return exported(model, used)


def exported(model: Any, used: Sequence[int]) -> Trees:
    """A fitted model as arrays; feature i of the model is the part `used[i]`."""
    grown = [predictors[0].nodes for predictors in model._predictors]
    starts = np.cumsum([0, *map(len, grown)])
    nodes = np.concatenate(grown)
    leaf = nodes["is_leaf"].astype(bool)
    shift = np.repeat(starts[:-1], list(map(len, grown)))
    value = np.where(leaf, nodes["value"], nodes["value"] * model.learning_rate)
    return Trees(
        roots=tuple(starts[:-1].tolist()),
        feature=tuple(np.where(leaf, -1, np.array(used)[nodes["feature_idx"].astype(int) * ~leaf]).tolist()),
        threshold=tuple(np.where(leaf, 0.0, np.minimum(nodes["num_threshold"], LARGEST)).tolist()),
        missing_left=tuple(nodes["missing_go_to_left"].astype(bool).tolist()),
        left=tuple(np.where(leaf, 0, nodes["left"] + shift).tolist()),
        right=tuple(np.where(leaf, 0, nodes["right"] + shift).tolist()),
        value=tuple(np.round(value, 6).tolist()),
        intercept=float(model._baseline_prediction.ravel()[0]),
    )
