"""A batch of pairs of records, and what a comparator finds of them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from bibfold.records.columns import Bags, Codes, Columns, Flags, Floats, Numbers, Places, unweighed
from bibfold.records.prepare import Prepared
from lookup.evidence import Finding


class Pairs:
    """Pairs of places among the columns; `left[i]` and `right[i]` are a pair. `rarity` says how rare a word is."""

    def __init__(
        self, columns: Columns, left: Places, right: Places, rarity: Callable[[str], float] = unweighed
    ) -> None:
        self.columns = columns
        self.left = left
        self.right = right
        self.rarity = rarity
        self._numbers: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
        self._overlaps: dict[Bags, tuple[Floats, Floats, Floats]] = {}

    def both(self, column: Codes | Numbers) -> tuple[Places, Places]:
        """The column's numbers for either side."""
        line = self.columns.line(column)
        if self._numbers is None or line >= len(self._numbers[0]):
            self._numbers = self.columns.numbers(self.left), self.columns.numbers(self.right)
        ours, theirs = self._numbers
        return ours[line], theirs[line]

    def overlap(self, column: Bags) -> tuple[Floats, Floats, Floats]:
        """What the words of either side weigh, and what the words weigh that both have."""
        found = self._overlaps.get(column)
        if found is None:
            bags = self.columns.bags(column, self.rarity)
            ours, theirs = bags.totals(self.left), bags.totals(self.right)
            empty = not (ours.any() and theirs.any())
            found = ours, theirs, np.zeros(self.size) if empty else bags.overlap(self.left, self.right)
            self._overlaps[column] = found
        return found

    def records(self, pair: int) -> tuple[Prepared, Prepared]:
        """The two records of a pair."""
        rows = self.columns.rows
        return rows[self.left[pair]], rows[self.right[pair]]

    def only(self, kept: Flags | Places) -> "Pairs":
        """Some of the pairs."""
        some = Pairs(self.columns, self.left[kept], self.right[kept], self.rarity)
        if self._numbers is not None:
            some._numbers = self._numbers[0][:, kept], self._numbers[1][:, kept]
        for column, (ours, theirs, both) in self._overlaps.items():
            some._overlaps[column] = ours[kept], theirs[kept], both[kept]
        return some

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return len(self.left)


class Scores(NamedTuple):
    """What one comparator finds of each pair: the score, what is missing, and the share of the weight that applies.

    Where a pair is `open` it needs a look of its own; until then its score and share are the most they can be.
    The share is whole, and no pair is open, unless told otherwise.
    """

    score: Floats
    missing: Flags
    share: Floats | float = 1.0
    open: Flags | bool = False


class Findings(NamedTuple):
    """What all comparators of a profile find: a line for each part, a column for each pair."""

    score: Floats
    missing: Flags
    share: Floats
    open: Flags

    def set(self, part: int, scores: Scores) -> None:
        """Keep what one comparator found."""
        self.score[part], self.missing[part], self.share[part] = scores.score, scores.missing, scores.share
        self.open[part] = scores.open & ~scores.missing

    def only(self, kept: Flags | Places) -> "Findings":
        """The findings for some of the pairs."""
        return Findings(self.score[:, kept], self.missing[:, kept], self.share[:, kept], self.open[:, kept])


def no_findings(parts: int, pairs: int) -> Findings:
    """Findings that are yet to be set."""
    shape = parts, pairs
    return Findings(np.empty(shape), np.empty(shape, np.bool_), np.empty(shape), np.empty(shape, np.bool_))


Look = Callable[[Prepared, Prepared], Finding | None]
"""The whole rule for one pair; None where there is nothing to compare after all."""

Say = Callable[[Prepared, Prepared, float], str]
"""What the score of two records means, in words."""


def first_sentence(function: Callable[..., Any]) -> str:
    """The first paragraph of a function's docstring, in one line."""
    return " ".join((function.__doc__ or "").split("\n\n")[0].split())


class Comparator(msgspec.Struct, frozen=True):
    """How a field of many pairs is compared, its open pairs are looked at, and a finding is said in words.

    `compare` settles what can be told of many pairs at once and leaves the rest open; `look` is the rule for one pair,
    and agrees with `compare` where that has settled it. The docstring of `compare` is what `bibfold profiles` prints.
    Where both sides have something in `column`, there may be something to compare. A `dear` comparator compares more
    than numbers and sets, and is asked only of pairs that the others leave undecided.
    """

    compare: Callable[[Pairs], Scores]
    say: Say
    column: Codes | Numbers
    look: Look | None = None
    dear: bool = False

    def bound(self, pairs: Pairs) -> Scores:
        """The most that it may find: all, where both sides have something, and every such pair open."""
        ours, theirs = pairs.both(self.column)
        return Scores(np.ones(pairs.size), (ours == 0) | (theirs == 0), open=True)

    @property
    def meaning(self) -> str:
        """What the score means, in a sentence."""
        return first_sentence(self.compare)
