"""Makes batches of a stream: records ready to be folded, and which of them may be the same as an earlier one."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from bibfold.errors import InputError
from bibfold.records.model import DeadLetter, Record
from ingest.candidates import within
from ingest.incoming import Incoming, ready
from lookup.evidence import Profile
from lookup.retrieve import Retrieval

SMALLEST: Final = 100


class Batch(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is folded at once: records, what could not be read, and pairs of a later and an earlier place.

    The pairs are None as long as nobody has looked for them.
    """

    incoming: list[Incoming]
    letters: list[DeadLetter]
    pairs: list[tuple[int, int]] | None = None


class Plan(msgspec.Struct, frozen=True):
    """How batches are made: how candidates are found and compared, and how large a batch may be."""

    wanted: Retrieval
    profile: Profile
    held: int
    most: int


def paired(batch: Batch, plan: Plan) -> Batch:
    """The batch with its pairs."""
    if batch.pairs is not None:
        return batch
    return Batch(batch.incoming, batch.letters, within(batch.incoming, plan.wanted, plan.profile))


def batches(stream: Iterable[Record | DeadLetter], plan: Plan) -> Iterator[Batch]:
    """The stream in batches, few against what the catalogue holds.

    A batch sees its own members as single records, not yet as clusters, so that a large batch in a small
    catalogue would hide a work's canonical record behind its many duplicates. Where a file of the stream cannot
    be read, what came before it is given first.
    """
    seen = plan.held
    incoming: list[Incoming] = []
    letters: list[DeadLetter] = []
    unreadable: InputError | None = None
    try:
        for item in stream:
            if isinstance(item, DeadLetter):
                letters.append(item)
            else:
                incoming.append(ready(item, plan.wanted.keys))
            if len(incoming) + len(letters) >= size(seen, plan.most):
                yield Batch(incoming, letters)
                seen += len(incoming)
                incoming, letters = [], []
    except InputError as error:
        unreadable = error
    if incoming or letters:
        yield Batch(incoming, letters)
    if unreadable:
        raise unreadable


def size(held: int, most: int) -> int:
    """How many records to fold at once into a catalogue that holds so many."""
    return min(most, max(SMALLEST, held // 20))
