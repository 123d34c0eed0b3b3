"""Batches from a second process: the same in the same order, its failures raised here, nothing left behind."""

import fcntl
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bibfold.catalogue import locks
from bibfold.catalogue.views import cluster_data
from bibfold.errors import BibfoldError, InputError
from bibfold.records.formats.files import Files
from bibfold.records.model import Record
from bibfold.workspace import opened, throw_away
from indexer.check import check
from ingest import prefetch
from ingest.batches import Batch
from ingest.observer import Observer
from ingest.prefetch import is_long, prefetched
from ingest.reader import Job, made
from ingest.run import fold_stream, start
from lookup.matcher import matcher_of
from lookup.profiles import BIBFOLD
from lookup.retrieve import Retrieval

Make = Callable[..., Record]
Write = Callable[..., str]


class Started(subprocess.Popen[Any]):
    """Notes every process that is started."""

    processes: list[subprocess.Popen[Any]]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.processes.append(self)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[Any]]:
    """The processes that are started during a test, each of a stream however short."""
    monkeypatch.setattr(Started, "processes", [], raising=False)
    monkeypatch.setattr(subprocess, "Popen", Started)
    monkeypatch.setattr(prefetch, "WORTH_A_PROCESS", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    return Started.processes


def job(*paths: str, most: int = 5, catalogue: Path | None = None, held: int = 0, strict: bool = False) -> Job:
    retrieval = Retrieval(BIBFOLD.searched)
    return Job(Files(paths, strict=strict), retrieval, BIBFOLD, held, most, str(catalogue) if catalogue else None)


def many(make: Make, write: Write) -> str:
    """A file of far more batches than are made ahead."""
    texts = {"abstract": "long " * 2_000}
    return write("many.jsonl", *(make(str(at), title=f"alpha{at} beta{at}", **texts) for at in range(150)))


@pytest.mark.parametrize(
    ("name", "size", "cores", "long"),
    [
        ("a.jsonl", 2_000_000, 2, True),
        ("a.jsonl", 1_999_999, 2, False),
        ("a.jsonl.gz", 500_000, 2, True),
        ("a.jsonl.zst", 499_999, 2, False),
        ("a.jsonl", 2_000_000, 1, False),
        ("a.jsonl", 2_000_000, None, False),
    ],
)
def test_long_files_are_worth_a_process_where_there_is_a_second_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: int, cores: int | None, long: bool
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    with (tmp_path / name).open("wb") as file:
        file.truncate(size)
    assert is_long(Files((str(tmp_path / name),))) is long


def test_only_files_can_be_handed_over(
    make: Make, tmp_path: Path, write: Write, started: list[subprocess.Popen[Any]]
) -> None:
    file = write("a.jsonl", make("1"))
    os.mkfifo(tmp_path / "pipe")
    assert is_long(Files((file,)))
    assert not is_long([make("1")])
    assert not is_long(Files((file, "-")))
    assert not is_long(Files((file, str(tmp_path / "pipe"))))
    gone = Files((file, write("gone.jsonl", make("2"))))
    (tmp_path / "gone.jsonl").unlink()
    assert not is_long(gone)
    assert started == []


@pytest.mark.parametrize("number", [1, 5, 8, 60])
def test_batches_are_those_of_one_process(
    make: Make, write: Write, started: list[subprocess.Popen[Any]], number: int
) -> None:
    items = [b'{"broken"\n' if at % 7 == 3 else make(str(at), at % 3) for at in range(number)]
    asked = job(write("a.jsonl", *items, make("n", extra={"n": 10**30})))
    assert list(prefetched(asked)) == list(made(asked))
    (reader,) = started
    assert reader.poll() is not None


def test_a_failure_is_raised_after_what_came_before_it(
    make: Make, write: Write, started: list[subprocess.Popen[Any]]
) -> None:
    asked = job(write("a.jsonl", *(make(str(at)) for at in range(7))), write("b.ris", b"%PDF-1.4\n"), strict=True)
    found = prefetched(asked)
    assert [len(next(found).arrived) for _ in range(2)] == [5, 2]
    with pytest.raises(InputError, match=r"b\.ris: .*PDF"):
        next(found)
    assert started[0].poll() is not None


def begun(asked: Job) -> Iterator[Batch]:
    """Batches of which one has come, and more are made."""
    found = prefetched(asked)
    assert len(next(found).arrived) == 5
    return found


def test_a_reader_that_is_killed_is_missed(make: Make, write: Write, started: list[subprocess.Popen[Any]]) -> None:
    found = begun(job(many(make, write)))
    started[0].send_signal(signal.SIGKILL)
    with pytest.raises(BibfoldError, match=r"ended before its time; was it killed\?"):
        list(found)
    assert started[0].returncode == -signal.SIGKILL


def test_a_run_whose_reader_is_killed_keeps_what_it_folded_and_the_next_goes_on(
    make: Make, write: Write, kept: Path, started: list[subprocess.Popen[Any]]
) -> None:
    file, seen = many(make, write), list[int]()

    def kill(records: int) -> None:
        seen.append(records)
        started[0].kill()

    with opened(kept, [{"batch_size": 5}], create=True) as workspace:
        with pytest.raises(BibfoldError, match=r"was it killed\?"):
            fold_stream(workspace, Files((file,)), observer=Observer(progress=kill))
        assert 5 <= seen[-1] < 150
        assert check(workspace).agree
        totals = fold_stream(workspace, Files((file,)))
        assert (totals.records, totals.unchanged) == (150 - seen[-1], seen[-1])
        assert check(workspace).agree
    assert len(started) == 2


def test_the_reader_ends_when_nobody_listens_any_more(
    make: Make, write: Write, started: list[subprocess.Popen[Any]]
) -> None:
    found = begun(job(many(make, write)))
    assert started[0].poll() is None
    found.close()  # type: ignore[attr-defined]
    assert started[0].poll() is not None


def test_the_reader_ends_with_a_fold_that_fails(make: Make, write: Write, started: list[subprocess.Popen[Any]]) -> None:
    def fail(records: int) -> None:
        raise RuntimeError("enough")

    with throw_away([{"batch_size": 5}]) as workspace, pytest.raises(RuntimeError, match="enough"):
        fold_stream(workspace, Files((many(make, write),)), observer=Observer(progress=fail))
    assert started[0].poll() is not None


def test_the_reader_does_not_hold_the_right_to_write(
    make: Make, write: Write, kept: Path, started: list[subprocess.Popen[Any]]
) -> None:
    with opened(kept, create=True):
        found = begun(job(many(make, write)))
    assert started[0].poll() is None
    with (kept / locks.FILES["writer"]).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    found.close()  # type: ignore[attr-defined]


def test_what_the_catalogue_has_is_neither_prepared_nor_folded(
    make: Make, write: Write, kept: Path, started: list[subprocess.Popen[Any]]
) -> None:
    records = [make(str(at), at % 6, pages=str(at)) for at in range(12)]
    with opened(kept, create=True) as workspace:
        fold_stream(workspace, records)
    asked = job(write("a.jsonl", *records, make("new", 1)), most=20, catalogue=kept, held=12)
    (batch,) = prefetched(asked)
    assert [given.forms is None for given in batch.arrived] == [True] * 12 + [False]
    assert batch.neighbours is not None
    assert batch.neighbours.later == b""
    with opened(kept, write=True) as workspace:
        event, remarks = start(workspace, matcher_of(workspace.settings), "ingest", Observer()).batch(batch)
        assert (event.records, event.unchanged, event.clusters, remarks) == (1, 12, 0, [])
        assert check(workspace).agree
    assert len(started) == 1


def test_the_writer_has_the_last_word_on_what_is_unchanged(
    make: Make, write: Write, kept: Path, started: list[subprocess.Popen[Any]]
) -> None:
    with opened(kept, create=True) as workspace:
        fold_stream(workspace, [make("1"), make("2")])
    asked = job(write("a.jsonl", make("1"), make("2"), make("3")), catalogue=kept, held=2)
    (batch,) = prefetched(asked)
    assert [given.forms is None for given in batch.arrived] == [True, True, False]
    with opened(kept, write=True) as workspace:
        fold_stream(workspace, [make("2", 1)])
        event, _ = start(workspace, matcher_of(workspace.settings), "ingest", Observer()).batch(batch)
        assert (event.records, event.unchanged) == (2, 1)
        assert {placed.key: list(placed.neighbours) for placed in event.placed()} == {"x:2": [], "x:3": ["x:2"]}
        with workspace.catalogue.reading() as read:
            shown = cluster_data(read, "x:2")
        assert {(record["id"], record["title"]) for record in shown["records"]} == {
            (id, make("").title) for id in "123"
        }
        assert check(workspace).agree
    assert len(started) == 1


def test_what_travels_is_what_was_made(make: Make, write: Write, started: list[subprocess.Popen[Any]]) -> None:
    record = make("1", identifiers={"doi": ("10.1000/1", "10.1000/2")}, extra={"a": [{"b": None}, "ä", 1.5]})
    (batch,) = prefetched(job(write("a.jsonl", record)))
    (given,) = batch.arrived
    assert given.record == record
    assert msgspec.json.decode(given.content)["a"] == [{"b": None}, "ä", 1.5]
    assert given.forms is not None
    assert given.forms.terms["identifier"] == ["doi:10.1000/1", "doi:10.1000/2"]
    assert len(started) == 1
