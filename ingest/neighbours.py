"""Pairs within a batch: which of its records may be the same as an earlier one."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
import numpy as np

from bibfold.engines.base import Document, Put
from bibfold.engines.memory import Memory
from bibfold.records.columns import Places
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


class NeighbourPairs(NamedTuple):
    """Pairs of a later and an earlier place, and whether each may be the same."""

    later: Places
    earlier: Places
    possible: Places


def neighbours(records: Sequence[Keyed], matcher: Matcher) -> Neighbours:
    """The pairs within a batch, found by an index of its own."""
