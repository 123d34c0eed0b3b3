"""The search engine that lives in memory: for bulk runs, and for what other engines do not show yet."""

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import ClassVar

from bibfold.engines.base import Change, Document, Hit, Put, Query
from bibfold.engines.memory_search import THREADS, search
from bibfold.engines.memory_segments import Segment, build, merge, place_of, without
from bibfold.errors import EngineError, IndexMissing

GROWTH = 2
"""Segments are merged unless each is this many times as large as all later ones together."""


class Memory:
    """An engine whose indexes are gone when the process ends."""

    persistent: ClassVar[bool] = False

    def __init__(self, threads: int = THREADS) -> None:
        self._threads = threads
        self._indexes: dict[str, _Index] = {}
        self._aliases: dict[str, str] = {}

    def create(self, index: str) -> None:
        if index in self._indexes or index in self._aliases:
            raise EngineError(f"{index}: there is an index or alias of this name already")
        self._indexes[index] = _Index()

    def drop(self, index: str) -> None:
        self._indexes.pop(index, None)
        self._aliases = {alias: target for alias, target in self._aliases.items() if target != index}

    def indexes(self) -> list[str]:
        return sorted(self._indexes)

    def publish(self, alias: str, index: str) -> None:
        if index not in self._indexes:
            raise IndexMissing(f"{index}: no such index, cannot publish it as {alias}")
        if alias in self._indexes:
            raise EngineError(f"{alias}: is the name of an index, cannot be an alias")
        self._aliases[alias] = index

    def published(self, alias: str) -> str | None:
        return self._aliases.get(alias)

    def write(self, index: str, changes: Iterable[Change]) -> int:
        return self._index(index).write(changes)

    def commit(self, index: str) -> None:
        self._index(index).commit()

    def search(self, index: str, queries: Sequence[Query], limit: int) -> list[list[Hit]]:
        return search(self._index(index).segments, queries, limit, self._threads)

    def get(self, index: str, ids: Sequence[str]) -> list[Document | None]:
        segments = self._index(index).segments
        return [_find(segments, id) for id in ids]

    def ids(self, index: str) -> Iterable[str]:
        segments = self._index(index).segments
        return (id for segment in segments for id in segment.held.ids[segment.live])

    def count(self, index: str) -> int:
        return sum(segment.size for segment in self._index(index).segments)

    def damage(self, index: str) -> Iterable[str]:
        self._index(index)
        return ()

    def ready(self) -> bool:
        return True

    def close(self) -> None:
        self._indexes = {}
        self._aliases = {}

    def _index(self, name: str) -> "_Index":
        index = self._indexes.get(self._aliases.get(name, name))
        if index is None:
            raise IndexMissing(f"{name}: no such index, and nothing is published under this name")
        return index


class _Index:
    """What was committed, as segments that never change, and what was written since.

    A search works on the tuple of segments it finds when it starts, so it needs no lock.
    """

    def __init__(self) -> None:
        self.segments: tuple[Segment, ...] = ()
        self._pending: dict[str, Document | None] = {}
        self._lock = Lock()

    def write(self, changes: Iterable[Change]) -> int:
        taken = 0
        with self._lock:
            for change in changes:
                if isinstance(change, Put):
                    self._pending[change.document.id] = change.document
                else:
                    self._pending[change.id] = None
                taken += 1
        return taken

    def commit(self) -> None:
        with self._lock:
            if not self._pending:
                return
            segments = [without(segment, self._pending.keys()) for segment in self.segments]
            if added := [document for document in self._pending.values() if document is not None]:
                segments.append(build(added))
            self.segments = _tidied(segments)
            self._pending = {}


def _tidied(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """The same documents in few segments, each far larger than the next, none with more dead than live."""
    kept = [part if 2 * part.size >= len(part.live) else merge([part]) for part in segments if part.size]
    tail: list[Segment] = []
    held = 0
    while kept and (not tail or kept[-1].size < GROWTH * held):
        tail.insert(0, kept.pop())
        held += tail[0].size
    return (*kept, merge(tail)) if len(tail) > 1 else (*kept, *tail)


def _find(segments: Sequence[Segment], id: str) -> Document | None:
    for segment in segments:
        if (place := place_of(segment, id)) is not None:
            held = segment.held
            return Document(id, held.terms[place], held.records[place], tuple(held.marks[place].tolist()))
    return None
