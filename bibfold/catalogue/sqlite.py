"""All that is SQLite's own: where the database lies, how transactions begin, who may write, what its errors mean.

Another database is another class with the methods of `SQLite`.
"""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from stat import S_ISGID
from typing import IO, Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import StaticPool

from bibfold.catalogue import locks
from bibfold.catalogue.locks import Right
from bibfold.errors import CatalogueError, CatalogueLocked
from bibfold.files import share
from bibfold.outputs import DATABASE

FILES: Final = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm")
"""The database, and what SQLite keeps beside it while it is written to."""

FINDINGS = 20
"""So many things that are wrong with a database are told."""


class SQLite:
    """A database file in a folder, with lock files beside it; or one in memory, which nobody else can open."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._unchanging = folder is not None and _must_not_change(folder)
        self._engine = _in_memory() if folder is None else _on_disk(folder / DATABASE, unchanging=self._unchanging)
        self._state = self._changed()
        self._rights: dict[Right, IO[str] | None] = {}

    @property
    def place(self) -> str:
        """The database's name in messages."""
        return str(self.folder or "the catalogue in memory")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the database; errors become ours."""
        with _translated(self.place), self._engine.connect() as connection:
            yield connection
        if self._unchanging and self._changed() != self._state:
            raise CatalogueError(f"{self.place} was written to while it was read; run the command again")

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, alone from its beginning: it waits for another process's to end."""
        if not self._rights and self.folder is not None:
            raise CatalogueError(f"{self.place} was opened for reading only")
        with _translated(self.place), self._engine.execution_options(writes=True).begin() as connection:
            yield connection

    def overwrite_deleted(self) -> None:
        """Leave nothing in the file, nor in the log beside it, of what was deleted with `secure_delete` on."""
        with _translated(self.place), self._engine.connect() as connection:
            connection.rollback()
            connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def damage(self) -> list[str]:
        """What SQLite finds wrong with the database: pages, indexes, rows; the first few findings."""
        try:
            with self._engine.connect() as connection:
                found = connection.exec_driver_sql(f"PRAGMA integrity_check({FINDINGS})").scalars().all()
        except DatabaseError as error:
            return [str(error.orig)]
        return [] if found == ["ok"] else [line for text in found for line in text.splitlines()]

    @contextmanager
    def asking(self) -> Iterator[Connection]:
        """A short transaction beside the writer's, for which no right is needed."""
        with _translated(self.place), self._engine.execution_options(writes=True).begin() as connection:
            yield connection

    def acquire(self, right: Right, wait: float = 0) -> None:
        """Take a right until it is released or the process ends; refused where another process keeps it longer."""
        if right in self._rights:
            return
        if self.folder is None:
            self._rights[right] = None
            return
        with _files_translated(self.place):
            self._rights[right] = locks.take(self.folder, right, wait)
        for name in FILES:
            share(self.folder / name)

    def release(self) -> None:
        """Give back all rights."""
        for right in list(self._rights):
            self._give_back(right)

    @contextmanager
    def having(self, right: Right) -> Iterator[None]:
        """Take a right for a while; refused where anybody has it, this process included."""
        if right in self._rights:
            raise CatalogueLocked(f"{self.place}: this process is the {right} already")
        self.acquire(right)
        try:
            yield
        finally:
            self._give_back(right)

    def _changed(self) -> object:
        """What changes when the database is written to by another process."""
        if not self._unchanging or self.folder is None:
            return None
        with _files_translated(self.place):
            status = (self.folder / DATABASE).stat()
            return status.st_mtime_ns, status.st_size, (self.folder / FILES[1]).exists()

    def _give_back(self, right: Right) -> None:
        if lock := self._rights.pop(right):
            locks.release(lock)

    def at_index(self) -> AbstractContextManager[None]:
        """Wait to be alone with the published index; who may not write to the folder cannot be."""
        if self.folder is None or not os.access(self.folder, os.W_OK):
            return nullcontext()
        return locks.at_index(self.folder)

    def close(self) -> None:
        """Let go of the database and of all rights."""
        self._engine.dispose()
        self.release()


def make_folder(folder: Path) -> None:
    """Make the folder of a catalogue; one that holds something else is refused."""
    with _files_translated(str(folder)):
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            if folder.parent.stat().st_mode & S_ISGID:
                share(folder)
        strangers = [entry.name for entry in folder.iterdir() if entry.name != locks.FILES["writer"]]
        if strangers and not (folder / DATABASE).exists():
            raise CatalogueError(
                f"{folder} is not a catalogue and not empty (it holds {strangers[0]!r}); name another folder"
            )

        if not (folder / DATABASE).exists():
            (folder / DATABASE).touch()
            share(folder / DATABASE)


def is_there(folder: Path) -> bool:
    """Whether a folder holds a database."""
    with _files_translated(str(folder)):
        return (folder / DATABASE).is_file()


def _must_not_change(folder: Path) -> bool:
    """Whether a database can be read only as long as nobody writes to it.

    To read beside a writer, SQLite needs files in the folder: those that a writer has made, or else its own.
    """
    if os.access(folder, os.W_OK) or (folder / FILES[1]).exists() or not (folder / DATABASE).exists():
        return False
    if locks.is_held(folder, "writer"):
        raise CatalogueLocked(f"{folder} is being written by another process, and you may only read it; try again")
    return True


def _on_disk(path: Path, *, unchanging: bool) -> Engine:
    """WAL lets readers go on beside the writer; full synchronisation makes what is acknowledged durable."""
    pragmas = ["synchronous = FULL", "cache_size = -65536", "temp_store = MEMORY"]
    if unchanging:
        query = {"mode": "ro", "immutable": "1", "uri": "true"}
        address = URL.create("sqlite", database=f"file:{quote(str(path.absolute()))}", query=query)
    else:
        address = URL.create("sqlite", database=str(path))
        pragmas.insert(0, "journal_mode = WAL")
    engine = create_engine(address, connect_args={"timeout": 30})

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: object) -> None:
        try:
            for pragma in pragmas:
                connection.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()  # the pool does not know it yet
            raise

    return _with_whole_transactions(engine)


def _in_memory() -> Engine:
    return _with_whole_transactions(
        create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    )


def _with_whole_transactions(engine: Engine) -> Engine:
    """Begin each transaction at once: Python's driver would leave reads and changes of the schema outside."""

    @event.listens_for(engine, "connect")
    def leave_it_to_us(connection: Any, _: object) -> None:
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


@contextmanager
def _translated(place: str) -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        reason = str(error.orig)
        if "locked" in reason:
            raise CatalogueLocked(f"{place} is locked by another program; close it and try again") from error
        raise CatalogueError(f"{place} cannot be used: {reason}; check the disk and your rights to it") from error
    except DatabaseError as error:
        raise CatalogueError(
            f"{place} cannot be used: {error.orig}; restore it from a backup, or name another folder"
        ) from error


@contextmanager
def _files_translated(place: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise CatalogueError(f"{place} cannot be used: {reason}; check the disk and your rights to it") from error
