"""A batch of pairs of records, and what a comparator finds of them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from bibfold.records.columns import BagRows, Bags, Codes, Columns, Flags, Floats, Numbers, Places
from bibfold.records.prepare import Prepared
from lookup.evidence import Finding


class Pairs:
    """Pairs of places among the columns; `left[i]` and `right[i]` are a pair."""

    def __init__(self, columns: Columns, left: Places, right: Places) -> None:
        self.columns = columns
        self.left = left
        self.right = right
        self._numbers: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    def both(self, column: Codes | Numbers) -> tuple[Places, Places]:
        """The column's numbers for either side."""
        line = self.columns.line(column)
        if self._numbers is None or _stop(line) > len(self._numbers[0]):
            self._numbers = self.columns.numbers(self.left), self.columns.numbers(self.right)
        ours, theirs = self._numbers
        return ours[line], theirs[line]

    def overlap(self, column: Bags) -> tuple[Floats, Floats, Floats]:
        """What the words of either side weigh, and what the words weigh that both have."""
        bags: BagRows = self.columns.bags(column)
        ours, theirs = bags.totals(self.left), bags.totals(self.right)
        return ours, theirs, bags.overlap(self.left, self.right) if ours.any() and theirs.any() else np.zeros(self.size)

    def records(self, pair: int) -> tuple[Prepared, Prepared]:
        """The two records of a pair."""
        rows = self.columns.rows
        return rows[self.left[pair]], rows[self.right[pair]]

    def only(self, kept: Flags | Places) -> "Pairs":
        """Some of the pairs."""
        some = Pairs(self.columns, self.left[kept], self.right[kept])
        if self._numbers is not None:
            some._numbers = self._numbers[0][:, kept], self._numbers[1][:, kept]
        return some

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return len(self.left)


def _stop(line: int | slice) -> int:
    return line + 1 if isinstance(line, int) else int(line.stop)


class Scores(NamedTuple):
    """What comparators find of pairs: the score, the share of the weight that applies, what is missing.

    Where a pair is `open` it needs a look of its own; until then its score and share are the most they can be.
    One comparator's findings have one dimension, the pairs; those of a profile have two, parts and pairs.
    """

    score: Floats
    share: Floats
    missing: Flags
    open: Flags

    def only(self, kept: Flags | Places) -> "Scores":
        """The findings for some of the pairs."""
        return Scores(self.score[..., kept], self.share[..., kept], self.missing[..., kept], self.open[..., kept])


def scores(score: Floats, missing: Flags, share: Floats | None = None, open: Flags | None = None) -> Scores:
    """Findings with the full share, and with nothing left open, unless told otherwise."""
    return Scores(
        score,
        np.ones(len(score)) if share is None else share,
        missing,
        np.zeros(len(score), np.bool_) if open is None else open & ~missing,
    )


Look = Callable[[Prepared, Prepared], Finding | None]
"""A look at one pair that the batch left open; None where there is nothing to compare after all."""


def first_sentence(function: Callable[..., Any]) -> str:
    """The first paragraph of a function's docstring, in one line."""
    return " ".join((function.__doc__ or "").split("\n\n")[0].split())


class Comparator(msgspec.Struct, frozen=True):
    """How a field of many pairs is compared, its open pairs are looked at, and a finding is said in words.

    The docstring of `compare` is what `bibfold profiles` prints. A comparator that compares more than numbers and sets
    says in `column` which field it needs: it is asked only of pairs that the others leave undecided.
    """

    compare: Callable[[Pairs], Scores]
    say: Callable[[Prepared, Prepared, float], str]
    look: Look | None = None
    column: Codes | Numbers | None = None

    @property
    def dear(self) -> bool:
        """Whether it is asked only of pairs that the others leave undecided."""
        return self.column is not None

    def cheap(self, pairs: Pairs) -> Scores:
        """What it finds, or of a dear one the most that it may find: all, where both sides have the field."""
        if self.column is None:
            return self.compare(pairs)
        ours, theirs = pairs.both(self.column)
        return scores(np.ones(pairs.size), (ours == 0) | (theirs == 0), open=np.ones(pairs.size, np.bool_))

    @property
    def meaning(self) -> str:
        """What the score means, in a sentence."""
        return first_sentence(self.compare)
