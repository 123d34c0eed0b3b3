"""What can be done to a catalogue, many things at a time, within one transaction."""

import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

import msgspec
from sqlalchemy import (
    Column,
    Connection,
    Executable,
    Table,
    bindparam,
    delete,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from bibfold.catalogue.canonical import Canonical
from bibfold.catalogue.reading import Reading
from bibfold.catalogue.rows import (
    NEW,
    PUBLISHED,
    Build,
    ClusterState,
    Event,
    Numbers,
    PlacedRecord,
    RepairState,
    Review,
    chunks,
)
from bibfold.catalogue.schema import (
    clusters,
    dead_letters,
    decisions,
    events,
    former_contents,
    last_members,
    meta,
    other_names,
    outbox,
    records,
    reviews,
    runs,
)
from bibfold.records.model import DeadLetter
from bibfold.records.native import encode

_json = msgspec.json.Encoder().encode

Row = tuple[Any, ...]


class Writing(Reading):
    """A transaction: what was asked for is done when it ends well, else none of it; it sees what it has written."""

    def __init__(self, connection: Connection, *, history: bool) -> None:
        super().__init__(connection)
        self._connection = connection
        self.history = history

    def begin_run(self, command: str) -> int:
        """Note that a command starts to write; its number marks what it writes."""
        number = self._highest(runs) + 1
        self._insert(runs, ("no", "started", "command"), [(number, time.time(), command)])
        return number

    def found(self, states: Sequence[ClusterState]) -> Numbers:
        """Add clusters; they get numbers in this order. A redirect among them may name its target provisionally."""
        numbers = Numbers(self._highest(clusters) + 1)
        rows: list[Row] = []
        for no, state in enumerate(states, start=numbers.first):
            into = None if state.merged_into is None else numbers.real(state.merged_into)
            rows.append((no, state.size, _stored(state.canonical), into))
        self._insert(clusters, ("no", "size", "canonical", "merged_into"), rows)
        return numbers

    def join(self, placed: Iterable[PlacedRecord], run: int) -> None:
        """Put records into clusters: new ones get numbers in this order, those that are stored their new content."""
        fresh: list[Row] = []
        changed: list[Row] = []
        names: list[Row] = []
        numbers = count(self._highest(records) + 1)
        for one in placed:
            if one.no < NEW:
                changed.append((one.no, one.content, one.digest, one.cluster, run, one.file))
            else:
                fresh.append((next(numbers), one.key, one.source, one.content, one.digest, one.cluster, run, one.file))
            if one.other_name:
                names.append((one.other_name, one.key))
        self._insert(records, ("no", "key", "source", "content", "digest", "cluster", "run", "file"), fresh)
        self._update(records, ("no", "content", "digest", "cluster", "run", "file"), changed)
        self._delete(other_names.c.name, (name for name, _ in names))
        self._insert(other_names, ("name", "key"), list(dict(names).items()))

    def supersede(self, contents: Iterable[tuple[str, bytes]]) -> None:
        """Remember contents, by key and digest, that have given way to others."""
        self._note_former(contents, deleted=False)

    def remove(self, keys: Sequence[str]) -> None:
        """Take records out; what they hold and held stays out when it is read again."""
        query = select(records.c.key, records.c.digest)
        held = [row for part in chunks(keys) for row in self.execute(query.where(records.c.key.in_(part))).all()]
        for part in chunks(keys):
            self.execute(update(former_contents).where(former_contents.c.key.in_(part)).values(deleted=True))
        self._note_former(((key, digest) for key, digest in held), deleted=True)
        self._delete(records.c.key, keys)

    def _note_former(self, contents: Iterable[tuple[str, bytes]], *, deleted: bool) -> None:
        fresh = dict.fromkeys(contents)
        columns = former_contents.c.key, former_contents.c.digest
        for part in chunks(list(fresh)):
            for key, digest in self.execute(select(*columns).where(tuple_(*columns).in_(part))):
                fresh.pop((key, digest))
        self._insert(former_contents, ("key", "digest", "deleted"), [(*content, deleted) for content in fresh])

    def reshape(self, states: Mapping[int, ClusterState]) -> None:
        """Keep how clusters look after records have joined or left; none of them redirects from now on."""
        rows = [(no, state.size, _stored(state.canonical), None) for no, state in states.items()]
        self._update(clusters, ("no", "size", "canonical", "merged_into"), rows)

    def note_last_members(self, members: Mapping[int, Iterable[str]]) -> None:
        """Keep which records clusters held when they were last not empty; none for one that is not empty now."""
        self._delete(last_members.c.cluster, members)
        rows = [(no, key) for no, keys in members.items() for key in keys]
        self._insert(last_members, ("cluster", "record"), rows)

    def redirect(self, redirects: Mapping[int, int]) -> None:
        """Let empty clusters redirect to others from now on."""
        self._update(clusters, ("no", "merged_into"), list(redirects.items()))

    def merge(self, redirects: Mapping[int, int]) -> None:
        """Let clusters redirect to others from now on, and move their records to where the redirects end."""
        rows = [(no, 0, None, into) for no, into in redirects.items()]
        self._update(clusters, ("no", "size", "canonical", "merged_into"), rows)
        for no in redirects:
            into = no
            while into in redirects:
                into = redirects[into]
            self.execute(update(records).where(records.c.cluster == no).values(cluster=into))

    def move(self, keys: Iterable[str], cluster: int) -> None:
        """Move records into a cluster."""
        for part in chunks(keys):
            self.execute(update(records).where(records.c.key.in_(part)).values(cluster=cluster))

    def note_events(self, happened: Iterable[Event], run: int) -> None:
        """Add to the history of clusters."""
        names = ("at", "run", "kind", "cluster", "other", "record", "cause", "profile", "score", "evidence")
        now = time.time()
        rows = [
            (now, run, one.kind, one.cluster, one.other, one.record, one.cause, one.profile, one.score, _evidence(one))
            for one in happened
        ]
        self._insert(events, names, rows)

    def note_reviews(self, pairs: Iterable[Review]) -> None:
        """Queue pairs for a person, once each, whichever way round."""
        fresh = {(one.record, one.against): one for one in pairs}
        queued = select(reviews.c.record, reviews.c.against)
        for part in chunks(list(fresh)):
            turned = [(b, a) for a, b in part]
            for a, b in self.execute(queued.where(tuple_(reviews.c.record, reviews.c.against).in_(part + turned))):
                fresh.pop((a, b), None)
                fresh.pop((b, a), None)
        now = time.time()
        rows = [(one.record, one.against, one.score, _json(one.comparison), now) for one in fresh.values()]
        self._insert(reviews, ("record", "against", "score", "comparison", "at"), rows)

    def forget_reviews(self, keys: Iterable[str]) -> None:
        """Take all pairs of these records off the queue."""
        for part in chunks(keys):
            self.execute(delete(reviews).where(or_(reviews.c.record.in_(part), reviews.c.against.in_(part))))

    def record_verdicts(self, pairs: Iterable[tuple[str, str]], verdict: str, note: str = "") -> None:
        """Keep a person's word on pairs of records, in place of earlier ones."""
        ordered = [_ordered(pair) for pair in pairs]
        self.forget_verdicts(ordered)
        now = time.time()
        rows = [(a, b, verdict, now, note) for a, b in ordered]
        self._insert(decisions, ("a", "b", "verdict", "at", "note"), rows)

    def forget_verdicts(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Drop what a person decided of pairs of records."""
        this = (decisions.c.a == bindparam("first")) & (decisions.c.b == bindparam("second"))
        self._for_pairs(delete(decisions).where(this), [_ordered(pair) for pair in pairs])

    def keep_dead_letters(self, letters: Iterable[DeadLetter], run: int) -> None:
        """Keep what could not be read, once for all the runs that meet it."""
        names = DeadLetter.__struct_fields__
        columns = [dead_letters.c[name] for name in names]
        fresh = dict.fromkeys(msgspec.structs.astuple(letter) for letter in letters)
        for part in chunks(list(fresh), 100):
            for row in self.execute(select(*columns).where(tuple_(*columns).in_(part))):
                del fresh[tuple(row)]
            self.execute(update(dead_letters).where(tuple_(*columns).in_(part)).values(run=run, closed=None))
        self._insert(dead_letters, ("run", *names), [(run, *values) for values in fresh])

    def close_dead_letters(self, files: Iterable[str], run: int) -> None:
        """Close those of files that a run has read to their end without meeting them again."""
        earlier = (dead_letters.c.run < run) & dead_letters.c.closed.is_(None)
        for part in chunks(files):
            self.execute(update(dead_letters).where(dead_letters.c.file.in_(part), earlier).values(closed=run))

    def note_outbox(self, changed: Iterable[int]) -> int:
        """Note that documents of clusters are out of date, in the published index and in one that is being built.

        The number of the last note for the published one is returned.
        """
        build = self.building()
        numbers = list(changed)
        before = last = self.last_outbox()
        for target in (PUBLISHED, build.index) if build else (PUBLISHED,):
            rows = [(no, cluster, target) for no, cluster in enumerate(numbers, start=last + 1)]
            self._insert(outbox, ("no", "cluster", "target"), rows)
            last += len(rows)
        return before + len(numbers)

    def forget_outbox(self, target: str, upto: int) -> None:
        """Forget a target's changes up to one that its index has."""
        self.execute(delete(outbox).where(outbox.c.target == target, outbox.c.no <= upto))

    def clear_outbox(self) -> None:
        """Forget what every index was to be told: a new one that lacks nothing is published."""
        self.execute(delete(outbox))

    def register(self, build: Build) -> None:
        """Keep how far a build has got; from the first time on, every change is noted for it, too."""
        self._keep("build", build)

    def unregister(self, index: str) -> None:
        """Forget the build of an index and what was noted for it."""
        self.execute(delete(meta).where(meta.c.name == "build"))
        self.execute(delete(outbox).where(outbox.c.target == index))

    def note_repair(self, state: RepairState) -> None:
        """Keep how far a repair has got."""
        self._keep("repair", state)

    def end_repair(self) -> None:
        """Forget how far a repair had got: it is done."""
        self.execute(delete(meta).where(meta.c.name == "repair"))

    def remember(self, options: Mapping[str, Any]) -> None:
        """Keep options with the catalogue, in place of those it had."""
        self._keep("options", options)

    def _keep(self, name: str, value: Any) -> None:
        self.execute(delete(meta).where(meta.c.name == name))
        self._insert(meta, ("name", "value"), [(name, _json(value).decode())])

    def _delete(self, column: Column[Any], values: Iterable[Any]) -> None:
        for part in chunks(values):
            self.execute(delete(column.table).where(column.in_(part)))

    def _for_pairs(self, statement: Executable, pairs: Iterable[tuple[str, str]]) -> None:
        for part in chunks(pairs):
            self.execute(statement, [{"first": a, "second": b} for a, b in part])

    def _insert(self, table: Table, names: Sequence[str], rows: Sequence[Row]) -> None:
        """Add rows in one call; the names stand in the table's order.

        The statement is handed to the driver as it is: SQLAlchemy's own work on each row would cost more than the
        database's. Some drivers take values by their place, others by name.
        """
        if rows:
            compiled = insert(table).inline().compile(dialect=self._connection.dialect, column_keys=list(names))
            assert compiled.positiontup in (None, list(names))
            values: Any = rows if compiled.positiontup else [dict(zip(names, row, strict=True)) for row in rows]
            self._connection.exec_driver_sql(str(compiled), values)

    def _update(self, table: Table, names: Sequence[str], rows: Sequence[Row]) -> None:
        """Change rows by their number, which comes first, in one call."""
        if rows:
            changed: dict[str, Any] = {name: bindparam(f"_{name}") for name in names[1:]}
            statement = update(table).where(table.c.no == bindparam("_no")).values(changed)
            self.execute(statement, [{f"_{n}": v for n, v in zip(names, row, strict=True)} for row in rows])


def _stored(canonical: Canonical | None) -> bytes | None:
    """A canonical record as the `clusters` table keeps it."""
    if canonical is None:
        return None
    return _json({"record": msgspec.Raw(encode(canonical.record)), "provenance": canonical.provenance})


def _evidence(event: Event) -> bytes | None:
    return None if event.evidence is None else _json(event.evidence)


def _ordered(pair: tuple[str, str]) -> tuple[str, str]:
    return (pair[0], pair[1]) if pair[0] < pair[1] else (pair[1], pair[0])
