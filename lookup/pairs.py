"""A batch of pairs of records, and what a comparator finds of them."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec
import numpy as np

from bibfold.records.columns import BagRows, Bags, Codes, Columns, Flags, Floats, Numbers, Places
from bibfold.records.prepare import Prepared
from lookup.evidence import Finding


class Pairs(NamedTuple):
    """Pairs of places among the columns; `left[i]` and `right[i]` are a pair."""

    columns: Columns
    left: Places
    right: Places

    def both(self, column: Codes | Numbers) -> tuple[Places, Places]:
        """The column's numbers for either side."""
        numbers = self.columns.numbers(column)
        return numbers[self.left], numbers[self.right]

    def overlap(self, column: Bags) -> tuple[Floats, Floats, Floats]:
        """What the words of either side weigh, and what the words weigh that both have."""
        bags: BagRows = self.columns.bags(column)
        return bags.totals(self.left), bags.totals(self.right), bags.overlap(self.left, self.right)

    def records(self, pair: int) -> tuple[Prepared, Prepared]:
        """The two records of a pair."""
        rows = self.columns.rows
        return rows[self.left[pair]], rows[self.right[pair]]

    def only(self, kept: Flags | Places) -> "Pairs":
        """Some of the pairs."""
        return Pairs(self.columns, self.left[kept], self.right[kept])

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return len(self.left)


class Scores(NamedTuple):
    """What a comparator finds of each pair: the score, the share of the weight that applies, what is missing.

    Where a pair is `open` it needs a look of its own; until then its score and share are the most they can be.
    """

    score: Floats
    share: Floats
    missing: Flags
    open: Flags

    def only(self, kept: Flags | Places) -> "Scores":
        """The findings for some of the pairs."""
        return Scores(self.score[kept], self.share[kept], self.missing[kept], self.open[kept])


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


class Comparator(msgspec.Struct, frozen=True):
    """How a field of many pairs is compared, its open pairs are looked at, and a finding is said in words.

    The docstring of `compare` is what `bibfold profiles` prints. A comparator that compares more than numbers and sets
    says in `column` which field it needs: it is asked only of pairs that the others leave undecided.
    """

    compare: Callable[[Pairs], Scores]
    say: Callable[[Prepared, Prepared, float], str]
    look: Look | None = None
    column: Codes | Numbers | None = None

    def present(self, pairs: Pairs) -> Scores:
        """The most that a dear comparator may find: all, where both sides have the field."""
        assert self.column is not None
        ours, theirs = pairs.both(self.column)
        return scores(np.ones(pairs.size), (ours == 0) | (theirs == 0), open=np.ones(pairs.size, np.bool_))

    @property
    def meaning(self) -> str:
        """What the score means, in a sentence."""
        return " ".join((self.compare.__doc__ or "").split("\n\n")[0].split())
