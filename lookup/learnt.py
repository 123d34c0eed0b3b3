"""What a profile learnt from examples: trees that add evidence up, and how rare words are. Plain data, no code."""

from collections.abc import Callable
from functools import lru_cache

import msgspec

_PARTS = 1_024
"""Rarities are whole numbers of such parts, so that their sums are exact in whatever order they are added."""


class Trees(msgspec.Struct, frozen=True, forbid_unknown_fields=True, eq=False):
    """Decision trees as arrays over all nodes; `roots` are where each tree begins.

    A node whose `feature` is -1 is a leaf. At any other a pair goes `left` where the score of that part is at most
    `threshold`, or where it is missing and `missing_left`, else `right`. `value` is what a leaf adds, and at inner
    nodes what a pair that comes there may expect. The sum, `slope` times it and `intercept` added, is the logarithm of
    the odds that a pair is the same.
    """

    roots: tuple[int, ...]
    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    missing_left: tuple[bool, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]
    slope: float = 1.0
    intercept: float = 0.0


class Learnt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, eq=False):
    """The trees of a combination, and words by how rare they are: from the most common to the rarest, in equal steps.

    A word that stands in none of the steps is as rare as can be.
    """

    trees: Trees | None = None
    words: tuple[str, ...] = ()


@lru_cache(maxsize=16)
def rarity(learnt: Learnt) -> Callable[[str], float]:
    """How rare a word is, above 0 and at most 1."""
    steps = len(learnt.words) + 1
    known = {
        word: round(step / steps * _PARTS) / _PARTS
        for step, words in enumerate(learnt.words, start=1)
        for word in words.split()
    }
    return lambda word: known.get(word, 1.0)
