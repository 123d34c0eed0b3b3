"""A pair that was drawn, and how."""

from collections.abc import Callable, Sequence
from random import Random

import msgspec


class Drawn(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Two members of a pool by place; `rank` is the other's among the first's neighbours, `chance` what was diced."""

    one: int
    other: int
    same: bool
    rank: int | None = None
    chance: float | None = None


class Wanted(msgspec.Struct, frozen=True):
    """How many pairs of each class are drawn, and by which dice."""

    pairs: int
    dice: Random
    progress: Callable[[int], object] = lambda drawn: None


def places(one: int, other: int) -> tuple[int, int]:
    """Two members as a pair, whichever comes first."""
    return (one, other) if one < other else (other, one)


def count(drawn: Sequence[Drawn], *, same: bool) -> int:
    """How many pairs of a class were drawn."""
    return sum(pair.same is same for pair in drawn)
