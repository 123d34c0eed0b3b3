"""A person's changes, kept so that they can be listed and undone: how records lay and what was decided of them."""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from sqlalchemy import insert, select, update

from bibfold.catalogue.reading import Reading
from bibfold.catalogue.rows import chunks
from bibfold.catalogue.schema import clusters, curations, decisions, records
from bibfold.catalogue.views import time_text
from bibfold.catalogue.writing import Writing

Pair = tuple[str, str]


class Verdict(msgspec.Struct, frozen=True, array_like=True):
    """What a person decided of a pair of records."""

    verdict: str
    at: float
    note: str
    curation: int | None

    @property
    def word(self) -> tuple[str, float, str]:
        """What was said, and when: without the change that it refers to."""
        return self.verdict, self.at, self.note


class State(msgspec.Struct, frozen=True):
    """In which clusters some records lie, and what was decided between them."""

    homes: dict[str, int]
    verdicts: list[tuple[Pair, Verdict]]

    @property
    def by_pair(self) -> dict[Pair, Verdict]:
        """The verdicts by pair."""
        return dict(self.verdicts)


class Curation(msgspec.Struct, frozen=True):
    """A change that a person made, by a command, and what it changed."""

    no: int
    command: str
    note: str
    before: State
    after: State
    undone: bool


def members(read: Reading, numbers: Iterable[int]) -> dict[str, int]:
    """The records of clusters, by key, each with its cluster."""
    query = select(records.c.key, records.c.cluster).order_by(records.c.no)
    parts = (read.execute(query.where(records.c.cluster.in_(part))) for part in chunks(numbers))
    return {key: cluster for rows in parts for key, cluster in rows}


def state(read: Reading, keys: Collection[str]) -> State:
    """How records lie now, and what is decided between them."""
    homes = {key: stored.cluster for key, stored in read.stored(keys).items()}
    verdicts = []
    for part in chunks(keys):
        for row in read.execute(select(decisions).where(decisions.c.a.in_(part)).order_by(decisions.c.a)):
            if row.b in homes:
                verdicts.append(((row.a, row.b), Verdict(row.verdict, row.at, row.note, row.curation)))
    return State(homes, verdicts)


def keep(write: Writing, command: str, note: str, before: State, after: State) -> None:
    """Keep a change; what was decided by it refers to it from now on."""
    row = {"at": time.time(), "command": command, "note": note}
    states = {"before": msgspec.json.encode(before), "after": msgspec.json.encode(after)}
    no = write.execute(insert(curations).values(row | states).returning(curations.c.no)).scalar_one()
    for a, b in changed(before, after):
        write.execute(update(decisions).where(decisions.c.a == a, decisions.c.b == b).values(curation=no))


def changed(before: State, after: State) -> set[Pair]:
    """The pairs of which something else is decided after than before."""
    was, now = before.by_pair, after.by_pair
    return {pair for pair in was | now if was.get(pair) != now.get(pair)}


def verdict(read: Reading, pair: Pair) -> Verdict | None:
    """What a person decided of two records, whichever way round."""
    a, b = sorted(pair)
    row = read.execute(select(decisions).where(decisions.c.a == a, decisions.c.b == b)).first()
    return Verdict(row.verdict, row.at, row.note, row.curation) if row else None


def curation(read: Reading, no: int) -> Curation:
    """A change that was kept."""
    row = read.execute(select(curations).where(curations.c.no == no)).one()
    before, after = (msgspec.json.decode(text, type=State) for text in (row.before, row.after))
    return Curation(row.no, row.command, row.note, before, after, row.undone is not None)


def restore_verdicts(write: Writing, before: State, after: State) -> None:
    """Let the verdicts that a change replaced stand again, and forget those that it brought."""
    pairs = changed(before, after)
    write.forget_verdicts(pairs)
    was = before.by_pair
    rows = [{"a": a, "b": b, **msgspec.structs.asdict(old)} for a, b in pairs if (old := was.get((a, b))) is not None]
    if rows:
        write.execute(insert(decisions), rows)


def redirect(write: Writing, targets: Mapping[int, int | None]) -> None:
    """Let clusters redirect to others, or to none."""
    for no, target in targets.items():
        write.execute(update(clusters).where(clusters.c.no == no).values(merged_into=target))


def mark_undone(write: Writing, no: int) -> None:
    """Note that a change was undone."""
    write.execute(update(curations).where(curations.c.no == no).values(undone=time.time()))


def decision_list(read: Reading, limit: int | None = None) -> Iterator[dict[str, Any]]:
    """What a person decided, newest first: the records, the verdict, the note, and the command that brought it."""
    command = curations.c.command
    query = select(decisions, command).join(curations, curations.c.no == decisions.c.curation, isouter=True)
    for row in read.execute(query.order_by(decisions.c.at.desc(), decisions.c.a, decisions.c.b).limit(limit)):
        made = {"at": time_text(row.at), "command": row.command}
        yield {"a": row.a, "b": row.b, "verdict": row.verdict, "note": row.note, **made}
