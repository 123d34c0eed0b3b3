"""What the embedded engine promises on disk: crashes, other processes, damage."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bibfold.engines.base import Change, Delete, Document, Put, Query
from bibfold.engines.tantivy import Tantivy
from bibfold.errors import EngineError, EngineUnavailable, IndexDamaged, IndexMissing, WriteRejected
from bibfold.records.model import Record

RECORD = Record(source="s", id="1")
HEAD = """
import sys, time
from bibfold.engines.base import Document, Put
from bibfold.engines.tantivy import Tantivy
from bibfold.errors import EngineError
from bibfold.records.model import Record

engine = Tantivy(sys.argv[1])

def puts(start, stop):
    record = Record(source="s", id="1", title="A title")
    return [Put(Document(f"{n:06}", {"title": ["x", f"own {n}"]}, record)) for n in range(start, stop)]
"""
"""What the other process of a test begins with."""


def put(engine: Tantivy, index: str, *ids: str) -> None:
    engine.write(index, [Put(Document(id, {"title": ["x"]}, RECORD)) for id in ids])
    engine.commit(index)


def found(engine: Tantivy, index: str) -> list[str]:
    return [hit.id for hit in engine.search(index, [Query({"title": ["x"]})], 100)[0]]


def other_process(folder: Path, code: str) -> str:
    """What the code prints, run by another process on the engine's folder."""
    run = subprocess.run([sys.executable, "-c", HEAD + code, str(folder)], capture_output=True, text=True, check=True)
    return run.stdout.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "indexes"


@pytest.fixture
def engine(folder: Path) -> Iterator[Tantivy]:
    engine = Tantivy(folder)
    engine.create("i")
    yield engine
    engine.close()


