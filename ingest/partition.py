"""Divides records into works by how each two of them compare, whatever order they came in."""

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bibfold.records.columns import Flags, Floats, Places

MAJORITY: Final = 0.5
"""Two groups become one if more than this share of the pairs between them is the same."""

_FINER: Final = 1e-8
"""How much the mean score counts beside the share: less than any two shares differ by."""

_SCALE: Final = 1_000_000
"""Scores are summed up as whole numbers, so that a sum does not depend on its order."""


Decided = NDArray[np.int8]
"""A square table of a person's decisions."""


class Relations(NamedTuple):
    """How each two of some records relate, as square tables over their places; a record is the same as itself.

    `same` pairs and `score` are the metric's, and `vetoed` pairs are never brought together by it. A person's word
    stands in `decided`: 1 for the same, -1 for different, 0 where nobody has decided.
    """

    same: Flags
    score: Floats
    vetoed: Flags
    decided: Decided

    @property
    def agree(self) -> bool:
        """Whether nothing speaks against all of them being one work."""
        return bool(self.same.all()) and not self.vetoed.any() and not self.decided.any()


def partition(relations: Relations) -> Places:
    """For each record the first place of its group.

    Records that a person holds to be the same begin as one group. Then those two groups become one that have the
    largest share of `same` pairs between them, as long as it is a majority and no veto or person keeps two of their
    records apart. Of equal shares the better mean score comes first, then the earlier place: the outcome depends on
    the records and their order in the tables alone, so that the caller gives them an order of their own.
    """
    decided = relations.decided
    if relations.agree:
        return np.zeros(len(decided), np.int64)
    same = (relations.same | (decided > 0)) & (decided >= 0)
    label = _decided_same(decided)
    vetoed, excused = _excused(relations, label)
    same |= excused
    apart = (vetoed & (decided == 0)) | (decided < 0)
    groups = _Groups(same, relations.score, apart)
    for place in (label != np.arange(len(label))).nonzero()[0].tolist():
        groups.join(int(label[place]), place)
    groups.rank(range(len(label)))
    while groups.strength.max() > MAJORITY + _FINER:
        one = int(groups.strength.argmax())
        groups.join_and_rank(one, int(groups.nearest[one]))
    return groups.label


def _decided_same(decided: Decided) -> Places:
    """The groups that a person's decisions make; a chain of them that another one contradicts is not followed."""
    label = np.arange(len(decided))
    for one, other in np.argwhere(np.triu(decided > 0)).tolist():
        ours, theirs = label == label[one], label == label[other]
        if not (decided[np.ix_(ours, theirs)] < 0).any():
            label[ours | theirs] = min(label[one], label[other])
    return label


def _excused(relations: Relations, label: Places) -> tuple[Flags, Flags]:
    """The vetoes that count, and pairs that pass for the same, where a person joined records that a rule would part.

    Who is not parted from one of two such records is not parted from the other, and who is the same as one of them
    passes for the same as the other.
    """
    counting, same = relations.vetoed.copy(), np.zeros_like(relations.vetoed)
    for place in (relations.vetoed & (label[:, None] == label)).any(axis=1).nonzero()[0].tolist():
        others = relations.vetoed[place] & (label == label[place])
        excused = ~relations.vetoed[:, others].all(axis=1)
        counting[excused, place] = counting[place, excused] = False
        passing = relations.vetoed[place] & excused & relations.same[:, others].any(axis=1)
        same[passing, place] = same[place, passing] = True
    return counting, same


class _Groups:
    """Groups of records by their first place: the tables hold sums over the pairs between two groups.

    `nearest` is the group that each would join first, and `strength` the share of the same pairs between the two, or
    less than any where it may join none.
    """

    def __init__(self, same: Flags, score: Floats, apart: Flags) -> None:
        size = len(same)
        self.label = np.arange(size)
        self.nearest = np.zeros(size, np.int64)
        self.strength = np.full(size, -1.0)
        self._same = same.astype(np.int64)
        self._score = np.rint(score * _SCALE).astype(np.int64)
        self._apart = apart.copy()
        self._size = np.ones(size, np.int64)

    def join(self, one: int, other: int) -> None:
        """Make two groups one, which stands at the first place of both."""
        first, second = min(one, other), max(one, other)
        for table in (self._same, self._score):
            table[first] += table[second]
            table[:, first] += table[:, second]
        self._apart[first] |= self._apart[second]
        self._apart[:, first] |= self._apart[:, second]
        self._size[first] += self._size[second]
        self._size[second] = 0
        self.label[self.label == second] = first
        self.strength[second] = -1.0

    def join_and_rank(self, one: int, other: int) -> None:
        """Make two groups one and find out anew what is nearest to whom."""
        self.join(one, other)
        first, second = min(one, other), max(one, other)
        self.rank([first])
        strengths = self._strengths(first)
        better = (strengths > self.strength) & (self._size > 0)
        stale = (self._size > 0) & ((self.nearest == first) | (self.nearest == second))
        self.nearest[better] = first
        self.strength[better] = strengths[better]
        self.rank([place for place in (stale & ~better).nonzero()[0].tolist() if place != first])

    def rank(self, places: Iterable[int]) -> None:
        """Find the nearest group of each of these."""
        for place in places:
            strengths = self._strengths(place)
            self.nearest[place] = strengths.argmax()
            self.strength[place] = strengths[self.nearest[place]]

    def _strengths(self, place: int) -> Floats:
        """How strongly each group is tied to one."""
        pairs = self._size * self._size[place]
        allowed = (pairs > 0) & ~self._apart[place]
        allowed[place] = False
        shares = np.full(len(pairs), -1.0)
        score = self._score[place, allowed] / (_SCALE * pairs[allowed])
        shares[allowed] = self._same[place, allowed] / pairs[allowed] + _FINER * score
        return shares
