"""Learns a profile of one's own from a truth: trees, thresholds, and how good they are on works they have not seen."""

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from bibfold.errors import InputError
from bibfold.records.columns import Flags, Floats, Places
from evaluation.pairs import closure, make_pair
from evaluation.sweeps.labelled_pairs import LabelledPairs
from learning.examples import Examples, related, scores
from learning.fitting import Plan, fit
from learning.judging import calibrated, out_of_fold
from learning.parts import PARTS
from learning.profile import made
from learning.words import rare_words
from lookup.learnt import Learnt, Trees
from lookup.profile import Part, Profile
from lookup.trees import contributions

LEAST_PAIRS: Final = 10
"""So many pairs of the same work, and of different ones, are needed."""

PRECISION = RECALL = 0.995
"""`same` begins where precision is this good, `unsure` where recall still is, on works that were not learnt from."""

SHOWN: Final = 1_000
"""So many examples tell how much each part counts."""


class Quality(msgspec.Struct, frozen=True):
    """How pairs were told apart at a threshold: the columns of Wu and Song's table."""

    accuracy: float
    precision: float
    recall: float
    different_precision: float
    different_recall: float


class Learned(msgspec.Struct, frozen=True, eq=False):
    """A profile, its quality out of fold, by works and by pairs, and how much each part counts, most first."""

    profile: Profile
    same: int
    different: int
    by_works: Quality
    by_pairs: Quality
    importance: dict[str, float]


def learn(name: str, pairs: LabelledPairs, plan: Plan, folds: int) -> Learned:
    """A profile from labelled pairs; raises InputError where they are too few."""
    words = rare_words([pairs.prepared], least=max(2, len(pairs.prepared) // 10_000))
    learnt = Learnt(words=words)
    matrix = scores(pairs.prepared, pairs.earlier, pairs.later, PARTS, learnt)
    every = Examples(name, matrix, pairs.same, _works(pairs))
    examples = every.only(related(matrix, PARTS))
    _check(examples, folds)
    judged = out_of_fold([examples], PARTS, plan, folds)
    raw = fit([examples], PARTS, plan)
    trees = calibrated(raw, judged)
    chance = _chance(trees, judged[0].margins, raw)
    same, unsure = _thresholds(chance, examples.same)
    singly = msgspec.structs.replace(examples, works=np.arange(len(examples.same)))
    apart = _chance(trees, out_of_fold([singly], PARTS, plan, folds)[0].margins, raw)
    title = (
        f"Trees learnt from {int(pairs.same.sum()):,} pairs of the same work and {int((~pairs.same).sum()):,} others"
    )
    return Learned(
        made(name, title, Learnt(trees=trees, words=words), same, unsure),
        int(pairs.same.sum()),
        int((~pairs.same).sum()),
        quality(chance >= same, examples.same),
        quality(apart >= same, examples.same),
        importance(trees, examples, PARTS),
    )


def quality(said: Flags, same: Flags) -> Quality:
    """How what was said of pairs agrees with what they are."""
    right, wrong = (said & same).sum(), (said & ~same).sum()
    missed, apart = (~said & same).sum(), (~said & ~same).sum()
    shares = (
        (right + apart, len(same)),
        (right, right + wrong),
        (right, right + missed),
        (apart, apart + missed),
        (apart, apart + wrong),
    )
    return Quality(*(round(float(part / max(whole, 1)), 4) for part, whole in shares))


def importance(trees: Trees, examples: Examples, parts: Sequence[Part]) -> dict[str, float]:
    """The share of each part in all that counts for or against examples, most first."""
    lines = examples.scores[:: max(1, len(examples.scores) // SHOWN)]
    counted = np.zeros(len(parts))
    for line in lines:
        counted += np.abs(contributions(trees, line, len(parts)))
    shares = counted / max(counted.sum(), 1e-9)
    return {parts[place].field: round(float(shares[place]), 4) for place in np.argsort(-shares) if shares[place] > 0}


def _works(pairs: LabelledPairs) -> Places:
    """A number for the work of each pair's earlier record."""
    ends = zip(pairs.earlier[pairs.same].tolist(), pairs.later[pairs.same].tolist(), strict=True)
    work_of = closure(make_pair(pairs.keys[a], pairs.keys[b]) for a, b in ends)
    numbers: dict[str, int] = {}
    works = np.array([numbers.setdefault(work_of.get(key, key), len(numbers)) for key in pairs.keys], np.int64)
    return works[pairs.earlier]


def _check(examples: Examples, folds: int) -> None:
    for label, what in ((True, "the same work"), (False, "different works")):
        count = int((examples.same == label).sum())
        if count < LEAST_PAIRS:
            raise InputError(
                f"the truth has {count} pairs of {what} to learn from; {LEAST_PAIRS} are needed, some hundreds are "
                "better: `bibfold evaluate sample` draws more"
            )
    works = len(np.unique(examples.works[examples.same]))
    if works < folds:
        raise InputError(f"the truth has pairs of {works} works; --folds {folds} needs as many")


def _chance(trees: Trees, margin: Floats, raw: Trees) -> Floats:
    """The calibrated chance of sums that hold the raw trees' own intercept."""
    return 1 / (1 + np.exp(-(trees.slope * (margin - raw.intercept) + trees.intercept)))


def _thresholds(chance: Floats, same: Flags) -> tuple[float, float]:
    """The least chance from which on precision is good, and the greatest from which on recall still is."""
    order = np.argsort(-chance, kind="stable")
    right = np.cumsum(same[order])
    precise = np.flatnonzero(right / np.arange(1, len(order) + 1) >= PRECISION)
    recalled = np.flatnonzero(right / right[-1] >= RECALL)
    upper = float(chance[order[precise[-1]]]) if len(precise) else 0.99
    lower = float(chance[order[recalled[0]]])
    upper = min(max(upper, 0.0), 1.0)
    return round(upper, 4), round(min(lower, upper), 4)
