"""A writer and a reader, each a process of its own, through two reindexes: nothing fails, is lost or stands twice."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bibfold.catalogue.views import statistics
from bibfold.workspace import Workspace, opened
from indexer import build
from indexer.check import check
from indexer.leftovers import drop_all_but
from ingest.run import fold_stream

WORKS = 60
"""So many works are there at the beginning; the reader asks for them."""

STREAM = """
import random, sys
from pathlib import Path
from bibfold.records.model import Record

SYLLABLES = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "dor", "fin", "gan", "hul"]


def work(number, copy):
    chance = random.Random(number)
    words = ["".join(chance.choices(SYLLABLES, k=4)) for _ in range(7)]
    authors = tuple(f"{word.title()}, {word[0].upper()}." for word in words[:2])
    return Record(source=f"s{copy}", id=str(number), title=" ".join(words), authors=authors, year=1900 + number % 99)
"""
"""Works that share no more than a word or two; all copies of one are the same."""

WRITER = """
from bibfold.workspace import opened
from ingest.run import Watcher, fold_stream

folder, stop, begin = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
written = 0


def stream():
    global written
    for number in range(begin, 100_000):
        if stop.exists():
            return
        for copy, back in ((1, 0), (2, 0), (3, begin)):
            written += 1
            yield work(number - back, copy)


with opened(folder, [{"batch_size": 10}], create=True) as workspace:
    totals = fold_stream(workspace, stream(), watcher=Watcher(notice=print))
assert totals.records == written
print(written)
"""
"""Folds new works, two copies of each, and further copies of works that are there."""

READER = """
from bibfold.workspace import opened
from lookup import answers

answers.BATCH = 5
folder, stop, works = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
asked = 0


def questions():
    global asked
    while not stop.exists():
        asked += 1
        yield work(asked % works, 9)


with opened(folder) as workspace:
    for answer in answers.look_up(workspace, questions()):
        assert answer.decision == "same", answer
print(asked)
"""
"""Looks works up that are there; one that is not found, or an error, ends it."""


def work(number: int, copy: int) -> object:
    names: dict[str, Callable[[int, int], object]] = {}
    exec(STREAM, names)
    return names["work"](number, copy)


@contextmanager
def process(program: str, *words: object) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", STREAM + program, *map(str, words)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as started:
        try:
            yield started
        finally:
            started.kill()


def ended(running: "subprocess.Popen[str]") -> int:
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, "")
    return int(out.split()[-1])


def records(workspace: Workspace) -> int:
    with workspace.catalogue.reading() as read:
        return int(statistics(read)["records"])


def until_more(workspace: Workspace, running: "subprocess.Popen[str]") -> None:
    """Wait until the writer has written another batch."""
    before = records(workspace)
    for _ in range(600):
        if records(workspace) > before:
            return
        assert running.poll() is None, running.communicate()
        time.sleep(0.05)
    pytest.fail("the writer stands still")


@pytest.fixture(params=["tantivy", "solr", "solrcloud", "elasticsearch"])
def address(request: pytest.FixtureRequest) -> str:
    if request.param == "tantivy":
        return ""
    name = request.param.removesuffix("cloud")
    return f"{name}:{request.getfixturevalue(f'{request.param}_url')}"


def test_two_reindexes_beside_a_writer_and_a_reader(
    address: str, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "BATCH", 20)
    monkeypatch.setattr(build, "COMMIT", 40)
    monkeypatch.setattr(build, "FEW", 5)
    stop = tmp_path / "stop"
    with opened(kept, [{"engine": address}], create=True) as workspace:
        fold_stream(workspace, [work(number, 0) for number in range(WORKS)])  # type: ignore[misc]
    with (
        opened(kept, rebuild=True) as workspace,
        process(WRITER, kept, stop, WORKS) as writer,
        process(READER, kept, stop, WORKS) as reader,
    ):
        until_more(workspace, writer)
        names = {workspace.index()}
        for _ in range(2):
            steps = iter(range(2))

            def slowly(done: int, total: int, steps: Iterator[int] = steps) -> None:
                if next(steps, None) is not None:
                    until_more(workspace, writer)

            names.add(build.reindex(workspace, build.Observer(slowly)))
            until_more(workspace, writer)
        stop.touch()
        written, asked = ended(writer), ended(reader)
        assert len(names) == 3
        assert asked > WORKS
        assert records(workspace) == WORKS + written
        found = check(workspace)
        assert (found.agree, found.half_built) == (True, None)
        assert found.documents == WORKS + written // 3
        assert drop_all_but(workspace.engine, workspace.alias, ()) == [max(names)]