def test_a_process_killed_while_writing_loses_only_what_was_not_committed(folder: Path, engine: Tantivy) -> None:
    code = """
engine.write("i", puts(0, 100))
engine.commit("i")
engine.write("i", puts(100, 60_000))
print("writing", flush=True)
while True:
    engine.write("i", puts(100, 2_000))
"""
    with subprocess.Popen(
        [sys.executable, "-c", HEAD + code, str(folder)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "writing\n"
        writer.send_signal(signal.SIGKILL)
    assert engine.count("i") == 100
    assert sorted(engine.ids("i")) == [f"{number:06}" for number in range(100)]
    put(engine, "i", "after the crash")
    assert engine.count("i") == 101
    again = Tantivy(folder)
    assert again.count("i") == 101


def test_a_second_writing_process_is_refused_until_the_first_lets_go(folder: Path, engine: Tantivy) -> None:
    code = """
try:
    engine.write("i", puts(0, 1))
    engine.commit("i")
except EngineError as error:
    print(type(error).__name__, error)
"""
    put(engine, "i", "mine")
    refusal = other_process(folder, code)
    assert refusal.startswith("EngineUnavailable")
    assert str(folder / "i") in refusal
    assert "another process" in refusal
    engine.close()
    assert other_process(folder, code) == ""
    assert engine.count("i") == 2


def test_another_process_reads_while_this_one_writes(folder: Path, engine: Tantivy) -> None:
    put(engine, "i", "a", "b")
    engine.write("i", [Put(Document("c", {"title": ["x"]}, RECORD))])
    assert other_process(folder, 'print(engine.count("i"), *engine.ids("i"))') == "2 a b"


def test_what_another_process_commits_is_seen_by_a_running_reader(folder: Path, engine: Tantivy) -> None:
    assert engine.count("i") == 0
    for size in (10, 20):
        other_process(folder, f'engine.write("i", puts(0, {size})); engine.commit("i")')
        assert engine.count("i") == size


def test_what_another_process_publishes_is_seen_by_a_running_reader(folder: Path, engine: Tantivy) -> None:
    put(engine, "i", "old")
    engine.publish("live", "i")
    assert found(engine, "live") == ["old"]
    other_process(
        folder, 'engine.create("j"); engine.write("j", puts(0, 2)); engine.commit("j"); engine.publish("live", "j")'
    )
    assert engine.published("live") == "j"
    assert found(engine, "live") == ["000000", "000001"]


def test_an_index_that_another_process_drops_is_missing(folder: Path, engine: Tantivy) -> None:
    put(engine, "i", "a")
    engine.close()
    assert engine.count("i") == 1
    other_process(folder, 'engine.drop("i")')
    with pytest.raises(IndexMissing, match="no such index"):
        engine.count("i")
    engine.create("i")
    assert engine.count("i") == 0


def test_a_writer_whose_index_another_process_drops_goes_on_with_the_next(folder: Path, engine: Tantivy) -> None:
    put(engine, "i", "a")
    other_process(folder, 'engine.create("j"); engine.publish("live", "j"); engine.drop("i")')
    put(engine, "live", "b")
    assert found(engine, "live") == ["b"]
    with pytest.raises(IndexMissing, match="no such index"):
        put(engine, "i", "c")
    engine.close()


def test_an_index_that_is_dropped_while_it_is_read_is_missing(folder: Path, engine: Tantivy) -> None:
    put(engine, "i", "a")
    searcher = engine._index("i")

    class Vanishing:
        def reload(self) -> None:
            shutil.rmtree(folder / "i")
            raise ValueError("FileDoesNotExist")

    searcher._index, searcher._seen = Vanishing(), None  # type: ignore[assignment]
    with pytest.raises(IndexMissing, match="no such index"):
        engine.count("i")


def test_nothing_is_left_of_a_dropped_index(folder: Path, engine: Tantivy) -> None:
    put(engine, "i", "a")
    (folder / ".dropped-half-1").mkdir()
    engine.drop("i")
    assert list(folder.iterdir()) == []


def test_an_unfinished_creation_is_no_index(folder: Path, engine: Tantivy) -> None:
    (folder / f".new-j-{os.getpid()}").mkdir()
    assert engine.indexes() == ["i"]
    engine.create("j")
    assert engine.indexes() == ["i", "j"]


def test_a_folder_that_holds_no_index_is_to_be_rebuilt(folder: Path, engine: Tantivy) -> None:
    (folder / "photos").mkdir()
    with pytest.raises(EngineError, match=r"photos.*bibfold reindex"):
        engine.count("photos")


@pytest.mark.parametrize("ending", ["meta.json", ".term", ".idx", ".store", ".fieldnorm"])
def test_a_damaged_index_is_to_be_rebuilt(folder: Path, engine: Tantivy, ending: str) -> None:
    put(engine, "i", "a", "b")
    engine.close()
    for file in (folder / "i").iterdir():
        if file.name.endswith(ending):
            file.write_bytes(file.read_bytes()[:20])
    with pytest.raises(EngineError, match="bibfold reindex"):
        Tantivy(folder).search("i", [Query({"title": ["x"]})], 10)


def test_damage_is_told_in_one_line() -> None:
    assert str(IndexDamaged("i", "not an\n  FST.")) == "i: the index is damaged: run `bibfold reindex` (not an FST.)"


def test_an_index_with_other_fields_is_to_be_rebuilt(folder: Path, engine: Tantivy) -> None:
    meta = folder / "i" / "meta.json"
    meta.write_text(meta.read_text().replace('"also"', '"else"'))
    with pytest.raises(EngineError, match="bibfold reindex"):
        Tantivy(folder).count("i")


def test_a_place_that_is_no_folder_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    engine = Tantivy(tmp_path / "file")
    assert not engine.ready()
    with pytest.raises(EngineUnavailable, match="file"):
        engine.create("i")
    with pytest.raises(EngineUnavailable, match="file"):
        engine.count("i")


def test_a_folder_without_permission_is_unavailable() -> None:
    code = """
import os
if os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
for verb in (lambda: engine.write("i", puts(0, 1)), lambda: engine.create("j")):
    try:
        verb()
    except EngineError as error:
        print(type(error).__name__, error)
"""
    with TemporaryDirectory() as name:
        folder = Path(name)
        engine = Tantivy(folder)
        engine.create("i")
        put(engine, "i", "a")
        engine.close()
        for place in (folder, folder / "i"):
            place.chmod(0o555)
        try:
            said = other_process(folder, code).splitlines()
        finally:
            for place in (folder, folder / "i"):
                place.chmod(0o755)
        assert len(said) == 2
        assert all(line.startswith(f"EngineUnavailable {folder}") for line in said)


def test_a_full_disk_is_survived(folder: Path, engine: Tantivy) -> None:
    code = """
import resource, signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
engine.write("i", puts(0, 100))
engine.commit("i")
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, resource.RLIM_INFINITY))
try:
    engine.write("i", puts(100, 5_000))
    engine.commit("i")
except EngineError as error:
    print(type(error).__name__, error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert engine.count("i") == 100
engine.write("i", puts(100, 200))
engine.commit("i")
engine.close()
"""
    assert other_process(folder, code).startswith(f"EngineUnavailable {folder / 'i'}: cannot be written")
    assert engine.count("i") == 200


@pytest.mark.parametrize("name", ["", ".", "..", "../up", "a/b", ".hidden", "a\nb", "a b"])
def test_names_stay_inside_the_folder(engine: Tantivy, name: str) -> None:
    with pytest.raises(EngineError, match="cannot name an index"):
        engine.create(name)
    with pytest.raises(EngineError, match="cannot name an index"):
        engine.drop(name)
    with pytest.raises(EngineError, match="cannot name an index"):
        engine.publish(name, "i")


def test_refused_documents_are_named_and_the_others_taken(engine: Tantivy) -> None:
    half = "\ud800"
    changes: list[Change] = [
        Put(Document("good", {"title": ["x"]}, RECORD)),
        Put(Document(half, {"title": ["x"]}, RECORD)),
        Put(Document("bad term", {"title": [half]}, RECORD)),
        Put(Document("bad record", {"title": ["x"]}, Record(source="s", id="1", title=half))),
        Put(Document("l" * 70_000, {"title": ["x"]}, RECORD)),
        Delete(half),
        Put(Document("also good", {"title": ["x"]}, RECORD)),
    ]
    with pytest.raises(WriteRejected) as refusal:
        engine.write("i", changes)
    assert set(refusal.value.failures) == {half, "bad term", "bad record", "l" * 70_000}
    engine.commit("i")
    assert found(engine, "i") == ["also good", "good"]
    assert engine.search("i", [Query({"title": [half, "x"]})], 1)[0][0].id == "also good"
    assert engine.get("i", [half, "good"])[0] is None


def test_a_refused_document_leaves_the_one_before_it(engine: Tantivy) -> None:
    put(engine, "i", "a")
    with pytest.raises(WriteRejected):
        engine.write("i", [Put(Document("a", {"title": ["\ud800"]}, RECORD))])
    engine.commit("i")
    assert found(engine, "i") == ["a"]


def test_a_term_beyond_tantivys_limit_does_no_harm(engine: Tantivy) -> None:
    engine.write("i", [Put(Document("a", {"title": ["x", "l" * 70_000]}, RECORD))])
    engine.commit("i")
    assert found(engine, "i") == ["a"]
