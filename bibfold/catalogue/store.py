"""Opens a catalogue: finds or makes the database, keeps its options, and lets one process write at a time."""

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

import msgspec
from sqlalchemy import Connection, Engine, create_engine, delete, event, func, insert, select
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import StaticPool

from bibfold.catalogue import locks, schema
from bibfold.catalogue.locks import WRITER
from bibfold.errors import CatalogueError, CatalogueLocked

DATABASE = "catalogue.sqlite"


class Catalogue:
    """The system of record: an SQLite database in a folder, or one in memory that is thrown away."""

    def __init__(self, database: Engine, folder: Path | None, *, history: bool = True) -> None:
        self.database = database
        self.folder = folder
        self.history = history
        self._rights: dict[str, IO[str]] = {}

    def __enter__(self) -> "Catalogue":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the catalogue; the database's errors become ours."""
        with _translated(self.place), self.database.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: all of it or none of it; it waits for another process's to end."""
        if not self._rights and self.folder is not None:
            raise CatalogueError(f"{self.place} was opened for reading only")
        with _translated(self.place), self.database.execution_options(writes=True).begin() as connection:
            yield connection

    @property
    def place(self) -> str:
        """The catalogue's name in messages."""
        return str(self.folder or "the catalogue in memory")

    def acquire(self, right: str = WRITER) -> None:
        """Take the right to write, or to build an index, until `close` or the end of the process."""
        if self.folder is not None and right not in self._rights:
            with _files_translated(self.place):
                self._rights[right] = locks.take(self.folder, right)

    def at_index(self) -> AbstractContextManager[None]:
        """Wait to be alone with the published index: it stays the published one meanwhile."""
        return nullcontext() if self.folder is None else locks.at_index(self.folder)

    def release(self) -> None:
        """Give back all rights."""
        while self._rights:
            locks.release(self._rights.popitem()[1])

    def close(self) -> None:
        """Let go of the database and of all rights."""
        self.database.dispose()
        self.release()


def create(folder: Path) -> Catalogue:
    """Make a catalogue in a folder, or open the one that is there; opened for writing."""
    with _files_translated(str(folder)):
        folder.mkdir(parents=True, exist_ok=True)
        strangers = [entry.name for entry in folder.iterdir() if entry.name != WRITER]
        if strangers and not (folder / DATABASE).exists():
            raise CatalogueError(
                f"{folder} is not a catalogue and not empty (it holds {strangers[0]!r}); name another folder"
            )
    with _closed_on_error(Catalogue(_sqlite(folder / DATABASE), folder)) as catalogue:
        catalogue.acquire()
        with catalogue.writing() as connection:
            if schema.is_empty(connection):
                schema.create(connection)
            schema.migrate(connection, str(folder))
    return catalogue


def open_catalogue(folder: Path, *, write: bool = False) -> Catalogue:
    """Open the catalogue in a folder, for reading or for writing; an older one is brought up to date."""
    with _files_translated(str(folder)):
        there = (folder / DATABASE).is_file()
    if not there:
        raise CatalogueError(f"{folder} is no catalogue; make one with `bibfold ingest FILE --catalogue {folder}`")
    with _closed_on_error(Catalogue(_sqlite(folder / DATABASE), folder)) as catalogue:
        with catalogue.reading() as connection:
            older = schema.check_readable(connection, str(folder)) < schema.SCHEMA_VERSION
        if write or older:
            catalogue.acquire()
            with catalogue.writing() as connection:
                schema.migrate(connection, str(folder))
        if not write:
            catalogue.release()
    return catalogue


@contextmanager
def _closed_on_error(catalogue: Catalogue) -> Iterator[Catalogue]:
    try:
        yield catalogue
    except BaseException:
        catalogue.close()
        raise


def throw_away(*, history: bool = True) -> Catalogue:
    """A catalogue in memory, gone when closed; without `history` it keeps no events, reviews and outbox."""
    database = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    catalogue = Catalogue(_with_whole_transactions(database), None, history=history)
    with catalogue.writing() as connection:
        schema.create(connection)
    return catalogue


def begin_run(connection: Connection, command: str) -> int:
    """Note that a command starts to write; its number marks what it writes."""
    number = (connection.execute(select(func.max(schema.runs.c.no))).scalar() or 0) + 1
    connection.execute(insert(schema.runs).values(no=number, started=time.time(), command=command))
    return number


def options(connection: Connection) -> Mapping[str, Any]:
    """What the catalogue remembers: its engine, profile, keys and policies."""
    text = connection.execute(select(schema.meta.c.value).where(schema.meta.c.name == "options")).scalar()
    return dict(msgspec.json.decode(text)) if text else {}


def remember(connection: Connection, values: Mapping[str, Any]) -> None:
    """Keep options with the catalogue, in place of those it had."""
    connection.execute(delete(schema.meta).where(schema.meta.c.name == "options"))
    text = msgspec.json.encode(values).decode()
    connection.execute(insert(schema.meta).values(name="options", value=text))


def _sqlite(path: Path) -> Engine:
    """WAL lets readers go on beside the writer; full synchronisation makes what is acknowledged durable."""
    database = create_engine(f"sqlite:///{path}", connect_args={"timeout": 30})

    @event.listens_for(database, "connect")
    def set_up(connection: Any, _: object) -> None:
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "cache_size = -65536",
            "temp_store = MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")

    return _with_whole_transactions(database)


def _with_whole_transactions(database: Engine) -> Engine:
    """Begin each transaction at once: Python's driver would leave reads and changes of the schema outside."""

    @event.listens_for(database, "connect")
    def leave_it_to_us(connection: Any, _: object) -> None:
        connection.isolation_level = None

    @event.listens_for(database, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return database


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
