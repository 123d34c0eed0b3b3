"""Scores every labelled pair once with each profile."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from bibfold.records.columns import Columns, Flags, Floats
from evaluation.progress import OnProgress, no_progress
from evaluation.sweeps.labelled_pairs import LabelledPairs
from lookup.comparing import CHUNK, compare
from lookup.evidence import RANK
from lookup.pairs import Pairs
from lookup.profile import Profile


class PairScores(msgspec.Struct, frozen=True):
    """One profile's score of each pair, and whether the pair may be `same`: no veto or caution forbids it."""

    score: Floats
    allowed: Flags


class ClassScores(msgspec.Struct, frozen=True):
    """The scores of one metric for pairs of the same work and for pairs of different works."""

    same: Floats
    different: Floats


def score_pairs(
    pairs: LabelledPairs, profiles: Sequence[Profile], on_progress: OnProgress = no_progress
) -> dict[str, PairScores]:
    """The scores of all pairs, in their order, by the name of the profile."""
    bare = [msgspec.structs.replace(profile, same=0.0, unsure=0.0) for profile in profiles]
    size = len(pairs.same)
    made = {profile.name: PairScores(np.zeros(size), np.zeros(size, np.bool_)) for profile in profiles}
    columns = Columns()
    columns.add(pairs.prepared)
    for start in range(0, size, CHUNK):
        chunk = slice(start, start + CHUNK)
        batch = Pairs(columns, pairs.earlier[chunk], pairs.later[chunk])
        for profile in bare:
            compared, scores = compare(batch, profile, every=True), made[profile.name]
            scores.score[chunk] = compared.score
            scores.allowed[chunk] = compared.decision == RANK["same"]
        on_progress(start + batch.size)
    return made


def by_class(scores: PairScores, pairs: LabelledPairs) -> ClassScores:
    """The scores of both classes without regard to vetoes, as the paper compares metrics."""
    return ClassScores(scores.score[pairs.same], scores.score[~pairs.same])


def with_vetoes(scores: PairScores, pairs: LabelledPairs) -> ClassScores:
    """The scores of both classes; a pair that may not be `same` scores below every threshold."""
    reached = np.where(scores.allowed, scores.score, FORBIDDEN)
    return ClassScores(reached[pairs.same], reached[~pairs.same])


FORBIDDEN = -1.0


def metrics(made: Mapping[str, PairScores], profile: Profile, pairs: LabelledPairs) -> dict[str, ClassScores]:
    """A profile's scores by name: once, or without and with vetoes where the profile has vetoes or cautions."""
    scores = made[profile.name]
    if not profile.vetoes and not profile.cautions:
        return {profile.name: by_class(scores, pairs)}
    return {
        f"{profile.name}, score alone": by_class(scores, pairs),
        f"{profile.name}, with vetoes": with_vetoes(scores, pairs),
    }
