"""A set of names that may grow large: eight bytes each."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Name = TypeVar("Name", bound=Hashable)


class Names:
    """Names as 64-bit hashes, in sorted arrays of which each is at least twice as long as the next.

    That two names have one hash is as good as impossible: among ten million, three times in a million sets.
    """

    def __init__(self) -> None:
        self._parts: list[NDArray[np.int64]] = []

    def __contains__(self, name: Hashable) -> bool:
        return bool(self.among([name]))

    def add(self, names: Iterable[Hashable]) -> None:
        """Take names in."""
        part = np.unique(np.fromiter(map(hash, names), np.int64))
        while self._parts and len(self._parts[-1]) < 2 * len(part):
            part = np.union1d(self._parts.pop(), part)
        if len(part):
            self._parts.append(part)

    def among(self, names: Sequence[Name]) -> list[Name]:
        """Those of the names that were taken in."""
        hashes = np.fromiter(map(hash, names), np.int64, len(names))
        found = np.zeros(len(names), bool)
        for part in self._parts:
            places = np.minimum(np.searchsorted(part, hashes), len(part) - 1)
            found |= part[places] == hashes
        return [names[place] for place in np.flatnonzero(found).tolist()]
