"""The embedded search engine: tantivy indexes on disk, a folder each, and pointer files for the aliases."""

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import ClassVar

import tantivy

from bibfold.engines.base import Change, Document, Hit, Query
from bibfold.engines.tantivy_index import TantivyIndex, reading, schema
from bibfold.engines.tantivy_sharing import share_files
from bibfold.errors import EngineError, IndexMissing
from bibfold.files import replaced, share, sync

NAME = re.compile(r"\w[\w.-]*")
POINTER = ".alias-"
"""What a pointer file's name begins with; the alias follows, and the file holds the index's name."""

DROPPED = ".dropped-"
"""What the folder of an index that is being removed is called, so that a crash leaves no half index."""


class Tantivy:
    """An engine in a folder. One process at a time may write to an index; any number may read it."""

    persistent: ClassVar[bool] = True

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._lock = Lock()
        self._open: dict[str, TantivyIndex] = {}

    def create(self, index: str) -> None:
        folder = self._place(index)
        with reading(self._folder):
            if folder.exists() or self._pointer(index).exists():
                raise EngineError(f"{folder}: there is an index or alias of this name already")
            unfinished = self._folder / f".new-{index}-{token_hex(8)}"
            unfinished.mkdir(parents=True)
            share(self._folder)
            share(unfinished)
            tantivy.Index(schema(), str(unfinished))
            share_files(unfinished)
            unfinished.rename(folder)
            sync(self._folder)

    def drop(self, index: str) -> None:
        folder = self._place(index)
        with self._lock:
            held = self._open.pop(index, None)
        if held is not None:
            held.close()
        with reading(self._folder):
            if folder.is_dir():
                folder.rename(self._folder / f"{DROPPED}{index}-{token_hex(4)}")
            for rest in self._folder.glob(f"{DROPPED}*"):
                shutil.rmtree(rest, ignore_errors=True)

    def indexes(self) -> list[str]:
        with reading(self._folder):
            if not self._folder.exists():
                return []
            return sorted(one.name for one in self._folder.iterdir() if NAME.fullmatch(one.name) and one.is_dir())

    def publish(self, alias: str, index: str) -> None:
        if not self._place(index).is_dir():
            raise IndexMissing(f"{self._place(index)}: no such index, cannot publish it as {alias}")
        if self._place(alias).is_dir():
            raise EngineError(f"{alias}: is the name of an index, cannot be an alias")
        pointer = self._pointer(alias)
        with reading(self._folder), replaced(pointer) as file:
            file.write(index.encode())
        share(pointer)

    def published(self, alias: str) -> str | None:
        target = self._target(alias)
        return target if target is not None and self._place(target).is_dir() else None

    def write(self, index: str, changes: Iterable[Change]) -> int:
        return self._index(index).write(changes)

    def commit(self, index: str) -> None:
        self._index(index).commit()

    def search(self, index: str, queries: Sequence[Query], limit: int) -> list[list[Hit]]:
        return self._index(index).search(queries, limit)

    def get(self, index: str, ids: Sequence[str]) -> list[Document | None]:
        return self._index(index).get(ids)

    def ids(self, index: str) -> Iterator[str]:
        return self._index(index).ids()

    def count(self, index: str) -> int:
        return self._index(index).count()

    def damage(self, index: str) -> Iterable[str]:
        return self._index(index).damage()

    def ready(self) -> bool:
        try:
            self.indexes()
        except EngineError:
            return False
        return True

    def close(self) -> None:
        with self._lock:
            held, self._open = self._open, {}
        for index in held.values():
            if index.there():
                index.close()

    def _index(self, name: str) -> TantivyIndex:
        target = self._target(name) or name
        with self._lock:
            if target not in self._open:
                self._open = {one: held for one, held in self._open.items() if held.there()}
                self._open[target] = TantivyIndex(self._place(target))
            return self._open[target]

    def _target(self, alias: str) -> str | None:
        """What the pointer file says; read each time, since another process may publish at any time.

        One that is empty or garbled points at nothing.
        """
        with reading(self._folder):
            try:
                target = self._pointer(alias).read_bytes().decode(errors="replace")
            except FileNotFoundError:
                return None
        return target if NAME.fullmatch(target) else None

    def _place(self, name: str) -> Path:
        if not NAME.fullmatch(name):
            raise EngineError(f"{name!r} cannot name an index: use letters, digits, '_', '-' and '.'")
        return self._folder / name

    def _pointer(self, alias: str) -> Path:
        return self._place(alias).with_name(f"{POINTER}{alias}")
