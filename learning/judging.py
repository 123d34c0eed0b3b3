"""How good trees are on examples that they did not learn from."""

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from bibfold.records.columns import Floats, Places
from learning.examples import Examples
from learning.fitting import Plan, fit
from lookup.learnt import Trees
from lookup.pairs import Findings
from lookup.profile import Part
from lookup.trees import margins


class Judged(msgspec.Struct, frozen=True, eq=False):
    """A set's examples, each with the sum that trees gave it which had not seen its work."""

    examples: Examples
    margins: Floats


def sums(trees: Trees, scores: Floats) -> Floats:
    """What trees add up to for lines of scores."""
    lines = scores.T
    missing = np.isnan(lines)
    closed = np.zeros(lines.shape, np.bool_)
    return margins(trees, Findings(np.where(missing, 0.0, lines), missing, np.ones(lines.shape), closed))


def out_of_fold(sets: Sequence[Examples], parts: Sequence[Part], plan: Plan, folds: int) -> list[Judged]:
    """Each example judged by trees that were fitted without the works of its fold."""
    found = [np.zeros(len(examples.same)) for examples in sets]
    places = [fold_of(examples.works, folds) for examples in sets]
    for fold in range(folds):
        others = [examples.only(at != fold) for examples, at in zip(sets, places, strict=True)]
        trees = fit(others, parts, plan)
        for result, examples, at in zip(found, sets, places, strict=True):
            result[at == fold] = sums(trees, examples.scores[at == fold]) + trees.intercept
    return [Judged(examples, result) for examples, result in zip(sets, found, strict=True)]


def one_left_out(sets: Sequence[Examples], parts: Sequence[Part], plan: Plan) -> Iterator[Judged]:
    """Each set judged by trees that were fitted to the others."""
    for place, examples in enumerate(sets):
        trees = fit([*sets[:place], *sets[place + 1 :]], parts, plan)
        yield Judged(examples, sums(trees, examples.scores) + trees.intercept)


def fold_of(works: Places, folds: int) -> Places:
    """The fold of each work: all pairs about one work are in one fold."""
    mixed: Places = (works * 2_654_435_761 % 2**32 >> 8) % folds
    return mixed


def calibrated(trees: Trees, judged: Sequence[Judged]) -> Trees:
    """The trees, with slope and intercept by which the chances fit the labels, every set counting the same."""
    margin = np.concatenate([one.margins for one in judged])
    same = np.concatenate([one.examples.same for one in judged]).astype(np.float64)
    weight = np.concatenate([np.full(len(one.margins), one.examples.weight / len(one.margins)) for one in judged])
    slope, shift = 1.0, 0.0
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(slope * margin + shift, -30, 30)))
        off, spread = weight * (same - chance), weight * chance * (1 - chance)
        ways = np.array([(spread * margin * margin).sum(), (spread * margin).sum(), spread.sum()]) + 1e-9
        step = np.linalg.solve([[ways[0], ways[1]], [ways[1], ways[2]]], [(off * margin).sum(), off.sum()])
        slope, shift = slope + step[0], shift + step[1]
        if np.abs(step).max() < 1e-9:
            break
    intercept = slope * trees.intercept + shift
    return msgspec.structs.replace(trees, slope=round(float(slope), 6), intercept=round(float(intercept), 6))
