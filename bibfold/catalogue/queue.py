"""The catalogue's durable queue: commands that wait for the writer, and what became of them."""

import time
from typing import Literal

import msgspec
from sqlalchemy import func, select, update

from bibfold.catalogue.reading import Reading
from bibfold.catalogue.schema import commands
from bibfold.catalogue.writing import Writing
from bibfold.errors import NotFound

State = Literal["waiting", "done", "failed"]


class Queued(msgspec.Struct, frozen=True):
    """A command in the queue: who left it, and the answer where it was carried out."""

    no: int
    at: float
    who: str
    body: bytes
    state: State
    answer: bytes | None


def waiting(read: Reading, limit: int) -> list[Queued]:
    """The commands that wait, oldest first."""
    query = select(commands).where(commands.c.state == "waiting").order_by(commands.c.no).limit(limit)
    return [_queued(row) for row in read.execute(query)]


def count_waiting(read: Reading) -> int:
    """How many commands wait."""
    return read.execute(select(func.count()).select_from(commands).where(commands.c.state == "waiting")).scalar_one()


def ticket(read: Reading, no: int) -> Queued:
    """What became of a command."""
    row = read.execute(select(commands).where(commands.c.no == no)).first() if abs(no) < 2**63 else None
    if row is None:
        raise NotFound(f"no ticket {no} here")
    return _queued(row)


def settle(write: Writing, no: int, state: State, answer: bytes | None) -> None:
    """Keep what became of a command; the answer may follow the transaction that carries it out."""
    values = {"state": state, "answer": answer, "answered": time.time()}
    write.execute(update(commands).where(commands.c.no == no).values(values))


def _queued(row: object) -> Queued:
    return msgspec.convert(row, Queued, from_attributes=True)
