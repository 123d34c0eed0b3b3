"""Sets what arrives against what the catalogue has: new, changed, unchanged, or a second record of one name.

Within one unit of input several records of one name are several records (`id`, `id~2`, …; labels `id`, `id-2`, …);
across units the later one is a change. What is decided depends on the units and their order, not on the batches.
"""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bibfold.catalogue.rows import NEW, StoredRecord
from bibfold.records.keys import KeySettings
from bibfold.records.native import decode
from ingest.incoming import Arrived, Incoming, arrive, forms, renamed
from ingest.names import Names
from ingest.namesakes import Namesakes, numbered

if TYPE_CHECKING:
    from bibfold.catalogue.reading import Reading


class Seen:
    """What the unit of input that is being read has brought so far.

    `claimed` are the keys under which its records stand, `replaced` the keys and digests of what gave way to them.
    """

    def __init__(self, unit: int = -1) -> None:
        self.unit = unit
        self.claimed = Names()
        self.replaced = Names()
        self.namesakes: dict[tuple[str, str], Namesakes] = {}


class Run:
    """A run of folding: its number in the catalogue, and what it has to remember from batch to batch.

    Where the catalogue was `empty` when it began, no name need be asked for but those that it has written.
    """

    def __init__(self, no: int, *, empty: bool = False) -> None:
        self.no = no
        self.seen = Seen()
        self.written = Names() if empty else None

    def stored(self, read: "Reading", keys: Sequence[str]) -> dict[str, StoredRecord]:
        """Those of the records that the catalogue has, by key."""
        return read.stored(keys if self.written is None else self.written.among(keys))


class Sifted(msgspec.Struct, frozen=True):
    """A batch after sifting: what has to be folded, how many records that and the unchanged ones were, and remarks.

    `superseded` are the keys and digests of contents that give way.
    """

    incoming: list[Incoming]
    records: int
    unchanged: int
    remarks: list[str]
    superseded: list[tuple[str, bytes]]


class Kept(NamedTuple):
    """A record that has to be folded, and its place in the batch."""

    place: int
    arrived: Arrived


def sift(read: "Reading", batch: Iterable[Arrived], run: Run, settings: KeySettings) -> Sifted:
    """Set a batch against the catalogue and against itself; what is left and new is numbered provisionally."""
    arrived = list(batch)
    sifting = _Sifting(read, run, arrived)
    for place, given in enumerate(arrived):
        sifting.take(place, given)
    return sifting.finish(settings)


