"""Evaluates learnt trees over many pairs at once, from tables of bits: which leaves of each tree a score leaves open.

For each feature and each interval between two of its thresholds a byte for each tree tells which of its leaves are
still to be reached. The bytes of all features, joined by `and`, leave one leaf where all is known, and all that may yet
be reached where a part is open: so the same tables give the score and the most that it can be.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bibfold.records.columns import Floats
from lookup.learnt import Trees
from lookup.pairs import Findings

MOST_LEAVES: Final = 8
"""A tree has no more leaves than a byte has bits."""

BLOCK: Final = 1_024
"""So many pairs are evaluated at once: their leaves stay in the processor's cache."""

Bits = NDArray[np.uint8]


class Feature(NamedTuple):
    """The leaves that each interval of a part's score leaves open, a line for each, and one for missing scores.

    As many lines follow for open parts: the leaves for any score up to that interval, or for a missing one.
    """

    part: int
    thresholds: Floats
    leaves: Bits


class Compiled(NamedTuple):
    """The features that trees look at, and for each tree and each set of leaves the greatest value of one."""

    features: list[Feature]
    greatest: Floats


def margins(trees: Trees, found: Findings) -> Floats:
    """The sum of what the trees add for each pair; where parts are open, the most it can be."""
    features, greatest = compiled(trees)
    lines = [_lines(feature, found) for feature in features]
    count, size = len(trees.roots), found.score.shape[1]
    rows = np.arange(count) << MOST_LEAVES
    total = np.empty(size)
    for start in range(0, size, BLOCK):
        block = slice(start, start + BLOCK)
        leaves = np.full((len(total[block]), count), (1 << MOST_LEAVES) - 1, np.uint8)
        for feature, line in zip(features, lines, strict=True):
            leaves &= feature.leaves.take(line[block], axis=0)
        total[block] = greatest.take(rows + leaves).sum(axis=1)
    return total


def chances(trees: Trees, margin: Floats) -> Floats:
    """How likely pairs with these sums are the same."""
    return 1 / (1 + np.exp(-(trees.slope * margin + trees.intercept)))


def contributions(trees: Trees, scores: Floats, parts: int) -> Floats:
    """What each part adds to one pair's sum: the change of what is expected at every node that asks for it."""
    added = np.zeros(parts)
    for root in trees.roots:
        node = root
        while (part := trees.feature[node]) >= 0:
            score = scores[part]
            left = trees.missing_left[node] if np.isnan(score) else score <= trees.threshold[node]
            below = trees.left[node] if left else trees.right[node]
            added[part] += trees.value[below] - trees.value[node]
            node = below
    return added


def _lines(feature: Feature, found: Findings) -> NDArray[np.int64]:
    """At which line of a feature's leaves each pair is."""
    part, size = feature.part, len(feature.leaves) // 2
    line = np.searchsorted(feature.thresholds, found.score[part], side="left")
    line[found.missing[part]] = size - 1
    return np.asarray(np.where(found.open[part], line + size, line))


@lru_cache(maxsize=16)
def compiled(trees: Trees) -> Compiled:
    """The tables of trees."""
    boxes = leaves_of(trees)
    used = sorted({feature for feature in trees.feature if feature >= 0})
    features = [_feature(trees, part, boxes) for part in used]
    greatest = np.full((len(boxes), 1 << MOST_LEAVES), -np.inf)
    for tree, leaves in enumerate(boxes):
        for bit, (leaf, _) in enumerate(leaves):
            held = (np.arange(1 << MOST_LEAVES) >> bit & 1).astype(bool)
            greatest[tree, held] = np.maximum(greatest[tree, held], trees.value[leaf])
    return Compiled(features, greatest)


Step = tuple[int, bool]
"""A node on the way to a leaf, and whether the way goes left there."""


def leaves_of(trees: Trees) -> list[list[tuple[int, tuple[Step, ...]]]]:
    """The leaves of each tree, with the way that leads to each."""
    return [_leaves(trees, root) for root in trees.roots]


def _leaves(trees: Trees, root: int) -> list[tuple[int, tuple[Step, ...]]]:
    """Every leaf below a node, with the way that leads to it."""
    found: list[tuple[int, tuple[Step, ...]]] = []
    left: list[tuple[int, tuple[Step, ...]]] = [(root, ())]
    while left:
        node, way = left.pop()
        if trees.feature[node] < 0:
            found.append((node, way))
        else:
            left += [(trees.left[node], (*way, (node, True))), (trees.right[node], (*way, (node, False)))]
    return found


def _feature(trees: Trees, part: int, boxes: list[list[tuple[int, tuple[Step, ...]]]]) -> Feature:
    thresholds = np.array(sorted({at for of, at in zip(trees.feature, trees.threshold, strict=True) if of == part}))
    place = {at: number for number, at in enumerate(thresholds.tolist())}
    exact = np.zeros((len(thresholds) + 2, len(boxes)), np.uint8)
    intervals = np.arange(len(thresholds) + 2)
    for tree, leaves in enumerate(boxes):
        for bit, (_, way) in enumerate(leaves):
            reached = np.ones(len(intervals), np.bool_)
            for node, left in way:
                if trees.feature[node] == part:
                    at_most = intervals <= place[trees.threshold[node]]
                    at_most[-1] = trees.missing_left[node]
                    reached &= at_most == left
            exact[reached, tree] |= np.uint8(1 << bit)
    up_to = np.bitwise_or.accumulate(exact, axis=0) | exact[-1]
    return Feature(part, thresholds, np.concatenate((exact, up_to)))
