"""How the evidence of a profile's parts becomes one score."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from bibfold.errors import SettingsError
from bibfold.records.columns import Flags, Floats
from lookup.learnt import Trees
from lookup.pairs import Findings, first_sentence
from lookup.profile import Profile
from lookup.trees import chances, contributions, margins

_ROUNDING: Final = 1e-9
"""So that rounding never rules out what would just reach a threshold."""


class Combination(msgspec.Struct, frozen=True):
    """A way to add evidence up: the score of each pair, and which pairs can still reach a threshold.

    Findings have a line for each part and a column for each pair. `reaches` must be true of every pair whose score
    reaches the threshold once all open pairs were looked at; where nothing can be told beforehand it is true of all.
    `counts` is how much each part counts for one pair: more than 0 for the pair, less than 0 against it.
    """

    total: Callable[[Profile, Findings], Floats]
    reaches: Callable[[Profile, Findings, float], Flags]
    counts: Callable[[Profile, Findings, int], Floats]

    @property
    def meaning(self) -> str:
        """What the score is, in a sentence."""
        return first_sentence(self.total)


def mean(profile: Profile, found: Findings) -> Floats:
    """The mean of the parts' scores, each weighed by its part's weight times its share; 0 where nothing counts."""
    parts = profile.parts
    weights = _lines([part.weight for part in parts])
    weight = weights * found.share
    if any(part.least for part in parts):
        weight = np.where(found.score < _lines([part.least for part in parts]), 0.0, weight)
    counts = _lines([part.missing is not None for part in parts])
    weight = np.where(found.missing, weights * counts, weight)
    score = np.where(found.missing, _lines([part.missing or 0.0 for part in parts]), found.score)
    reached, counted = _added(weight * score), _added(weight)
    total = reached / np.where(counted > 0, counted, 1.0)
    return np.where(_failed(profile, found), 0.0, total)


def _mean_reaches(profile: Profile, found: Findings, threshold: float) -> Flags:
    """Adds up how far each part lies above or below the threshold, or the most by which an open one can be above."""
    parts = profile.parts
    weights = _lines([part.weight for part in parts])
    beyond = weights * found.share * (found.score - threshold)
    at_best = found.open | (found.score < _lines([part.least for part in parts]))
    absent = _lines([0.0 if part.missing is None else part.weight * (part.missing - threshold) for part in parts])
    beyond = np.where(at_best, np.maximum(beyond, np.maximum(absent, 0.0)), beyond)
    beyond = np.where(found.missing, absent, beyond)
    return np.asarray(beyond.sum(axis=0) >= -_ROUNDING * weights.sum())


def _mean_counts(profile: Profile, found: Findings, pair: int) -> Floats:
    """The weights, as far as they apply."""
    weights = np.array([part.weight for part in profile.parts]) * found.share[:, pair]
    return np.where(found.missing[:, pair], 0.0, weights)


def trees(profile: Profile, found: Findings) -> Floats:
    """How likely a pair is the same, by trees that were learnt from examples; 0 where a part is below what it needs."""
    learnt = _trees_of(profile)
    return np.where(_failed(profile, found), 0.0, chances(learnt, margins(learnt, found)))


def _trees_reach(profile: Profile, found: Findings, threshold: float) -> Flags:
    """The most that the trees can add up to while parts are open."""
    return trees(profile, found) >= threshold - _ROUNDING


def _trees_count(profile: Profile, found: Findings, pair: int) -> Floats:
    """What each part adds to the sum of the trees."""
    scores = np.where(found.missing[:, pair], np.nan, found.score[:, pair])
    return contributions(_trees_of(profile), scores, len(profile.parts))


def _trees_of(profile: Profile) -> Trees:
    if profile.learnt is None or profile.learnt.trees is None:
        raise SettingsError(f"profile {profile.name}: it has no trees to combine by; `bibfold learn trees` makes some")
    return profile.learnt.trees


def _failed(profile: Profile, found: Findings) -> Flags:
    """Where a part's score is below what it needs."""
    failed = np.zeros(found.score.shape[1], np.bool_)
    for place, part in enumerate(profile.parts):
        if part.needed:
            failed |= (found.score[place] < part.needed) & ~found.missing[place]
    return failed


def _lines(values: Sequence[float]) -> Floats:
    """A value for each part, to be set against lines of findings."""
    return np.array(values, np.float64)[:, np.newaxis]


def _added(lines: Floats) -> Floats:
    """The sum of the lines, added one after the other however many columns there are: it must not depend on these."""
    total: Floats = np.add.accumulate(lines, axis=0)[-1]
    return total


COMBINATIONS: Final[Mapping[str, Combination]] = {
    "mean": Combination(mean, _mean_reaches, _mean_counts),
    "trees": Combination(trees, _trees_reach, _trees_count),
}
"""Every combination by name."""
