"""Flipped bytes in each of the index's files, destroyed pages of the database: told, and mended by `reindex`."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bibfold.engines.tantivy_index import is_panic
from bibfold.errors import EngineError, IndexDamaged
from bibfold.records.model import Record
from bibfold.workspace import opened
from indexer.build import reindex
from indexer.check import check
from ingest.run import fold_stream
from lookup.answers import look_up

Make = Callable[..., Record]
Run = Callable[..., Any]

ENDINGS = (".store", ".term", ".idx", ".pos", ".fast", ".fieldnorm", ".del", "meta.json")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue with some clusters of two, and an index of which documents were deleted."""
    folder = tmp_path_factory.mktemp("made") / "catalogue"
    titles = [f"Study {at} of the {word} of terns" for at in range(40) for word in ("flight", "song")]
    records = [Record(source=source, id=str(at), title=title) for source in "xy" for at, title in enumerate(titles)]
    with opened(folder, create=True) as workspace:
        fold_stream(workspace, records)
    return folder


@pytest.fixture
def catalogue(made: Path, kept: Path) -> Path:
    return Path(shutil.copytree(made, kept))


def files(catalogue: Path, ending: str) -> list[Path]:
    return sorted(path for path in (catalogue / "index").glob("*/*") if path.name.endswith(ending))


def flip(path: Path, random: Random, number: int) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(number):
        content[random.randrange(len(content))] ^= random.randrange(1, 256)
    path.write_bytes(content)


def look(catalogue: Path) -> None:
    with opened(catalogue) as workspace:
        for _ in look_up(workspace, [Record(source="q", id=str(at), title=f"Study {at} of terns") for at in range(40)]):
            pass


def fold(catalogue: Path) -> None:
    with opened(catalogue, write=True) as workspace:
        fold_stream(workspace, [Record(source="q", id=str(at), title=f"Study {at} of the song") for at in range(40)])


def problem(use: Callable[[Path], None], catalogue: Path) -> str:
    """What an error says is to be done; other errors are not expected."""
    try:
        use(catalogue)
    except EngineError as error:
        return "run `bibfold reindex`" if "run `bibfold reindex`" in str(error) else str(error)
    return ""


@pytest.mark.parametrize("ending", ENDINGS)
def test_flipped_bytes_are_found_and_never_a_crash(catalogue: Path, ending: str) -> None:
    random = Random(ending)
    whole = {path: path.read_bytes() for path in files(catalogue, ending)}
    assert whole
    for number in (1, 1, 2, 10, 60):
        for path in whole:
            flip(path, random, number)
        if ending != "meta.json":  # tantivy keeps no checksum of it; what cannot be read of it is told
            with opened(catalogue) as workspace:
                found = check(workspace)
            assert found.damaged_index
            assert not found.agree
        for use in (look, fold):
            assert problem(use, catalogue) in ("", "run `bibfold reindex`")
        for path in files(catalogue, ending):
            path.unlink()
        for path, content in whole.items():
            path.write_bytes(content)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00garbage", b"../../etc", b"no-such-index", b" "])
def test_reindex_survives_a_garbled_alias(catalogue: Path, content: bytes, bibfold: Run) -> None:
    (alias,) = (catalogue / "index").glob(".alias-*")
    alias.write_bytes(content)
    ran = bibfold("check", "-c", catalogue)
    assert (ran.status, ran.out) == (1, "")
    assert "run `bibfold reindex`" in ran.err
    assert bibfold("reindex", "-c", catalogue).status == 0
    assert bibfold("check", "-c", catalogue).out.endswith("they agree\n")


def test_reindex_survives_an_index_that_is_wholly_damaged(catalogue: Path, bibfold: Run) -> None:
    random = Random(1)
    for path in files(catalogue, ""):
        if path.stat().st_size:
            flip(path, random, 200)
    ran = bibfold("check", "-c", catalogue)
    assert ran.status == 1
    assert ran.out.endswith("the index is damaged: run `bibfold reindex`\n")
    assert bibfold("check", "-c", catalogue, "--repair").status == 1
    assert bibfold("reindex", "-c", catalogue).status == 0
    assert bibfold("check", "-c", catalogue).status == 0


