"""Pairs drawn by the similarity of their titles (sections 5.1 and 5.2): work by work, against a window of those before.

Of what the dice let through, the wanted number is kept at random, so that one large group or the first works of the
file do not make up the sample; once three times as many pairs of different works went through, no more are diced.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from evaluation.samples.drawn import Drawn, Wanted
from evaluation.samples.pool import Pool
from evaluation.samples.similarities import characters, measures
from evaluation.samples.validation import keywords

Chance = Callable[[str, str], float]
"""How likely a pair is drawn, by its folded titles."""

OVERDRAWN = 3

DUPLICATES = 0.2
"""Title sampling takes a fifth of the pairs of the same work."""

TITLE_WINDOW: Final = 250
UNCERTAINTY_WINDOW: Final = 400


def title_pairs(pool: Pool, wanted: Wanted, window: int = TITLE_WINDOW) -> list[Drawn]:
    """Different works by the square of their titles' similarity, the same work by a fixed chance.

    A pair is only looked at where the titles have a keyword in common.
    """
    return _walk(pool, wanted, window, _kindred(lambda one, other: DUPLICATES), _kindred(_squared))


def uncertain_pairs(pool: Pool, wanted: Wanted, window: int = UNCERTAINTY_WINDOW) -> list[Drawn]:
    """The likelier, the less four measures of the titles' similarity agree.

    With m the greatest difference between the measures, a their mean and d = 0.5 + 0.5 m, a pair of the same work is
    drawn with the chance d, one of different works with d² a.
    """
    return _walk(pool, wanted, window, _doubt, _likely_doubt)


def _walk(pool: Pool, wanted: Wanted, window: int, same: Chance, different: Chance) -> list[Drawn]:
    dice = wanted.dice
    groups = list(pool.groups)
    dice.shuffle(groups)
    twins, strangers = _Urn(pool, wanted, same, True), _Urn(pool, wanted, different, False)
    before: list[int] = []
    for group in groups:
        for at, one in enumerate(group, start=1):
            twins.throw(one, group[at:])
        if strangers.let_through < OVERDRAWN * wanted.pairs:
            start = dice.randrange(max(len(before) - window, 0) + 1)
            for one in group:
                strangers.throw(one, before[start : start + window])
        before.extend(group)
        wanted.progress(len(before))
    return [*twins.held, *strangers.held]


class _Urn:
    """Dices for pairs of one class and holds a fair sample, of the wanted size, of those that were let through."""

    def __init__(self, pool: Pool, wanted: Wanted, chance: Chance, same: bool) -> None:
        self.members = pool.members
        self.fits = pool.same if same else pool.apart
        self.wanted = wanted
        self.chance = chance
        self.same = same
        self.let_through = 0
        self.held: list[Drawn] = []

    def throw(self, one: int, others: Sequence[int]) -> None:
        """Dice for the pairs of a record with others."""
        title = self.members[one].title
        for other in others:
            likely = self.chance(title, self.members[other].title)
            if likely and self.wanted.dice.random() < likely and self.fits(one, other):
                self._hold(Drawn(one, other, self.same, chance=likely))

    def _hold(self, pair: Drawn) -> None:
        self.let_through += 1
        if len(self.held) < self.wanted.pairs:
            self.held.append(pair)
        elif (at := self.wanted.dice.randrange(self.let_through)) < len(self.held):
            self.held[at] = pair


def _kindred(chance: Chance) -> Chance:
    """The chance of titles with a keyword in common; 0 of others."""

    def likely(one: str, other: str) -> float:
        return 0.0 if _keywords(one).isdisjoint(_keywords(other)) else chance(one, other)

    return likely


@lru_cache(maxsize=1 << 18)
def _keywords(title: str) -> frozenset[str]:
    return frozenset(keywords(title))


def _squared(one: str, other: str) -> float:
    return characters(one, other) ** 2


def _doubt(one: str, other: str) -> float:
    return _spread(measures(one, other))


def _likely_doubt(one: str, other: str) -> float:
    found = measures(one, other)
    return _spread(found) ** 2 * sum(found) / len(found)


def _spread(found: Sequence[float]) -> float:
    return 0.5 + 0.5 * (max(found) - min(found))
