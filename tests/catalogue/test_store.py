"""Opening a catalogue: who may write, what is refused, and that a transaction is all or nothing."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest
from sqlalchemy import Connection, func, select, text

from bibfold.catalogue import schema, store
from bibfold.catalogue.rows import PUBLISHED, StoredRecord
from bibfold.catalogue.sqlite import DATABASE
from bibfold.errors import CatalogueError, CatalogueLocked, CatalogueNewer

VERSION = select(schema.meta.c.value).where(schema.meta.c.name == "schema")
TABLES = text("SELECT name FROM sqlite_master WHERE type = 'table'")
INDEXES = text("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'outbox'")


def set_version(folder: Path, version: int) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as database, database:
        database.execute("UPDATE meta SET value = ? WHERE name = 'schema'", [str(version)])
    database.close()


def test_a_catalogue_is_made_and_opened_again(kept: Path) -> None:
    with store.create(kept) as catalogue, catalogue.writing() as write:
        write.remember({"profile": "mendeley"})
    with store.open_catalogue(kept) as catalogue, catalogue.reading() as read:
        assert read.options() == {"profile": "mendeley"}
    with store.create(kept) as catalogue, catalogue.reading() as read:
        assert read.options() == {"profile": "mendeley"}


def test_what_is_no_catalogue_is_told_apart(tmp_path: Path, kept: Path) -> None:
    with pytest.raises(CatalogueError, match=r"is no catalogue; make one with `bibfold ingest"):
        store.open_catalogue(kept)
    (tmp_path / "notes.txt").touch()
    with pytest.raises(CatalogueError, match=r"not a catalogue and not empty \(it holds 'notes.txt'\)"):
        store.create(tmp_path)
    with pytest.raises(CatalogueError, match="Not a directory"):
        store.create(tmp_path / "notes.txt" / "below")


@pytest.mark.parametrize("content", [b"no database at all" * 100, os.urandom(4096)])
def test_a_damaged_database_is_told(kept: Path, content: bytes) -> None:
    kept.mkdir()
    (kept / DATABASE).write_bytes(content)
    for opening in (store.open_catalogue, store.create):
        with pytest.raises(CatalogueError, match=r"file is not a database; restore it from a backup"):
            opening(kept)


def test_a_strange_database_is_refused_and_left_alone(kept: Path) -> None:
    kept.mkdir()
    with closing(sqlite3.connect(kept / DATABASE)) as strange, strange:
        strange.execute("CREATE TABLE meta (x)")
    strange.close()
    for opening in (store.open_catalogue, store.create):
        with pytest.raises(CatalogueError, match="holds a database but no catalogue"):
            opening(kept)


def test_a_catalogue_whose_making_was_cut_short_is_made_anew(kept: Path) -> None:
    kept.mkdir()
    (kept / DATABASE).touch()
    with store.create(kept) as catalogue, catalogue.reading() as read:
        assert read.execute(VERSION).scalar_one() == str(schema.SCHEMA_VERSION)


def test_a_catalogue_of_a_later_version_is_refused(kept: Path) -> None:
    store.create(kept).close()
    set_version(kept, schema.SCHEMA_VERSION + 1)
    for opening in (store.open_catalogue, store.create):
        with pytest.raises(CatalogueNewer, match=r"made by a later version; upgrade bibfold"):
            opening(kept)


FIRST_SCHEMA = """
CREATE TABLE meta (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name));
CREATE TABLE records (
    no INTEGER NOT NULL, "key" TEXT NOT NULL, source TEXT NOT NULL, content BLOB NOT NULL, digest BLOB NOT NULL,
    cluster INTEGER NOT NULL, run INTEGER NOT NULL, PRIMARY KEY (no), UNIQUE ("key")
);
CREATE INDEX ix_records_cluster ON records (cluster);
CREATE TABLE decisions (a TEXT NOT NULL, b TEXT NOT NULL, verdict TEXT, at FLOAT, note TEXT, PRIMARY KEY (a, b));
CREATE INDEX decisions_b ON decisions (b);
CREATE TABLE outbox (no INTEGER NOT NULL, cluster INTEGER NOT NULL, PRIMARY KEY (no));
CREATE TABLE dead_letters (no INTEGER NOT NULL, PRIMARY KEY (no));
INSERT INTO meta VALUES ('schema', '1');
INSERT INTO outbox VALUES (4, 17);
INSERT INTO records VALUES (
    1, 'x:1', 'x', CAST('{"source":"x","id":"1","oai_identifier":"oai:x.org:1"}' AS BLOB), CAST('d' AS BLOB), 17, 1
);
"""
"""What a catalogue of schema 1 had of the tables that have changed since."""


@pytest.mark.parametrize("write", [True, False])
def test_a_catalogue_of_the_first_schema_keeps_what_it_holds(kept: Path, write: bool) -> None:
    kept.mkdir()
    with closing(sqlite3.connect(kept / DATABASE)) as old, old:
        old.executescript(FIRST_SCHEMA)
    old.close()
    with store.open_catalogue(kept, write=write) as catalogue, catalogue.reading() as read:
        assert read.execute(VERSION).scalar_one() == str(schema.SCHEMA_VERSION)
        assert read.outbox(PUBLISHED, 99, 10) == ([17], 4)
        assert read.stored(["x:1"]) == {"x:1": StoredRecord(1, "x", b"d", 17, 1)}
        assert read.named(["x:oai:x.org:1", "x:1"]) == {"x:oai:x.org:1": "x:1"}
        made = read.execute(INDEXES).all()
    with store.throw_away() as fresh, fresh.reading() as read:
        assert [tuple(row) for row in made] == [tuple(row) for row in read.execute(INDEXES)] != []


def test_an_older_catalogue_waits_for_its_writer_to_be_brought_up_to_date(kept: Path) -> None:
    with store.create(kept):
        set_version(kept, 1)
        with pytest.raises(CatalogueLocked, match="being written by another process"):
            store.open_catalogue(kept)


def test_a_migration_that_fails_changes_nothing(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE half (x)")
        raise CatalogueError("no room")

    store.create(kept).close()
    set_version(kept, 0)
    monkeypatch.setattr(schema, "MIGRATIONS", {0: broken})
    with pytest.raises(CatalogueError, match="no room"):
        store.open_catalogue(kept, write=True)
    with closing(sqlite3.connect(kept / DATABASE)) as database, database:
        assert database.execute("SELECT value FROM meta WHERE name = 'schema'").fetchall() == [("0",)]
        assert database.execute("SELECT name FROM sqlite_master WHERE name = 'half'").fetchall() == []
    database.close()


def test_a_catalogue_that_is_too_old_is_told(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.create(kept).close()
    set_version(kept, 0)
    monkeypatch.setattr(schema, "MIGRATIONS", {})
    with pytest.raises(CatalogueError, match="schema 0, which this bibfold can no longer bring up to date"):
        store.open_catalogue(kept, write=True)


def test_one_writer_at_a_time_while_readers_go_on(kept: Path) -> None:
    with store.create(kept) as writer:
        message = rf"being written by another process \(pid {os.getpid()}\)"
        with pytest.raises(CatalogueLocked, match=message):
            store.open_catalogue(kept, write=True)
        with pytest.raises(CatalogueLocked, match=message):
            store.create(kept)
        with writer.writing() as write, store.open_catalogue(kept) as reader:
            write.begin_run("ingest")
            with reader.reading() as other:
                assert other.execute(select(func.count()).select_from(schema.runs)).scalar_one() == 0
    with store.open_catalogue(kept, write=True) as catalogue, catalogue.reading() as read:
        assert read.execute(select(func.count()).select_from(schema.runs)).scalar_one() == 1


def test_the_right_to_write_ends_with_the_process_however_it_ends(kept: Path) -> None:
    code = f"""
