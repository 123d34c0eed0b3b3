"""How the evidence of a profile's parts becomes one score."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec
import numpy as np

from bibfold.records.columns import Flags, Floats
from lookup.pairs import Findings, first_sentence

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

    Findings have a line for each part and a column for each pair. `reaches` must be true of every pair whose score
    reaches the threshold once all open pairs were looked at; where nothing can be told beforehand it is true of all.
    """

    total: Callable[[Sequence[Weighing], Findings], Floats]
    reaches: Callable[[Sequence[Weighing], Findings, float], Flags]

    @property
    def meaning(self) -> str:
        """What the score is, in a sentence."""
        return first_sentence(self.total)


def mean(parts: Sequence[Weighing], found: Findings) -> Floats:
    """The mean of the parts' scores, each weighed by its part's weight times its share; 0 where nothing counts."""
    weights = _lines([part.weight for part in parts])
    weight = weights * found.share
    if any(part.least for part in parts):
        weight = np.where(found.score < _lines([part.least for part in parts]), 0.0, weight)
    counts = _lines([part.missing is not None for part in parts])
    weight = np.where(found.missing, weights * counts, weight)
    score = np.where(found.missing, _lines([part.missing or 0.0 for part in parts]), found.score)
    reached, counted = _added(weight * score), _added(weight)
    total = reached / np.where(counted > 0, counted, 1.0)
    if any(part.needed for part in parts):
        failed = (found.score < _lines([part.needed for part in parts])) & ~found.missing
        total = np.where(failed.any(axis=0), 0.0, total)
    return total


def _mean_reaches(parts: Sequence[Weighing], found: Findings, threshold: float) -> Flags:
    """Adds up how far each part lies above or below the threshold, or the most by which an open one can be above."""
    weights = _lines([part.weight for part in parts])
    beyond = weights * found.share * (found.score - threshold)
    at_best = found.open | (found.score < _lines([part.least for part in parts]))
    absent = _lines([0.0 if part.missing is None else part.weight * (part.missing - threshold) for part in parts])
    beyond = np.where(at_best, np.maximum(beyond, np.maximum(absent, 0.0)), beyond)
    beyond = np.where(found.missing, absent, beyond)
    return np.asarray(beyond.sum(axis=0) >= -_ROUNDING * weights.sum())


def _lines(values: Sequence[float]) -> Floats:
    """A value for each part, to be set against lines of findings."""
    return np.array(values, np.float64)[:, np.newaxis]


def _added(lines: Floats) -> Floats:
    """The sum of the lines, added one after the other however many columns there are: it must not depend on these."""
    total: Floats = np.add.accumulate(lines, axis=0)[-1]
    return total


COMBINATIONS: Final[Mapping[str, Combination]] = {"mean": Combination(mean, _mean_reaches)}
"""Every combination by name."""
