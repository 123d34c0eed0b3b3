"""Commands for the writer: whoever holds the right to write carries them out, in order, and answers each."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import msgspec

from bibfold.catalogue.queue import Queued, settle, waiting
from bibfold.errors import BibfoldError, CatalogueError, EngineUnavailable, NotFound
from bibfold.records.native import decode as decode_record
from bibfold.workspace import Workspace
from ingest import curate, deletion
from ingest.curate import Tell
from ingest.curation.undo import undo_decision
from ingest.run import fold_stream

_log = logging.getLogger("bibfold.ingest")

TOGETHER = 100
"""So many commands are taken from the queue at once."""


class Merge(msgspec.Struct, frozen=True, tag="merge"):
    """Make clusters one; each is named by its id or by a record."""

    clusters: tuple[str, ...]
    note: str = ""


class Split(msgspec.Struct, frozen=True, tag="split"):
    """Take records out of a cluster, for good."""

    cluster: str
    records: tuple[str, ...]
    note: str = ""


class Decide(msgspec.Struct, frozen=True, tag="decide"):
    """Keep a person's word on two records."""

    a: str
    b: str
    verdict: Literal["same", "different"]
    note: str = ""


class Undo(msgspec.Struct, frozen=True, tag="undo"):
    """Take back what was decided of two records, and what that did to their clusters."""

    a: str
    b: str


class Delete(msgspec.Struct, frozen=True, tag="delete"):
    """Take records out; the same content stays out when it is read again."""

    records: tuple[str, ...]
    note: str = ""


class Fold(msgspec.Struct, frozen=True, tag="fold"):
    """Fold records, each in its native form."""

    records: tuple[msgspec.Raw, ...]


Command = Merge | Split | Decide | Undo | Delete | Fold

encode = msgspec.json.Encoder().encode
_decode: Callable[[bytes], Command] = msgspec.json.Decoder(Command).decode


def carry_out_waiting(workspace: Workspace, tell: Tell = curate.silent) -> int:
    """Carry out all commands that wait; how many there were. One that fails is answered so, and the others go on."""
    count = 0
    while True:
        with workspace.catalogue.reading() as read:
            queued = waiting(read, TOGETHER)
        if not queued:
            return count
        for command in queued:
            _answer(workspace, command, tell)
        count += len(queued)


def _answer(workspace: Workspace, queued: Queued, tell: Tell) -> None:
    """Carry out one command: it is marked as done in the transaction that does it, so that it is never done twice."""
    catalogue = workspace.catalogue
    try:
        command = _decode(queued.body)
        if not isinstance(command, Fold):
            catalogue.with_next_write(partial(settle, no=queued.no, state="done", answer=None))
        answer = _carried_out(workspace, command, queued.who, tell)
    except Exception as error:
        catalogue.with_next_write(None)
        if isinstance(error, EngineUnavailable | CatalogueError) and not isinstance(error, NotFound):
            raise
        if not isinstance(error, BibfoldError | msgspec.DecodeError):
            _log.exception("command %s failed", queued.no)
        with catalogue.writing() as write:
            settle(write, queued.no, "failed", encode({"error": str(error)}))
    else:
        with catalogue.writing() as write:
            settle(write, queued.no, "done", encode(answer))


def _carried_out(workspace: Workspace, command: Command, who: str, tell: Tell) -> dict[str, Any]:
    """Do what a command says; what to answer. Who asked stands before the note."""
    match command:
        case Merge():
            return {"cluster": curate.merge(workspace, command.clusters, _signed(who, command.note), tell)}
        case Split():
            note = _signed(who, command.note)
            return {"cluster": curate.split(workspace, command.cluster, command.records, note, tell)}
        case Decide():
            note = _signed(who, command.note)
            return {"clusters": curate.decide(workspace, command.a, command.b, command.verdict, note, tell)}
        case Undo():
            return {"clusters": undo_decision(workspace, command.a, command.b, tell)}
        case Delete():
            removed = deletion.delete(workspace, command.records, _signed(who, command.note), tell)
            return {"removed": [msgspec.structs.asdict(record) for record in removed]}
        case Fold():
            records = [decode_record(bytes(record)) for record in command.records]
            totals = fold_stream(workspace, records, f"fold for {who}")
            with workspace.catalogue.reading() as read:
                found = read.stored([record.key for record in records])
            homes = {key: f"c{stored.cluster}" for key, stored in found.items()}
            return {"records": homes, "new": totals.clusters, "unchanged": totals.unchanged, "unsure": totals.unsure}


def _signed(who: str, note: str) -> str:
    return f"{who}: {note}" if note else f"by {who}"
