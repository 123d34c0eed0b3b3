"""How the evidence of a profile's parts becomes one score."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec
import numpy as np

from bibfold.records.columns import Flags, Floats
from lookup.pairs import Scores

_ROUNDING: Final = 1e-9
"""So that rounding never rules out what would just reach a threshold."""


class Weighing(Protocol):
    """What a combination has to know of a part."""

    @property
    def weight(self) -> float: ...
    @property
    def missing(self) -> float | None: ...
    @property
    def least(self) -> float: ...
    @property
    def needed(self) -> float: ...


class Combination(msgspec.Struct, frozen=True):
    """A way to add evidence up: the score of each pair, and which pairs can still reach a threshold.

    `reaches` must be true of every pair whose score reaches the threshold once all open pairs were looked at; where nothing can be told beforehand it is true of all.
    """

    total: Callable[[Sequence[Weighing], Sequence[Scores]], Floats]
    reaches: Callable[[Sequence[Weighing], Sequence[Scores], float], Flags]

    @property
    def meaning(self) -> str:
        """What the score is, in a sentence."""
        return " ".join((self.total.__doc__ or "").split())


def mean(parts: Sequence[Weighing], found: Sequence[Scores]) -> Floats:
    """The mean of the parts' scores, each weighed by its part's weight times its share; 0 where nothing counts."""
    size = len(found[0].score) if found else 0
    reached, counted, failed = np.zeros(size), np.zeros(size), np.zeros(size, np.bool_)
    for part, scores in zip(parts, found, strict=True):
        weight, score = part.weight * scores.share, scores.score
        if part.least:
            weight = np.where(score < part.least, 0.0, weight)
        if part.missing is None:
            weight = np.where(scores.missing, 0.0, weight)
        else:
            weight = np.where(scores.missing, part.weight, weight)
            score = np.where(scores.missing, part.missing, score)
        reached += weight * score
        counted += weight
        if part.needed:
            failed |= ~scores.missing & (scores.score < part.needed)
    total = reached / np.where(counted > 0, counted, 1.0)
    return np.where(failed, 0.0, total)


def _mean_reaches(parts: Sequence[Weighing], found: Sequence[Scores], threshold: float) -> Flags:
    """Adds up how far each part lies above or below the threshold, or the most by which an open one can be above."""
    above = np.full(len(found[0].score), _ROUNDING * sum(part.weight for part in parts))
    for part, scores in zip(parts, found, strict=True):
        beyond = part.weight * scores.share * (scores.score - threshold)
        beyond = np.where(scores.open | (scores.score < part.least), np.maximum(beyond, 0.0), beyond)
        absent = 0.0 if part.missing is None else part.weight * (part.missing - threshold)
        above += np.where(scores.missing, absent, beyond)
    return np.asarray(above >= 0)


COMBINATIONS: Final[Mapping[str, Combination]] = {"mean": Combination(mean, _mean_reaches)}
"""Every combination by name."""
