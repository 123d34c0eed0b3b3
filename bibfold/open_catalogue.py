"""A catalogue that is kept open: what the commands do with a catalogue, as methods."""

import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Literal, Self, Unpack

from bibfold.catalogue.curations import decision_list
from bibfold.catalogue.export_file import export
from bibfold.catalogue.reviews import review_list
from bibfold.catalogue.store import is_catalogue
from bibfold.catalogue.views import (
    ClusterData,
    EventData,
    Statistics,
    cluster_data,
    dead_letter_list,
    event_list,
    statistics,
)
from bibfold.outputs import Output
from bibfold.records.inputs import Input, RecordLike, as_record, read
from bibfold.settings import SettingValues, from_keywords
from bibfold.workspace import Layers, Workspace, ensure_index, opened
from indexer import build
from indexer import check as checking
from ingest import curate, deletion
from ingest.curation.undo import undo_decision
from ingest.deletion import Removed
from ingest.observer import Observer
from ingest.repair import change_data, repair
from ingest.run import Totals, fold_stream
from lookup.answers import Answer, look_up

_log = logging.getLogger("bibfold")

LOGGED = Observer(
    remark=_log.warning,
    notice=_log.warning,
    letter=lambda letter: _log.info("%s, %s: %s", letter.file, letter.position, letter.reason),
)
"""Sends what a run remarks upon to the logger `bibfold`."""