class _Sifting:
    """A batch while it is sifted."""

    def __init__(self, read: "Reading", run: Run, batch: Sequence[Arrived]) -> None:
        self.read = read
        self.run = run
        self.rows: dict[str, StoredRecord | None] = {}
        self.deleted: dict[str, set[bytes]] = {}
        self.kept: dict[str, Kept] = {}
        self.records = self.unchanged = 0
        self.remarks: list[str] = []
        self.superseded: list[tuple[str, bytes]] = []
        self.claimed: set[str] = set()
        self.replaced: set[tuple[str, bytes]] = set()
        keys = [given.record.key for given in batch]
        self.before = set(run.seen.claimed.among(keys)) if batch and batch[0].unit == run.seen.unit else set()
        self.fetch(keys)
        self.fetch(
            numbered(key, 2, labels=given.file is not None)
            for key, given in zip(keys, batch, strict=True)
            if (stored := self.rows[key]) and stored.digest != given.digest
        )

    def take(self, place: int, given: Arrived) -> None:
        """Find out what the next record is."""
        if given.unit != self.run.seen.unit:
            self.run.seen = Seen(given.unit)
            self.claimed, self.replaced, self.before = set(), set(), set()
        key, name = given.record.key, (given.record.source, given.record.id)
        namesakes = self.run.seen.namesakes.get(name)
        if namesakes is None:
            held = self.held(key)
            first = key not in self.claimed and key not in self.before
            if first and held is None and key not in self.deleted:
                self.records += 1
                self.keep(key, place, given)
                return
            if held and held.digest == given.digest and (first or given.file is None):
                self.leave(key)
                return
            second = numbered(key, 2, labels=given.file is not None)
            if first and held and key not in self.deleted and may_change(held, given) and not self.is_there(second):
                self.records += 1
                self.replaced.add((key, held.digest))
                self.keep(key, place, given)
                return
            namesakes = self.run.seen.namesakes[name] = self.find_namesakes(given)
        self.take_among(namesakes, place, given)

    def take_among(self, namesakes: Namesakes, place: int, given: Arrived) -> None:
        """Find out which of several records of one name this is: by its content first."""
        content = given.digest
        if given.file is None and content in namesakes.taken:
            self.unchanged += 1
        elif id := namesakes.found(content):
            self.leave(namesakes.key(id))
        elif any(renamed(given, id).digest in self.deleted[namesakes.key(id)] for id in namesakes.deleted):
            self.unchanged += 1
            self.remarks.append(f"{given.record.key} was deleted and is read again with that content; it stays deleted")
        elif id := self.replaced_by_unit(namesakes, given):
            self.records += 1
            self.put_back(namesakes, id, place, given)
        else:
            self.records += 1
            self.add(namesakes, place, given)

    def replaced_by_unit(self, namesakes: Namesakes, given: Arrived) -> str | None:
        """Where this content stood until the unit replaced it."""
        if id := namesakes.replaced.pop(given.digest, None):
            return id
        was = (given.record.key, given.digest)
        if namesakes.whole or not (was in self.replaced or was in self.run.seen.replaced):
            return None
        namesakes.whole = True
        return given.record.id

    def put_back(self, namesakes: Namesakes, id: str, place: int, given: Arrived) -> None:
        """Put a content back to where the unit found it; what the unit had put there moves on."""
        key = namesakes.key(id)
        if key in self.kept:
            moved = renamed(self.kept[key].arrived, given.record.id)
        else:
            record = decode(self.read.contents([key])[key])
            moved = renamed(arrive(record, given.unit, given.file), given.record.id)
        namesakes.taken.pop(moved.digest, None)
        namesakes.taken[given.digest] = id
        self.keep(key, place, renamed(given, id))
        self.add(namesakes, place, moved)

    def add(self, namesakes: Namesakes, place: int, given: Arrived) -> None:
        """Let a content of its own change a record that the unit has not claimed, or else be another one."""
        changed = namesakes.open_slot()
        id = changed or namesakes.new_slot(lambda id: not self.is_there(namesakes.key(id)))
        namesakes.taken[given.digest] = id
        key = namesakes.key(id)
        if changed is None and id != given.record.id and given.file is None:
            self.remarks.append(
                f"{given.record.key} stands twice in this input with different content; the later one is kept as {key}"
            )
        self.keep(key, place, renamed(given, id))

    def keep(self, key: str, place: int, given: Arrived) -> None:
        """Have a record folded under a key."""
        self.claimed.add(key)
        if held := self.held(key):
            self.superseded.append((key, held.digest))
        self.kept.pop(key, None)
        stored = self.rows[key]
        if stored is None or stored.digest != given.digest:
            self.kept[key] = Kept(place, given)

    def leave(self, key: str) -> None:
        """Leave a record as it is."""
        self.unchanged += 1
        self.claimed.add(key)

    def held(self, key: str) -> StoredRecord | None:
        """What stands under a key, in the catalogue or earlier in the batch."""
        if key in self.kept:
            given = self.kept[key].arrived
            return StoredRecord(NEW, given.record.source, given.digest, NEW, self.run.no, given.file)
        if key not in self.rows:
            self.fetch([key])
        return self.rows[key]

    def is_there(self, key: str) -> bool:
        """Whether anything stands under a key, or did until it was deleted."""
        return self.held(key) is not None or key in self.deleted

    def fetch(self, keys: Iterable[str]) -> None:
        """Ask the catalogue for records that it has not been asked for."""
        unknown = [key for key in dict.fromkeys(keys) if key not in self.rows]
        self.rows.update(dict.fromkeys(unknown))
        self.rows.update(self.run.stored(self.read, unknown))
        self.deleted.update(self.read.deleted_contents(unknown))

    def find_namesakes(self, given: Arrived) -> Namesakes:
        """All that stands under the name of a record, as the unit has found and left it."""
        source, id = given.record.source, given.record.id
        namesakes = Namesakes(source, id, labels=given.file is not None)
        keys: dict[str, str] = {}
        for size in (2**power for power in count(3)):
            ids = [namesakes.numbered(number) for number in range(len(keys) + 1, len(keys) + size)]
            self.fetch(namesakes.key(id) for id in ids)
            there = [id for id in ids if self.is_there(namesakes.key(id))]
            first_gap = next((place for place, id in enumerate(ids) if id not in there and id != given.record.id), None)
            keys.update({id: namesakes.key(id) for id in ids[:first_gap]})
            if first_gap is not None:
                break
        namesakes.next = len(keys) + 1
        live = {id: held for id, key in keys.items() if (held := self.held(key)) and held.source == source}
        stored = self.read.contents(keys[id] for id in live if keys[id] not in self.kept)
        for id, held in live.items():
            key = keys[id]
            record = decode(stored[key]) if key in stored else self.kept[key].arrived.record
            content = arrive(msgspec.structs.replace(record, id=given.record.id)).digest
            claimed = key in self.claimed or key in self.run.seen.claimed
            namesakes.hold(id, content, claimed=claimed, open=may_change(held, given))
        namesakes.deleted = [id for id, key in keys.items() if key in self.deleted]
        namesakes.vacant = [id for id, key in keys.items() if self.held(key) is None and key not in self.claimed]
        return namesakes

    def finish(self, settings: KeySettings) -> Sifted:
        """What has to be folded, in order."""
        self.run.seen.claimed.add(self.claimed)
        self.run.seen.replaced.add(self.replaced)
        if self.run.written is not None:
            self.run.written.add(self.kept)
        numbers = count(NEW)
        incoming = []
        for key, (place, given) in self.kept.items():
            made = given.forms or forms(given.record, settings)
            stored = self.rows[key]
            no = stored.no if stored else next(numbers)
            incoming.append(
                Incoming(
                    key=key,
                    record=given.record,
                    content=given.content,
                    digest=given.digest,
                    prepared=made.prepared,
                    terms=made.terms,
                    place=place,
                    stored=stored,
                    no=no,
                    file=given.file,
                    returns=stored is None and key in self.deleted,
                )
            )
        return Sifted(incoming, self.records, self.unchanged, self.remarks, self.superseded)


def may_change(held: StoredRecord, given: Arrived) -> bool:
    """Whether what arrives may take the place of what stands under its name.

    A label names a record within its file only, so that another file's record of that label is another record.
    """
    same_file = given.file is None or (given.file != b"" and given.file == held.file)
    return held.source == given.record.source and same_file