import os, pathlib
from bibfold.catalogue import store
store.create(pathlib.Path({str(kept)!r}))
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    store.open_catalogue(kept, write=True).close()


def test_two_processes_with_rights_wait_for_each_others_transactions(kept: Path) -> None:
    with store.create(kept) as writer, store.open_catalogue(kept) as builder:
        builder.acquire("builder")
        with pytest.raises(CatalogueLocked, match=rf"has its index built anew by another process \(pid {os.getpid()}"):
            store.open_catalogue(kept).acquire("builder")
        for at in range(20):
            other = Thread(target=begin_runs, args=(builder, 5))
            other.start()
            begin_runs(writer, 5)
            other.join()
            with writer.reading() as read:
                assert read.execute(select(func.count()).select_from(schema.runs)).scalar_one() == 10 * (at + 1)


def begin_runs(catalogue: store.Catalogue, number: int) -> None:
    for _ in range(number):
        with catalogue.writing() as write:
            write.begin_run("ingest")


def test_a_right_is_had_for_a_while_by_one_at_a_time(kept: Path) -> None:
    with store.create(kept) as catalogue, store.open_catalogue(kept) as other:
        with (
            catalogue.having("builder"),
            pytest.raises(CatalogueLocked, match="has its index built anew by another process"),
        ):
            other.acquire("builder")
        other.acquire("builder")
        with pytest.raises(CatalogueLocked, match="is the builder already"), other.having("builder"):
            pass


