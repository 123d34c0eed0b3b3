"""Pairs whose label is known, as the matrix of what the parts of a profile find of them."""

from collections.abc import Sequence

import msgspec
import numpy as np

from bibfold.records.columns import Columns, Flags, Floats, Places
from bibfold.records.prepare import Prepared
from lookup.comparing import CHUNK, compare
from lookup.learnt import Learnt
from lookup.pairs import Pairs
from lookup.profile import Part, Profile


class Examples(msgspec.Struct, frozen=True, eq=False):
    """Labelled pairs: a line of scores for each, NaN where a part is missing, its label, and the work it is about.

    All pairs of a set together weigh `weight`, however many they are.
    """

    name: str
    scores: Floats
    same: Flags
    works: Places
    weight: float = 1.0

    def only(self, kept: Flags | Places) -> "Examples":
        """Some of the pairs."""
        return Examples(self.name, self.scores[kept], self.same[kept], self.works[kept], self.weight)


def asking(parts: Sequence[Part], learnt: Learnt | None) -> Profile:
    """A profile that finds what these parts find and decides nothing."""
    return Profile("asking", "", tuple(parts), same=1.0, unsure=0.0, learnt=learnt)


def scores(
    prepared: Sequence[Prepared], left: Places, right: Places, parts: Sequence[Part], learnt: Learnt | None
) -> Floats:
    """What the parts find of each pair, a line a pair; NaN where one is missing."""
    columns = Columns()
    columns.add(prepared)
    profile = asking(parts, learnt)
    lines = [np.zeros((0, len(parts)))]
    for start in range(0, len(left), CHUNK):
        chunk = slice(start, start + CHUNK)
        found = compare(Pairs(columns, left[chunk], right[chunk]), profile, every=True).found
        lines.append(np.where(found.missing, np.nan, found.score).T)
    return np.concatenate(lines)


def related(matrix: Floats, parts: Sequence[Part]) -> Flags:
    """The pairs of which no part is below what it needs: the trees never see the others."""
    meets = np.ones(len(matrix), np.bool_)
    for place, part in enumerate(parts):
        if part.needed:
            meets &= ~(matrix[:, place] < part.needed)
    return meets
