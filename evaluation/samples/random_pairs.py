"""Random pairs (the paper's section 4): a random record, with another of its work and with one of another work."""

from collections.abc import Callable, Sequence
from random import Random

from evaluation.samples.drawn import Drawn, Wanted, places
from evaluation.samples.pool import Pool

TRIES = 20
"""How often a partner is drawn blindly before all are looked through."""


def random_pairs(pool: Pool, wanted: Wanted) -> list[Drawn]:
    """As many pairs of the same work as of different ones, no pair twice; all there are where that is fewer."""
    every = sorted(pool.group_of)
    left = [place for group in pool.groups if len(group) > 1 for place in group]
    taken: set[tuple[int, int]] = set()
    drawn: list[Drawn] = []
    while left and len(drawn) < 2 * wanted.pairs:
        at = wanted.dice.randrange(len(left))
        one = left[at]
        group = pool.groups[pool.group_of[one]]
        twin = _partner(one, group, pool.same, taken, wanted.dice)
        stranger = _partner(one, every, pool.apart, taken, wanted.dice) if twin is not None else None
        if twin is None or stranger is None:
            left[at] = left[-1]
            left.pop()
            continue
        for other, same in ((twin, True), (stranger, False)):
            taken.add(places(one, other))
            drawn.append(Drawn(one, other, same))
        wanted.progress(len(drawn))
    return drawn


def _partner(
    one: int,
    among: Sequence[int],
    fits: Callable[[int, int], bool],
    taken: set[tuple[int, int]],
    dice: Random,
) -> int | None:
    """A random member that fits and was not paired with this one before; None where there is none left."""

    def free(other: int) -> bool:
        return other != one and places(one, other) not in taken and fits(one, other)

    for _ in range(TRIES):
        other = among[dice.randrange(len(among))]
        if free(other):
            return other
    left = [other for other in among if free(other)]
    return left[dice.randrange(len(left))] if left else None
