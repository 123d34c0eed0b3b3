"""Scores every known pair once by each metric."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from evaluation.sweeps.known import Flags, Known
from evaluation.sweeps.proposals import Told
from lookup.evidence import Profile
from lookup.scoring import compare

Floats = npt.NDArray[np.float64]

TOLD_EVERY = 10_000


class Scores(msgspec.Struct, frozen=True):
    """What one metric says of each known pair: the score, and whether no veto or caution forbids `same`."""

    score: Floats
    allowed: Flags


class Scored(msgspec.Struct, frozen=True):
    """The scores of one metric, parted into pairs that are the same and pairs that are different."""

    same: Floats
    different: Floats


def scored(known: Known, profiles: Sequence[Profile], told: Told = lambda done: None) -> dict[str, Scores]:
    """For each profile, by name, the scores of all known pairs, in their order."""
    bare = [msgspec.structs.replace(profile, same=0.0, unsure=0.0) for profile in profiles]
    size = len(known.same)
    made = {profile.name: Scores(np.zeros(size), np.zeros(size, np.bool_)) for profile in profiles}
    for at, (earlier, later) in enumerate(zip(known.earlier.tolist(), known.later.tolist(), strict=True)):
        one, other = known.prepared[earlier], known.prepared[later]
        for profile in bare:
            comparison = compare(one, other, profile)
            scores = made[profile.name]
            scores.score[at] = comparison.score
            scores.allowed[at] = comparison.decision == "same"
        if at % TOLD_EVERY == TOLD_EVERY - 1:
            told(at + 1)
    told(size)
    return made


def parted(scores: Scores, known: Known) -> Scored:
    """The scores alone, as the paper compares metrics."""
    return Scored(scores.score[known.same], scores.score[~known.same])


def with_vetoes(scores: Scores, known: Known) -> Scored:
    """The scores, where a pair that may not be `same` lies below every threshold."""
    reached = np.where(scores.allowed, scores.score, FORBIDDEN)
    return Scored(reached[known.same], reached[~known.same])


FORBIDDEN = -1.0


def metrics(made: Mapping[str, Scores], profile: Profile, known: Known) -> dict[str, Scored]:
    """A profile's metrics by name: where it has vetoes or cautions, its score alone and the score with them."""
    scores = made[profile.name]
    if not profile.vetoes and not profile.cautions:
        return {profile.name: parted(scores, known)}
    return {
        f"{profile.name}, score alone": parted(scores, known),
        f"{profile.name}, with vetoes": with_vetoes(scores, known),
    }
