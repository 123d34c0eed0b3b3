"""The records of a run, ready to be compared by the batch: a record is a place, a field is an array over all places."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from bibfold.records.prepare import Prepared

Places = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

Number = TypeVar("Number", float, Floats)
"""One number, or one for each of many: a formula that serves both stands once."""

_FIRST_SIZE: Final = 64


class Codes:
    """A column of numbers, equal for equal values and 0 where a record has none.

    The number is a 64-bit hash: two different values of a million are taken for one with a chance of 1 in 10 million.
    """

    def __init__(self, value_of: Callable[[Prepared], Hashable]) -> None:
        self.value_of = value_of

    def numbers(self, rows: Sequence[Prepared]) -> Places:
        """The number of each record."""
        values = list(map(self.value_of, rows))
        codes = np.fromiter(map(hash, values), np.int64, len(values))
        codes[~np.fromiter(map(bool, values), np.bool_, len(values))] = 0
        return codes


class Numbers:
    """A column of plain whole numbers."""

    def __init__(self, number_of: Callable[[Prepared], int]) -> None:
        self.number_of = number_of

    def numbers(self, rows: Sequence[Prepared]) -> Places:
        """The number of each record."""
        return np.fromiter(map(self.number_of, rows), np.int64, len(rows))


def unweighed(word: str) -> float:
    """Every word weighs the same."""
    return 1.0


class Bags(NamedTuple):
    """A column of sets of words, each of which weighs something: where `rare`, what the one who asks says."""

    words_of: Callable[[Prepared], Sequence[str]]
    weight_of: Callable[[str], float] = unweighed
    rare: bool = False


class Lists(NamedTuple):
    """A column of lists of items, each described by a few numbers; in a row they are ordered by the first of these."""

    items_of: Callable[[Prepared], Sequence[Hashable]]
    describe: Callable[[Any], tuple[int, ...]]


Rows = TypeVar("Rows", "BagRows", "ListRows")


class Columns:
    """Prepared records by place, and the columns that somebody asked for, made when they are asked for."""

    def __init__(self) -> None:
        self.rows: list[Prepared] = []
        self._made: dict[Any, Any] = {}
        self._numbers = np.zeros((0, _FIRST_SIZE), np.int64)
        self._lines: dict[Codes | Numbers, int] = {}
        self._filled = 0

    def add(self, records: Iterable[Prepared]) -> Places:
        """Take records in; their places."""
        before = len(self.rows)
        self.rows.extend(records)
        return np.arange(before, len(self.rows))

    def line(self, column: Codes | Numbers) -> int:
        """Which line of `numbers` holds a column."""
        line = self._lines.get(column)
        if line is None:
            line = self._lines[column] = len(self._numbers)
            self._numbers = np.concatenate((self._numbers, np.zeros((1, self._numbers.shape[1]), np.int64)))
            self._numbers[line, : self._filled] = column.numbers(self.rows[: self._filled])
        return line

    def numbers(self, places: Places) -> NDArray[np.int64]:
        """The numbers of these places, a line for each column that somebody has asked for."""
        size = len(self.rows)
        if self._filled < size:
            if size > self._numbers.shape[1]:
                grown = np.zeros((len(self._numbers), max(size, 2 * self._numbers.shape[1])), np.int64)
                grown[:, : self._filled] = self._numbers[:, : self._filled]
                self._numbers = grown
            fresh = self.rows[self._filled :]
            for column, line in self._lines.items():
                self._numbers[line, self._filled : size] = column.numbers(fresh)
            self._filled = size
        return self._numbers.take(places, axis=1)

    def bags(self, column: Bags, rarity: Callable[[str], float] = unweighed) -> "BagRows":
        """The set of words of each place, weighed by `rarity` where the column is one of rare words."""
        weight_of = rarity if column.rare else column.weight_of
        return self._extended((column, weight_of), lambda: BagRows(weight_of), column.words_of)

    def lists(self, column: Lists) -> "ListRows":
        """The items of each place."""
        return self._extended(column, lambda: ListRows(column.describe), column.items_of)

    def _extended(self, column: Hashable, make: Callable[[], Rows], items_of: Callable[[Prepared], Any]) -> Rows:
        """The rows of a column, made where there are none yet, up to the last record."""
        rows: Rows | None = self._made.get(column)
        if rows is None:
            rows = self._made[column] = make()
        if rows.size < len(self.rows):
            rows.extend([items_of(row) for row in self.rows[rows.size :]])
        return rows


class Entries(NamedTuple):
    """Entries of several rows, one row after the other: whose each is, and where it stands."""

    owners: Places
    at: Places


class _Ragged:
    """Where the entries of each row begin and end."""

    def __init__(self) -> None:
        self._ends = _Growing(np.int64)
        self._ends.extend(np.zeros(1, np.int64))

    @property
    def size(self) -> int:
        """How many rows there are."""
        return self._ends.size - 1

    def lengths(self, places: Places) -> Places:
        """How many entries each of the rows has."""
        ends = self._ends.values
        lengths: Places = ends[places + 1] - ends[places]
        return lengths

    def entries(self, places: Places) -> Entries:
        """The entries of these rows; the owner is a number from 0 on, in the order of `places`."""
        starts, lengths = self._ends.values[places], self.lengths(places)
        stops = np.cumsum(lengths)
        total = int(stops[-1]) if len(stops) else 0
        owners = np.repeat(np.arange(len(places)), lengths)
        return Entries(owners, np.arange(total) + np.repeat(starts - stops + lengths, lengths))

    def _grow(self, lengths: Places) -> None:
        self._ends.extend(self._ends.values[-1] + np.cumsum(lengths))


class BagRows(_Ragged):
    """Sets of words as sorted numbers, row by row."""

    def __init__(self, weight_of: Callable[[str], float]) -> None:
        super().__init__()
        self._weight_of = weight_of
        self._numbers = _Numbering()
        self._words = _Growing(np.int64)
        self._weights = _Growing(np.float64)
        self._totals = _Growing(np.float64)

    def extend(self, bags: Sequence[Sequence[str]]) -> None:
        """Take rows in; a word that stands twice counts once."""
        given = self._numbers.of(chain.from_iterable(bags))
        self._weights.extend(np.array(list(map(self._weight_of, self._numbers.since(self._weights.size))), np.float64))
        span = len(self._numbers) + 1
        owners = np.repeat(np.arange(len(bags)), list(map(len, bags)))
        owners, words = np.divmod(distinct(owners * span + given), span)
        self._words.extend(words)
        self._grow(np.bincount(owners, minlength=len(bags)))
        self._totals.extend(np.bincount(owners, self._weights.values[words], len(bags)))

    def totals(self, places: Places) -> Floats:
        """What all words of each row weigh."""
        totals: Floats = self._totals.values[places]
        return totals

    def overlap(self, left: Places, right: Places) -> Floats:
        """What the words weigh that the two rows of each pair share."""
        ours, theirs = self.entries(left), self.entries(right)
        words, span = self._words.values, len(self._numbers) + 1
        mine = words[ours.at]
        shared = found(ours.owners * span + mine, theirs.owners * span + words[theirs.at]) >= 0
        weights = self._weights.values[mine[shared]]
        return np.asarray(np.bincount(ours.owners[shared], weights, len(left)), np.float64)


class ListRows(_Ragged):
    """Items as the numbers that describe them, row by row."""

    def __init__(self, describe: Callable[[Any], tuple[int, ...]]) -> None:
        super().__init__()
        self._describe = describe
        self._numbers = _Numbering()
        self._described: _Growing | None = None
        self._items = _Growing(np.int64)
        self._repeated = _Growing(np.bool_)

    def extend(self, rows: Sequence[Sequence[Hashable]]) -> None:
        """Take rows in."""
        items = self._numbers.of(chain.from_iterable(rows))
        lengths = np.array(list(map(len, rows)), np.int64)
        self._grow(lengths)
        repeated = np.zeros(len(rows), np.bool_)
        if len(items):
            fresh = [
                self._describe(item) for item in self._numbers.since(self._described.size if self._described else 0)
            ]
            if self._described is None:
                self._described = _Growing(np.int64, len(fresh[0]))
            if fresh:
                self._described.extend(np.array(fresh, np.int64))
            owners = np.repeat(np.arange(len(rows)), lengths)
            firsts = self._described.values[items, 0]
            order = np.lexsort((firsts, owners))
            items, firsts = items[order], firsts[order]
            repeated[owners[1:][(np.diff(firsts) == 0) & (np.diff(owners) == 0)]] = True
        self._items.extend(items)
        self._repeated.extend(repeated)

    def numbers(self, entries: Entries, which: int) -> Places:
        """One of the numbers that describe these entries."""
        if self._described is None:
            return np.zeros(0, np.int64)
        numbers: Places = self._described.values[self._items.values[entries.at], which]
        return numbers

    def repeated(self, places: Places) -> Flags:
        """Whether two items of a row have the same first number."""
        repeated: Flags = self._repeated.values[places]
        return repeated


class _Numbering(dict[Hashable, int]):
    """Numbers for values, from 0 on, in the order in which they come."""

    def __missing__(self, value: Hashable) -> int:
        number = self[value] = len(self)
        return number

    def of(self, values: Iterable[Hashable]) -> Places:
        """The number of each value."""
        return np.array(list(map(self.__getitem__, values)), np.int64)

    def since(self, number: int) -> list[Any]:
        """The values from this number on."""
        return [*islice(reversed(self), len(self) - number)][::-1]


def found(needles: Places, sorted_keys: Places) -> Places:
    """For each needle its place among the keys, -1 where it is not there."""
    if not len(sorted_keys):
        return np.full(len(needles), -1, np.int64)
    at = np.searchsorted(sorted_keys, needles)
    at[at == len(sorted_keys)] = 0
    return np.where(sorted_keys[at] == needles, at, -1)


def distinct(numbers: Places) -> Places:
    """The numbers, sorted, each once: many times as fast as numpy's own `unique`."""
    ordered = np.sort(numbers)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


class _Growing:
    """An array that is added to at its end."""

    def __init__(self, kind: type, width: int = 0) -> None:
        self._data: NDArray[Any] = np.zeros((_FIRST_SIZE, width) if width else _FIRST_SIZE, kind)
        self.size = 0

    def extend(self, values: NDArray[Any]) -> None:
        """Add values."""
        size = self.size + len(values)
        if size > len(self._data):
            grown = np.zeros((max(size, 2 * len(self._data)), *self._data.shape[1:]), self._data.dtype)
            grown[: self.size] = self._data[: self.size]
            self._data = grown
        self._data[self.size : size] = values
        self.size = size

    @property
    def values(self) -> NDArray[Any]:
        """What there is."""
        return self._data[: self.size]
