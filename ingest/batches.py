"""Makes batches of a stream: records ready to be folded, and what could not be read."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from bibfold.errors import InputError
from bibfold.records.keys import KeySettings
from bibfold.records.model import DeadLetter, Record
from ingest.incoming import Arrived, arrive, forms
from ingest.neighbours import Neighbours

SMALLEST: Final = 100

IsStored = Callable[[Sequence[Arrived]], set[str]]
"""The keys of those records that the catalogue has, with the same content."""


class Batch(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is folded at once; its neighbours are absent as long as nobody has looked for them."""

    arrived: list[Arrived]
    letters: list[DeadLetter]
    neighbours: Neighbours | None = None


def batches(
    stream: Iterable[Record | DeadLetter],
    settings: KeySettings,
    held: int,
    most: int,
    is_stored: IsStored = lambda arrived: set(),
) -> Iterator[Batch]:
    """The stream in batches, few against what the catalogue holds.

    A batch sees its own members as single records, not yet as clusters, so that a large batch in a small
    catalogue would hide a work's canonical record behind its many duplicates. Where a file of the stream cannot
    be read, what came before it is given first.
    """
    arrived: list[Arrived] = []
    letters: list[DeadLetter] = []
    unreadable: InputError | None = None
    try:
        for item in stream:
            if isinstance(item, DeadLetter):
                letters.append(item)
            else:
                arrived.append(arrive(item))
            if len(arrived) + len(letters) >= size(held, most):
                yield Batch(_with_forms(arrived, settings, is_stored), letters)
                held += len(arrived)
                arrived, letters = [], []
    except InputError as error:
        unreadable = error
    if arrived or letters:
        yield Batch(_with_forms(arrived, settings, is_stored), letters)
    if unreadable:
        raise unreadable


def size(held: int, most: int) -> int:
    """How many records to fold at once into a catalogue that holds so many."""
    return min(most, max(SMALLEST, held // 20))


def _with_forms(arrived: Sequence[Arrived], settings: KeySettings, is_stored: IsStored) -> list[Arrived]:
    stored = is_stored(arrived)
    return [
        given
        if stored and given.record.key in stored
        else Arrived(given.record, given.content, given.digest, forms(given.record, settings))
        for given in arrived
    ]
