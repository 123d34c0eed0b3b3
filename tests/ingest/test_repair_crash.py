"""A repair that is killed at any moment leaves no half cluster, and the next one ends where an undisturbed one does."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bibfold.catalogue.canonical import aggregate
from bibfold.catalogue.exports import memberships
from bibfold.records.model import Record
from bibfold.workspace import Workspace, opened, throw_away
from indexer.check import check
from ingest import repair
from ingest.run import fold_stream

WORKS = 60
BY_TITLE = {"profile": "mendeley-title"}
STRICT = BY_TITLE | {"same": 0.7, "unsure": 0.7}

PROGRAM = """
import sys
from pathlib import Path
from bibfold.workspace import opened
from ingest import repair
from ingest.observer import Observer

repair.BATCH = 10
observer = Observer(progress=lambda done: print(done, flush=True))
with opened(Path(sys.argv[1]), [{"same": 0.7, "unsure": 0.7}], write=True) as workspace:
    repair.repair(workspace, lambda change: print(change.kind, flush=True), observer)
print("done", flush=True)
"""
"""Repairs a catalogue by a stricter threshold, and says what it has changed and how far it has got."""


def records() -> list[Record]:
    """Works of four records each: two and two are the same to a strict threshold, all four to a lower one."""
    chance = random.Random(3)
    syllables = [a + b for a in ("ba", "ke", "li", "mo", "nu", "ra") for b in ("dor", "fin", "gan", "hul", "mer")]
    words = [a + b for a in syllables for b in syllables]
    found = []
    for work in range(WORKS):
        shared, one, other = chance.sample(words, 4), chance.sample(words, 2), chance.sample(words, 2)
        titles = [" ".join(shared + part) for part in (one, other, one, other)]
        found += [Record(source=f"s{copy}", id=str(work), title=title) for copy, title in enumerate(titles)]
    return found


def partition(workspace: Workspace) -> set[frozenset[str]]:
    clusters: dict[str, set[str]] = {}
    with workspace.catalogue.reading() as read:
        for cluster, source, id in memberships(read):
            clusters.setdefault(cluster, set()).add(f"{source}:{id}")
    return {frozenset(keys) for keys in clusters.values()}


@pytest.fixture(scope="module")
def undisturbed() -> set[frozenset[str]]:
    """The clusters after a repair that nothing disturbs."""
    with throw_away([STRICT]) as workspace:
        fold_stream(workspace, records())
        repair.repair(workspace)
        return partition(workspace)


def killed(folder: Path, after: int, delay: float) -> bool:
    """Repair, and kill the process some time after so many lines; whether it was killed before it was done."""
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        printed = [running.stdout.readline() for _ in range(after)]
        time.sleep(delay)
        running.send_signal(signal.SIGKILL)
        out, err = running.communicate(timeout=20)
    assert err == ""
    return "done" not in [line.strip() for line in [*printed, *out.splitlines()]]


def whole(folder: Path) -> None:
    """Every record is there once, and every canonical record is that of its cluster's members."""
    with opened(folder) as workspace, workspace.catalogue.reading() as read:
        clusters = [cluster for part in read.standing() for cluster in part.values()]
        assert sum(len(cluster.members) for cluster in clusters) == 4 * WORKS
        for cluster in clusters:
            if len(cluster.members) > 1:
                assert cluster.canonical == aggregate(cluster.members)


def test_a_killed_repair_goes_on(kept: Path, undisturbed: set[frozenset[str]]) -> None:
    with opened(kept, [BY_TITLE], create=True) as workspace:
        fold_stream(workspace, records())
        assert len(partition(workspace)) == WORKS
    assert len(undisturbed) == 2 * WORKS
    chance = random.Random(11)
    kills = [killed(kept, after, chance.random() / 20) and whole(kept) is None for after in (1, 9, 17)]
    assert any(kills)
    with opened(kept, [STRICT], write=True) as workspace:
        repair.repair(workspace)
        assert partition(workspace) == undisturbed
        assert check(workspace).agree
        assert repair.repair(workspace).splits == 0
    whole(kept)


def test_what_was_done_before_the_kill_is_not_looked_at_again(kept: Path) -> None:
    with opened(kept, [BY_TITLE], create=True) as workspace:
        fold_stream(workspace, records())
    assert killed(kept, 14, 0), "ten changes and the first batch are noted, and the next begins"
    with opened(kept, [STRICT], write=True) as workspace:
        rest = repair.repair(workspace)
    assert rest.resumed is not None
    assert rest.clusters < WORKS
    whole(kept)
