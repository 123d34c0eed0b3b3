"""Killed at any moment: nothing acknowledged is lost, no half cluster, the next start goes on from there."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bibfold.catalogue import schema, store
from bibfold.catalogue.canonical import aggregate
from bibfold.catalogue.exports import memberships
from bibfold.catalogue.sqlite import DATABASE
from bibfold.records.model import Record
from bibfold.workspace import opened, throw_away
from indexer.check import check
from ingest.run import fold_stream

WORKS, COPIES, BATCH = 250, 3, 40

PROGRAM = """
import sys
import ingest.ahead
from bibfold.settings import layers
from bibfold.records.formats.files import read_files
from bibfold.workspace import opened
from ingest.run import Watcher, fold_stream
from pathlib import Path

ingest.ahead.SHORT = 100  # so that the second process is there, too
file, catalogue, batch = sys.argv[1:]
told = Watcher(progress=lambda done: print(done, flush=True))
with opened(Path(catalogue), [{"batch_size": int(batch)}], create=True) as workspace:
    fold_stream(workspace, read_files([file]), watcher=told)
print("done", flush=True)
"""
"""Folds a file, and says after each batch how many records are acknowledged."""


def records() -> list[Record]:
    """Clear cases: works that share no more than a word or two, with copies that differ in little."""
    chance = random.Random(7)
    syllables = [
        f"{a}{b}" for a in ("ba", "ke", "li", "mo", "nu", "ra", "se", "ti") for b in ("dor", "fin", "gan", "hul")
    ]
    words = [f"{a}{b}" for a in syllables for b in syllables]
    found = []
    for work in range(WORKS):
        title = " ".join(chance.sample(words, 7))
        authors = tuple(f"{chance.choice(words).title()}, {letter}." for letter in "ABC")
        for copy in range(COPIES):
            pages = f"{work + 1}-{work + 9}" if copy == 1 else ""
            one = Record(
                source=f"s{copy}", id=str(work), title=title, authors=authors, year=1900 + work % 99, pages=pages
            )
            found.append(one)
    chance.shuffle(found)
    return found


def partition(rows: Iterator[tuple[str, str, str]]) -> set[frozenset[str]]:
    clusters: dict[str, set[str]] = {}
    for cluster, source, id in rows:
        clusters.setdefault(cluster, set()).add(f"{source}:{id}")
    return {frozenset(keys) for keys in clusters.values()}


@pytest.fixture(scope="module")
def undisturbed() -> set[frozenset[str]]:
    """The clusters of a run that nothing disturbs."""
    with throw_away([{"batch_size": BATCH}]) as workspace:
        fold_stream(workspace, records())
        with workspace.catalogue.reading() as read:
            found = partition(memberships(read))
    assert len(found) == WORKS
    return found


def killed(file: str, folder: Path, after: int, delay: float) -> int:
    """Fold, and kill the process some time after so many batches; how many records it had acknowledged."""
    command = [sys.executable, "-c", PROGRAM, file, str(folder), str(BATCH)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as running:
        assert running.stdout is not None
        told = [running.stdout.readline() for _ in range(after)]
        time.sleep(delay)
        running.send_signal(signal.SIGKILL)
        try:
            told += running.communicate(timeout=20)[0].splitlines()  # ends when the second process has ended, too
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            pytest.fail("the second process outlived the first")
    return max((int(line) for line in told if line.strip().isdecimal()), default=0)


def held(folder: Path) -> int:
    """How many records the catalogue holds; and that none of its clusters is half."""
    if not (folder / DATABASE).exists():
        return 0
    with store.create(folder) as catalogue, catalogue.reading() as read:
        sizes = select(schema.records.c.cluster, func.count()).group_by(schema.records.c.cluster)
        counted = {row.cluster: row[1] for row in read.execute(sizes)}
        for part in read.standing():
            for no, cluster in part.items():
                assert len(cluster.members) == counted.pop(no)
                if len(cluster.members) > 1:
                    assert cluster.canonical == aggregate(cluster.members)
        assert counted == {}
        standing = select(func.sum(schema.clusters.c.size))
        total = read.execute(select(func.count()).select_from(schema.records)).scalar_one()
        assert (read.execute(standing).scalar() or 0) == total
    return total


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_run_loses_nothing_and_the_next_goes_on(
    kept: Path, write: Callable[..., str], undisturbed: set[frozenset[str]], seed: int
) -> None:
    chance = random.Random(seed)
    file = write("a.jsonl", *records())
    before = 0
    for _ in range(2):
        acknowledged = killed(file, kept, chance.randrange(5), chance.random() / 5)
        now = held(kept)
        assert now >= acknowledged
        assert now >= before
        before = now
    with opened(kept, create=True) as workspace:
        fold_stream(workspace, [])
        if before:
            assert check(workspace).agree
        totals = fold_stream(workspace, records())
        assert totals.records + before == WORKS * COPIES
        assert check(workspace).agree
        with workspace.catalogue.reading() as read:
            assert partition(memberships(read)) == undisturbed
    assert held(kept) == WORKS * COPIES