class OpenCatalogue:
    """A catalogue and its index, open for questions; the right to write is held only while a method writes.

    Use it as a context manager, or call `close`. Records and clusters are named as in the commands: `source:id`, `c1`.
    """

    def __init__(self, folder: Path, layers: Layers) -> None:
        self._folder = folder
        self._layers = layers
        self._stack = ExitStack()
        self._workspace = self._reopened()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the catalogue and its index."""
        self._stack.close()

    def ingest(
        self,
        given: Input,
        *,
        format: str | None = None,
        source: str | None = None,
        columns: Mapping[str, str] = {},
    ) -> Totals:
        """Fold files or records into the catalogue (`bibfold ingest`); `bibfold.read` explains the arguments."""
        stream = read(given, format=format, source=source, columns=columns)
        with self._writing() as workspace:
            return fold_stream(workspace, stream, "ingest", LOGGED)

    def lookup(self, record: RecordLike) -> Answer:
        """Look one record up (`bibfold lookup`): its decision, and the candidates with their evidence."""
        (answer,) = self.lookup_many([record])
        return answer

    def lookup_many(self, records: Iterable[RecordLike]) -> Iterator[Answer]:
        """Look records up, in batches: an answer for each, in order. Raises RecordError for one that is malformed."""
        return look_up(self._workspace, (as_record(record) for record in records))

    def merge(self, *names: str, note: str = "") -> str:
        """Merge clusters, each named by its id or by a record (`bibfold merge`); the id of the one that remains."""
        with self._writing() as workspace:
            return curate.merge(workspace, names, note, _log.warning)

    def split(self, cluster: str, *records: str, note: str = "") -> str:
        """Move records out of a cluster into one of their own, for good (`bibfold split`); its id."""
        with self._writing() as workspace:
            return curate.split(workspace, cluster, records, note, _log.warning)

    def decide(
        self, a: str, b: str, verdict: Literal["same", "different"], note: str = "", *, overrule: bool = False
    ) -> tuple[str, str]:
        """Decide on two records for good (`bibfold decide`); the clusters that they are in afterwards."""
        with self._writing() as workspace:
            first, second = curate.decide(workspace, a, b, verdict, note, _log.warning, overrule=overrule)
        return first, second

    def delete(self, *records: str, note: str = "", purge: bool = False) -> list[Removed]:
        """Delete records, or leave no trace of them (`bibfold delete`); where each was, and what is left there."""
        with self._writing() as workspace:
            return deletion.delete(workspace, records, note, _log.warning, for_good=purge)

    def undo(self, a: str, b: str) -> list[str]:
        """Undo what was decided of two records (`bibfold decisions --undo`); the clusters that they are in then."""
        with self._writing() as workspace:
            return undo_decision(workspace, a, b, _log.warning)

    def repair(self, *, dry_run: bool = False, **settings: Unpack[SettingValues]) -> list[dict[str, Any]]:
        """Settle what the order of arrival decided, or apply other settings (`bibfold repair`); every change.

        With `dry_run` the changes are only told. Settings that are given are kept with the catalogue.
        """
        changes: list[dict[str, Any]] = []
        layers = [*self._layers, from_keywords(settings)]
        with opened(self._folder, layers, write=not dry_run) as workspace:
            repair(workspace, lambda change: changes.append(change_data(change)), LOGGED, dry_run=dry_run)
        return changes

    def reindex(self, **settings: Unpack[SettingValues]) -> str:
        """Build the index anew, by other settings if they are given (`bibfold reindex`); the index's name."""
        layers = [*self._layers, from_keywords(settings)]
        with opened(self._folder, layers, rebuild=True) as workspace:
            index = build.reindex(workspace, build.Observer(remark=_log.warning))
        self._layers = layers
        self._workspace = self._reopened()
        return index

    def check(self, *, repair: bool = False, quick: bool = False) -> checking.Differences:
        """Compare catalogue and index, and repair the index if asked (`bibfold check`)."""
        if not repair:
            return checking.check(self._workspace, quick=quick)
        with self._writing() as workspace:
            return checking.repair(workspace)

    def export(self, out: str | os.PathLike[str], format: str = "jsonl", *, force: bool = False) -> None:
        """Write the canonical records into a file (`bibfold export`); `force` replaces one that is no export."""
        export(self._workspace.catalogue, format, Output(Path(out), "bibfold export", force=force))

    def show(self, name: str) -> ClusterData:
        """A cluster, named by its id or by a record: its canonical record and its members, or raises Retired."""
        with self._workspace.catalogue.reading() as connection:
            return cluster_data(connection, name)

    def stats(self) -> Statistics:
        """How much the catalogue holds, and its settings (`bibfold stats`)."""
        with self._workspace.catalogue.reading() as connection:
            return statistics(connection)

    def events(self, name: str | None = None, limit: int = 50) -> list[EventData]:
        """What happened to all clusters, or to one, newest first (`bibfold events`)."""
        with self._workspace.catalogue.reading() as connection:
            return list(event_list(connection, name, limit))

    def reviews(self, limit: int = 50) -> list[dict[str, Any]]:
        """The pairs that a person should decide, highest score first (`bibfold reviews`)."""
        with self._workspace.catalogue.reading() as connection:
            return list(review_list(connection, limit))

    def decisions(self, limit: int | None = 50) -> list[dict[str, Any]]:
        """What a person decided, newest first (`bibfold decisions`)."""
        with self._workspace.catalogue.reading() as connection:
            return list(decision_list(connection, limit))

    def dead_letters(self, limit: int = 50) -> list[dict[str, Any]]:
        """What could not be read, oldest first (`bibfold dead-letters`)."""
        with self._workspace.catalogue.reading() as connection:
            return list(dead_letter_list(connection, limit))

    def _writing(self) -> AbstractContextManager[Workspace]:
        return opened(self._folder, self._layers, write=True)

    def _reopened(self) -> Workspace:
        self._stack.close()
        return self._stack.enter_context(opened(self._folder, self._layers))


def open_catalogue(
    folder: str | os.PathLike[str], *, create: bool = False, **settings: Unpack[SettingValues]
) -> OpenCatalogue:
    """Open the catalogue in a folder; `create` makes it if it is not there, with the settings that are given."""
    path, layers = Path(folder), [from_keywords(settings)]
    if create and not is_catalogue(path):
        with opened(path, layers, create=True) as workspace:
            ensure_index(workspace)
    return OpenCatalogue(path, layers)
