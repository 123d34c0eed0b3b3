"""A sampled pair, and what a sampling method is asked for."""

from collections.abc import Sequence
from random import Random

import msgspec

from evaluation.progress import OnProgress, no_progress


class SampledPair(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Two members of a pool by position; `rank` is the second's among the search results of the first, `probability`
    that with which the pair was accepted.
    """

    first: int
    second: int
    same: bool
    rank: int | None = None
    probability: float | None = None


class SampleRequest(msgspec.Struct, frozen=True):
    """The number of pairs of each class, and the random generator."""

    pairs: int
    rng: Random
    on_progress: OnProgress = no_progress


def ordered(first: int, second: int) -> tuple[int, int]:
    """Two positions in ascending order."""
    return (first, second) if first < second else (second, first)


def count(sampled: Sequence[SampledPair], *, same: bool) -> int:
    """The number of sampled pairs of a class."""
    return sum(pair.same is same for pair in sampled)