def test_a_half_built_index_that_is_damaged_is_begun_anew(catalogue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with opened(catalogue, rebuild=True) as workspace:
        monkeypatch.setattr("indexer.build._switched", killed)
        with pytest.raises(KeyboardInterrupt):
            reindex(workspace)
        monkeypatch.undo()
        with workspace.catalogue.reading() as read:
            build = read.building()
    assert build is not None
    for path in (catalogue / "index" / build.index).glob("*.idx"):
        path.write_bytes(b"nothing")
    with opened(catalogue, rebuild=True) as workspace:
        assert reindex(workspace) == build.index
        assert check(workspace).agree


def test_a_panic_is_told_by_where_its_class_comes_from() -> None:
    panic = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})
    assert is_panic(panic("index out of bounds"))
    assert not is_panic(KeyboardInterrupt())


def test_what_lookup_and_ingest_say_of_damage(catalogue: Path, write: Callable[..., str], bibfold: Run) -> None:
    for path in files(catalogue, ".store"):
        path.write_bytes(path.read_bytes()[:40])
    record = write("a.jsonl", Record(source="q", id="1", title="Study 7 of the song of terns"))
    for words in (("lookup", record), ("ingest", record)):
        ran = bibfold(*words, "-c", catalogue)
        assert (ran.status, ran.out) == (1, "")
        assert "the index is damaged: run `bibfold reindex`" in ran.err
        assert "Traceback" not in ran.err
    with opened(catalogue) as workspace, pytest.raises(IndexDamaged):
        workspace.engine.count(workspace.index())


def pages(catalogue: Path, table: str, kind: str) -> list[int]:
    """The places of a table's pages in the file."""
    with closing(sqlite3.connect(catalogue / "catalogue.sqlite")) as connection, connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        try:
            rows = connection.execute(f"SELECT pageno FROM dbstat WHERE name = '{table}' AND pagetype = '{kind}'")
            return [(page - 1) * size for (page,) in rows]
        except sqlite3.OperationalError:
            pytest.skip("this SQLite has no dbstat")


@pytest.mark.parametrize("table", ["records", "clusters", "events"])
def test_destroyed_pages_are_found(catalogue: Path, table: str, bibfold: Run) -> None:
    place = pages(catalogue, table, "leaf")[-1]
    database = catalogue / "catalogue.sqlite"
    content = bytearray(database.read_bytes())
    content[place : place + 4096] = Random(table).randbytes(4096)
    database.write_bytes(content)
    ran = bibfold("check", "-c", catalogue)
    assert ran.status == 1
    assert ran.out.endswith("the catalogue is damaged: restore it from a backup\n")
    assert bibfold("check", "-c", catalogue, "--repair").status == 1


def test_a_letter_that_changed_in_a_record_is_found(catalogue: Path, bibfold: Run) -> None:
    database = catalogue / "catalogue.sqlite"
    pages(catalogue, "records", "leaf")
    content = database.read_bytes()
    assert b"Study 3 of the song" in content
    database.write_bytes(content.replace(b"Study 3 of the song", b"Study 3 of the sing", 1))
    ran = bibfold("check", "-c", catalogue)
    assert ran.status == 1
    assert "is not what was received: its checksum differs" in ran.out
    assert bibfold("check", "-c", catalogue, "--quick").status == 0


def test_quick_compares_ids_alone(catalogue: Path, bibfold: Run) -> None:
    for path in files(catalogue, ".idx"):
        content = bytearray(path.read_bytes())
        content[20] ^= 255
        path.write_bytes(content)
    assert bibfold("check", "-c", catalogue, "--quick", "--json").json()[0]["agree"] is True
    found = bibfold("check", "-c", catalogue, "--json").json()[0]
    assert found["agree"] is False
    assert "its checksum differs" in found["damaged_index"][0]
    ran = bibfold("check", "-c", catalogue, "--quick", "--repair")
    assert (ran.status, ran.out) == (1, "")