def test_a_catalogue_in_memory_has_rights_of_its_own() -> None:
    with store.throw_away() as catalogue, catalogue.at_index():
        catalogue.acquire("builder")
        with (
            pytest.raises(CatalogueLocked, match="this process is the builder already"),
            catalogue.having("builder"),
        ):
            pass


def test_a_reader_cannot_write(kept: Path) -> None:
    store.create(kept).close()
    with (
        store.open_catalogue(kept) as catalogue,
        pytest.raises(CatalogueError, match="opened for reading only"),
        catalogue.writing(),
    ):
        pass


def test_a_reader_sees_one_state_throughout(kept: Path) -> None:
    with store.create(kept) as writer, store.open_catalogue(kept) as reader, reader.reading() as read:
        count = select(func.count()).select_from(schema.runs)
        assert read.execute(count).scalar_one() == 0
        with writer.writing() as write:
            write.begin_run("ingest")
        assert read.execute(count).scalar_one() == 0


@pytest.mark.parametrize("on_disk", [True, False])
def test_a_transaction_is_all_or_nothing(kept: Path, on_disk: bool) -> None:
    with store.create(kept) if on_disk else store.throw_away() as catalogue:
        with pytest.raises(ZeroDivisionError):
            fail_halfway(catalogue)
        with catalogue.reading() as read:
            assert read.execute(select(func.count()).select_from(schema.outbox)).scalar_one() == 0
            assert "half" not in read.execute(TABLES).scalars().all()


def fail_halfway(catalogue: store.Catalogue) -> None:
    with catalogue.writing() as write:
        write.note_outbox([1])
        write.execute(text("CREATE TABLE half (x)"))
        raise ZeroDivisionError


def test_an_error_of_the_caller_is_not_taken_for_the_catalogues(kept: Path) -> None:
    with store.create(kept) as catalogue, pytest.raises(BrokenPipeError), catalogue.reading():
        raise BrokenPipeError


def test_a_place_that_cannot_be_written_is_told() -> None:
    with pytest.raises(CatalogueError, match=r"cannot be used: .*; check the disk and your rights to it"):
        store.create(Path("/proc/self/catalogue"))


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to become a user without rights")
@pytest.mark.parametrize("mode", [0o755, 0o700], ids=["read-only", "unreadable"])
@pytest.mark.parametrize("opening", ["open_catalogue(place)", "open_catalogue(place, write=True)", "create(place)"])
def test_a_catalogue_without_the_right_to_write_is_told(opening: str, mode: int) -> None:
    code = """
import os, pathlib, sys
from bibfold.catalogue import store
from bibfold.errors import CatalogueError
store.throw_away().close()  # loads what may be out of reach afterwards
os.setgroups([]); os.setgid(65534); os.setuid(65534)
place = pathlib.Path(sys.argv[1])
try:
    store.OPENING
except CatalogueError as error:
    sys.exit(str(error))
"""
    with TemporaryDirectory() as made:
        folder = Path(made)
        store.create(folder).close()
        folder.chmod(mode)
        before = sorted(path.name for path in folder.iterdir())
        command = [sys.executable, "-c", code.replace("OPENING", opening), made]
        ran = subprocess.run(command, check=False, capture_output=True, text=True)
        assert sorted(path.name for path in folder.iterdir()) == before
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"{made} cannot be used: ")
    assert ran.stderr.endswith("; check the disk and your rights to it\n")
