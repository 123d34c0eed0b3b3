"""Runs a stream of records through the fold, batch by batch."""

import gc
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager

import msgspec

from bibfold.records.formats.files import Files, shown_path
from bibfold.records.model import Item
from bibfold.workspace import Workspace, ensure_index
from indexer.leftovers import forget_stale_build
from indexer.outage import outlast
from indexer.outbox import deliver_waiting, refusals
from ingest.batches import Batch, batches
from ingest.decide import Rules
from ingest.fold import Fold
from ingest.groups import CanonicalPolicy
from ingest.observer import BatchFolded, Observer
from ingest.prefetch import is_long, prefetched
from ingest.reader import Job
from ingest.sifting import Run
from lookup.matcher import Matcher, matcher_of


class Totals(msgspec.Struct):
    """What a run has done so far."""

    records: int = 0
    unchanged: int = 0
    clusters: int = 0
    deleted: int = 0
    same: int = 0
    unsure: int = 0
    dead_letters: int = 0

    def add(self, event: BatchFolded) -> None:
        """Count a batch."""
        unsure = sum(pair.comparison.decision == "unsure" for pair in event.pairs)
        self.records += event.records
        self.unchanged += event.unchanged
        self.clusters += event.clusters
        self.unsure += unsure
        self.same += len(event.pairs) - unsure


def fold_stream(
    workspace: Workspace,
    stream: Iterable[Item],
    command: str = "ingest",
    observer: Observer = Observer(),  # noqa: B008 - frozen
    matcher: Matcher | None = None,
    *,
    obey_deletions: bool = True,
) -> Totals:
    """Fold all records of a stream and obey its deletions; what could not be read is kept as dead letters.

    Deletions that are not to be obeyed are remarked upon.
    """
    totals = Totals()
    matcher = matcher or matcher_of(workspace.settings)
    with collector_at_rest(), closing(_batches(workspace, matcher, stream)) as batches_:
        fold = start(workspace, matcher, command, observer)
        for batch in batches_:
            if batch.letters:
                with workspace.catalogue.writing() as write:
                    write.keep_dead_letters(batch.letters, fold.run.no)
            remarks: list[str] = []
            if batch.deletions and obey_deletions:
                deleted, remarks = fold.delete(batch.deletions)
                totals.deleted += deleted
            elif batch.deletions:
                remarks = [f"{one.key} is kept, although the input deletes it: {one.reason}" for one in batch.deletions]
            if batch.arrived:
                event, more = fold.batch(batch)
                totals.add(event)
                observer.batch(event)
                remarks += more
            for remark in remarks:
                observer.remark(remark)
            totals.dead_letters += len(batch.letters)
            for letter in batch.letters:
                observer.letter(letter)
            observer.progress(totals.records + totals.unchanged)
        if isinstance(stream, Files):
            with workspace.catalogue.writing() as write:
                write.close_dead_letters([shown_path(path) for path in stream.paths if path != "-"], fold.run.no)
    return totals


def _batches(workspace: Workspace, matcher: Matcher, stream: Iterable[Item]) -> Generator[Batch]:
    """The stream in batches; a long one is read by a second process."""
    with workspace.catalogue.reading() as read:
        held = read.last_record()
    most = workspace.settings.batch_size
    if is_long(stream):
        folder = workspace.catalogue.folder if held else None
        catalogue = str(folder) if folder else None
        yield from prefetched(Job(stream, matcher.retrieval, matcher.profile, held, most, catalogue))
    else:
        yield from batches(stream, matcher.retrieval.keys, held, most)


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Without garbage collection: nearly all that a fold makes is kept, without reference cycles."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def start(workspace: Workspace, matcher: Matcher, command: str, observer: Observer) -> Fold:
    """Begin a run: the index is there, and what an earlier run left in the outbox is delivered."""
    settings = workspace.settings
    for remark in outlast(lambda: _caught_up(workspace, observer), workspace.engine, settings.outage, observer.notice):
        observer.remark(remark)
    with workspace.catalogue.writing() as write:
        empty = write.last_record() == 0
        run = Run(write.begin_run(command), empty=empty)
    rules = Rules(
        "join-best" if settings.bridge == "join-best" else "merge",
        CanonicalPolicy(settings.canonical, settings.trust),
    )
    return Fold(workspace, matcher, rules, run, observer.notice)


def _caught_up(workspace: Workspace, observer: Observer) -> list[str]:
    """See to it that there is an index that lacks nothing; what there is to remark."""
    if not workspace.engine.ready():
        observer.notice(f"{workspace.address} is not ready; asking it again")
    ensure_index(workspace)
    forget_stale_build(workspace.catalogue)
    return refusals(deliver_waiting(workspace))
