"""Opens a catalogue: finds or makes its database, and lets one process write at a time."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from bibfold.catalogue import schema, sqlite
from bibfold.catalogue.asking import Asking
from bibfold.catalogue.locks import Right
from bibfold.catalogue.reading import Reading
from bibfold.catalogue.sqlite import SQLite
from bibfold.catalogue.writing import Writing
from bibfold.errors import CatalogueError


class Catalogue:
    """The system of record; without `history` it keeps no events, reviews and changes."""

    def __init__(self, database: SQLite, *, history: bool = True) -> None:
        self._database = database
        self.history = history
        self._along: Callable[[Writing], None] | None = None

    def __enter__(self) -> "Catalogue":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """See one state of the catalogue, and ask what it holds."""
        with self._database.reading() as connection:
            yield Reading(connection)

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Change the catalogue in one transaction: all of it or none of it; it waits for another process's to end."""
        with self._database.writing() as connection:
            write = Writing(connection, history=self.history)
            yield write
            along, self._along = self._along, None
            if along is not None:
                along(write)

    def with_next_write(self, along: Callable[[Writing], None] | None) -> None:
        """Do something in the next transaction that ends well, whoever begins it; None takes that back."""
        self._along = along

    def overwrite_deleted(self) -> None:
        """Leave nothing on the disk of what was purged."""
        self._database.overwrite_deleted()

    def damage(self) -> list[str]:
        """What is wrong with the database itself, as far as it can tell; then what it holds cannot be trusted."""
        return self._database.damage()

    @contextmanager
    def asking(self) -> Iterator[Asking]:
        """Leave something beside the writer, in one short transaction; see `Asking`."""
        with self._database.asking() as connection:
            yield Asking(connection)

    @property
    def place(self) -> str:
        """The catalogue's name in messages."""
        return self._database.place

    @property
    def folder(self) -> Path | None:
        """Where the catalogue lies, if it is kept."""
        return self._database.folder

    def acquire(self, right: Right = "writer", wait: float = 0) -> None:
        """Take the right to write, or to build an index, until `close` or the end of the process.

        Another process that has it is waited for, so many seconds.
        """
        self._database.acquire(right, wait)

    def having(self, right: Right) -> AbstractContextManager[None]:
        """Take a right for a while; refused where anybody has it, this process included."""
        return self._database.having(right)

    def at_index(self) -> AbstractContextManager[None]:
        """Wait to be alone with the published index: it stays the published one meanwhile."""
        return self._database.at_index()

    def release(self) -> None:
        """Give back all rights."""
        self._database.release()

    def close(self) -> None:
        """Let go of the database and of all rights."""
        self._database.close()


def create(folder: Path, wait: float = 0) -> Catalogue:
    """Make a catalogue in a folder, or open the one that is there; opened for writing (see `Catalogue.acquire`)."""
    sqlite.make_folder(folder)
    with _closed_on_error(SQLite(folder)) as database:
        database.acquire("writer", wait)
        with database.writing() as connection:
            if schema.is_empty(connection):
                schema.create(connection)
            schema.migrate(connection, database.place)
    return Catalogue(database)


def is_catalogue(folder: Path) -> bool:
    """Whether a folder holds a catalogue's database."""
    return sqlite.is_there(folder)


def open_catalogue(folder: Path, *, write: bool = False, wait: float = 0) -> Catalogue:
    """Open the catalogue in a folder, for reading or for writing; an older one is brought up to date."""
    if not is_catalogue(folder):
        raise CatalogueError(f"{folder} is no catalogue; make one with `bibfold ingest FILE --catalogue {folder}`")
    with _closed_on_error(SQLite(folder)) as database:
        with database.reading() as connection:
            older = schema.check_readable(connection, database.place) < schema.SCHEMA_VERSION
        if write or older:
            database.acquire("writer", wait)
            with database.writing() as connection:
                schema.migrate(connection, database.place)
        if not write:
            database.release()
    return Catalogue(database)


@contextmanager
def _closed_on_error(database: SQLite) -> Iterator[SQLite]:
    try:
        yield database
    except BaseException:
        database.close()
        raise


def throw_away(*, history: bool = True) -> Catalogue:
    """A catalogue in memory, gone when closed; without `history` it keeps no events, reviews and changes."""
    database = SQLite(None)
    with database.writing() as connection:
        schema.create(connection)
    return Catalogue(database, history=history)
