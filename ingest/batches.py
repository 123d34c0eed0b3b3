"""Makes batches of a stream: records ready to be folded, and what could not be read."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from bibfold.errors import InputError
from bibfold.records.formats.files import Files, Unit
from bibfold.records.keys import KeySettings
from bibfold.records.model import DeadLetter, Deletion, Item
from ingest.incoming import Arrived, arrive, forms
from ingest.neighbours import Neighbours

SMALLEST: Final = 100

IsStored = Callable[[Sequence[Arrived]], set[str]]
"""The keys of those records that the catalogue has, with the same content."""


class Batch(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is folded at once; its deletions come before its records.

    Its neighbours, places among the records that have forms, are absent as long as nobody has looked for them.
    """

    arrived: list[Arrived]
    letters: list[DeadLetter]
    deletions: list[Deletion]
    neighbours: Neighbours | None = None


def units(stream: Iterable[Item]) -> Iterator[Unit]:
    """The units of input that a stream is made of: files one by one, anything else as a whole."""
    return stream.units() if isinstance(stream, Files) else iter([Unit(stream)])


def batches(
    stream: Iterable[Item],
    settings: KeySettings,
    held: int,
    most: int,
    is_stored: IsStored = lambda arrived: set(),
) -> Iterator[Batch]:
    """The stream in batches, few against what the catalogue holds.

    A batch sees its own members as single records, not yet as clusters, so that a large batch in a small
    catalogue would hide a work's canonical record behind its many duplicates. A record that is deleted after it came
    is in an earlier batch than its deletion. Where a file of the stream cannot be read, what came before it is given
    first.
    """
    making = _Making()
    unreadable: InputError | None = None
    try:
        for number, unit in enumerate(units(stream)):
            for item in unit.items:
                if isinstance(item, Deletion) and item.key in making.keys:
                    yield making.batch(settings, is_stored)
                    making = _Making()
                making.add(item, unit, number)
                if making.full(size(held, most)):
                    yield making.batch(settings, is_stored)
                    held += len(making.arrived)
                    making = _Making()
    except InputError as error:
        unreadable = error
    if making.full(1):
        yield making.batch(settings, is_stored)
    if unreadable:
        raise unreadable


class _Making:
    """A batch that is being filled."""

    def __init__(self) -> None:
        self.arrived: list[Arrived] = []
        self.letters: list[DeadLetter] = []
        self.deletions: list[Deletion] = []
        self.keys: set[str] = set()

    def full(self, size: int) -> bool:
        return len(self.arrived) + len(self.letters) + len(self.deletions) >= size

    def add(self, item: Item, unit: Unit, number: int) -> None:
        """Take the next item of a unit; an id is a label only where the record names no source of its own."""
        if isinstance(item, DeadLetter):
            self.letters.append(item)
        elif isinstance(item, Deletion):
            self.deletions.append(item)
        else:
            self.arrived.append(arrive(item, number, unit.file if item.source == unit.source else None))
            self.keys.add(item.key)

    def batch(self, settings: KeySettings, is_stored: IsStored) -> Batch:
        """The batch, its records with their forms."""
        stored = is_stored(self.arrived)
        ready = [
            given
            if stored and given.record.key in stored
            else Arrived(
                given.record, given.content, given.digest, forms(given.record, settings), given.unit, given.file
            )
            for given in self.arrived
        ]
        return Batch(ready, self.letters, self.deletions)


def size(held: int, most: int) -> int:
    """How many records to fold at once into a catalogue that holds so many."""
    return min(most, max(SMALLEST, held // 20))
