"""Makes batches of a stream: records ready to be folded, and which of them may be the same as an earlier one."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from bibfold.records.model import DeadLetter, Record
from ingest.candidates import within
from ingest.incoming import Incoming, ready
from lookup.evidence import Profile
from lookup.retrieve import Retrieval

SMALLEST: Final = 100


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """What is folded at once: records, what could not be read, and pairs of a later and an earlier place."""

    incoming: list[Incoming]
    letters: list[DeadLetter]
    pairs: list[tuple[int, int]]


class Plan(msgspec.Struct, frozen=True):
    """How batches are made: how candidates are found and compared, and how large a batch may be."""

    wanted: Retrieval
    profile: Profile
    held: int
    most: int


def batch_of(records: Iterable[Record], wanted: Retrieval, profile: Profile) -> Batch:
    """A batch of these records."""
    incoming = [ready(record, wanted.keys) for record in records]
    return Batch(incoming, [], within(incoming, wanted, profile))


def batches(stream: Iterable[Record | DeadLetter], plan: Plan) -> Iterator[Batch]:
    """The stream in batches, few against what the catalogue holds.

    A batch sees its own members as single records, not yet as clusters, so that a large batch in a small
    catalogue would hide a work's canonical record behind its many duplicates.
    """
    seen = plan.held
    incoming: list[Incoming] = []
    letters: list[DeadLetter] = []
    for item in stream:
        if isinstance(item, DeadLetter):
            letters.append(item)
        else:
            incoming.append(ready(item, plan.wanted.keys))
        if len(incoming) + len(letters) >= min(plan.most, max(SMALLEST, seen // 20)):
            yield Batch(incoming, letters, within(incoming, plan.wanted, plan.profile))
            seen += len(incoming)
            incoming, letters = [], []
    if incoming or letters:
        yield Batch(incoming, letters, within(incoming, plan.wanted, plan.profile))
