"""Runs a stream of records through the fold, batch by batch."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from bibfold.records.model import DeadLetter, Record
from bibfold.workspace import Workspace, ensure_index
from indexer.leftovers import forget_stale_build
from indexer.outage import outlast
from indexer.outbox import deliver_waiting, refusals
from ingest.ahead import ahead
from ingest.arriving import Plan, batches
from ingest.candidates import Told
from ingest.decide import Pair, Rules
from ingest.fold import Fold, Folded
from ingest.groups import CanonicalPolicy
from ingest.incoming import Run
from lookup.setup import profile_of, retrieval_of


class Totals(msgspec.Struct):
    """What a run has done so far."""

    records: int = 0
    unchanged: int = 0
    clusters: int = 0
    same: int = 0
    unsure: int = 0
    dead_letters: int = 0


class Watcher(msgspec.Struct, frozen=True):
    """Who is told what while a run goes on; `notice` is for what the user should know at once."""

    pairs: Callable[[list[Pair]], Any] = lambda pairs: None
    remark: Callable[[str], Any] = lambda text: None
    letter: Callable[[DeadLetter], Any] = lambda letter: None
    progress: Callable[[int], Any] = lambda records: None
    proposed: Told | None = None
    notice: Callable[[str], Any] = lambda text: None


def fold_stream(
    workspace: Workspace,
    stream: Iterable[Record | DeadLetter],
    command: str = "ingest",
    watcher: Watcher = Watcher(),  # noqa: B008 - frozen
) -> Totals:
    """Fold all records of a stream; what could not be read is kept as dead letters."""
    fold = start(workspace, command, watcher)
    fold.told = watcher.proposed
    totals = Totals()
    with workspace.catalogue.reading() as read:
        held = read.last_record()
    plan = Plan(fold.wanted, fold.rules.profile, held, workspace.settings.batch_size)
    with collector_at_rest():
        for batch in ahead(batches(stream, plan), plan):
            if batch.letters:
                with workspace.catalogue.writing() as write:
                    write.keep_dead_letters(batch.letters, fold.run.no)
            if batch.incoming:
                _count(totals, fold.batch(batch), watcher)
            totals.dead_letters += len(batch.letters)
            for letter in batch.letters:
                watcher.letter(letter)
            watcher.progress(totals.records + totals.unchanged)
    return totals


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Without garbage collection: nearly all that a fold makes is kept, and none of it goes in circles."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def start(workspace: Workspace, command: str, watcher: Watcher) -> Fold:
    """Begin a run: the index is there, and what an earlier run left in the outbox is delivered."""
    settings = workspace.settings
    profile = profile_of(settings)
    for remark in outlast(lambda: _caught_up(workspace, watcher), workspace.engine, settings.outage, watcher.notice):
        watcher.remark(remark)
    with workspace.catalogue.writing() as write:
        empty = write.last_record() == 0
        run = Run(write.begin_run(command), seen=set() if empty else None)
    rules = Rules(
        profile,
        "join-best" if settings.bridge == "join-best" else "merge",
        CanonicalPolicy(settings.canonical, settings.trust),
    )
    return Fold(workspace, rules, retrieval_of(settings, profile), run, watcher.notice)


def _caught_up(workspace: Workspace, watcher: Watcher) -> list[str]:
    """See to it that there is an index that lacks nothing; what there is to remark."""
    if not workspace.engine.ready():
        watcher.notice(f"{workspace.address} is not ready; asking it again")
    ensure_index(workspace)
    forget_stale_build(workspace.catalogue)
    return refusals(deliver_waiting(workspace))


def _count(totals: Totals, folded: Folded, watcher: Watcher) -> None:
    totals.records += folded.records
    totals.unchanged += folded.unchanged
    totals.clusters += folded.clusters
    unsure = sum(pair.comparison.decision == "unsure" for pair in folded.pairs)
    totals.unsure += unsure
    totals.same += len(folded.pairs) - unsure
    watcher.pairs(folded.pairs)
    for remark in folded.remarks:
        watcher.remark(remark)
