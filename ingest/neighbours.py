"""Pairs within a batch: which of its records may be the same as an earlier one."""

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from bibfold.engines.base import Document, Put
from bibfold.engines.memory import Memory
from bibfold.records.columns import Columns, Places
from bibfold.records.model import Record
from lookup.comparing import possible
from lookup.matcher import Keyed, Matcher
from lookup.pairs import Pairs

INDEX: Final = "batch"

_NO_RECORD: Final = Record(source="", id="")


class Neighbours(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Pairs of a later and an earlier place in a batch where either record finds the other, as they travel.

    The first `possible` of them may be the same; the others are different for certain.
    """

    later: bytes
    earlier: bytes
    possible: int

    @property
    def pairs(self) -> tuple[Places, Places]:
        """All pairs, as two arrays of places."""
        return np.frombuffer(self.later, np.int64), np.frombuffer(self.earlier, np.int64)

    def moved(self, places: Sequence[int]) -> "Neighbours":
        """The same pairs, where the record at place i of this batch is at `places[i]` of another."""
        at = np.array(places, np.int64)
        later, earlier = self.pairs
        return Neighbours(at[later].tobytes(), at[earlier].tobytes(), self.possible)


def neighbours(records: Sequence[Keyed], matcher: Matcher) -> Neighbours:
    """The pairs within a batch, found by an index of its own."""
    if len(records) < 2:
        return Neighbours(b"", b"", 0)
    overlay = Memory(threads=1)
    overlay.create(INDEX)
    width = len(str(len(records)))
    overlay.write(
        INDEX,
        (
            Put(Document(str(place).zfill(width), keyed.terms, _NO_RECORD, keyed.prepared.marks))
            for place, keyed in enumerate(records)
        ),
    )
    overlay.commit(INDEX)
    owners, hits = matcher.candidates(
        overlay, INDEX, records, possible=True, prepared_of=lambda hit: records[int(hit.id)].prepared
    )
    others = np.array([int(hit.id) for hit in hits], np.int64)
    numbered = np.unique(np.maximum(owners, others) * len(records) + np.minimum(owners, others))
    later, earlier = np.divmod(numbered, len(records))
    apart = later != earlier
    later, earlier = later[apart], earlier[apart]
    columns = Columns()
    columns.add(keyed.prepared for keyed in records)
    kept = possible(Pairs(columns, later, earlier), matcher.profile)
    order = np.concatenate((kept, np.setdiff1d(np.arange(len(later)), kept, assume_unique=True)))
    return Neighbours(later[order].tobytes(), earlier[order].tobytes(), len(kept))
