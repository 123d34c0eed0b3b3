"""The review, pair by pair: by its functions, by lines, and by single keys at a terminal."""

import os
import pty
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bibfold.catalogue.reviews import open_reviews
from bibfold.records.model import Record
from bibfold.workspace import Workspace, opened, throw_away
from indexer.check import check
from ingest.curation.reviews import Session
from ingest.run import fold_stream

Make = Callable[..., Record]

SETTINGS = {"profile": "mendeley-title", "same": 0.95, "unsure": 0.2}
TITLES = ("Alpha beta gamma delta", "Alpha beta gamma", "Alpha beta")


@pytest.fixture
def folded(make: Make) -> Iterator[Workspace]:
    with throw_away([SETTINGS]) as workspace:
        fold_stream(workspace, [make(str(at), title=title) for at, title in enumerate(TITLES, 1)])
        yield workspace


def waiting(workspace: Workspace) -> list[set[str]]:
    with workspace.catalogue.reading() as read:
        return [{review.a, review.b} for review in open_reviews(read)]


def test_cases_come_in_order_and_answers_open_and_close_them(folded: Workspace) -> None:
    before = waiting(folded)
    assert len(before) == 3
    session = Session(folded)
    case = session.next()
    assert case is not None
    assert (set(case.pair), case.left, case.comparison.decision) == ({"x:1", "x:2"}, 3, "unsure")
    assert [cluster.no for cluster in case.clusters] == [2, 1]
    session.decide(case, "same", "seen")
    assert len(waiting(folded)) == 1
    assert session.undo() == "same"
    assert waiting(folded) == before
    session.skip(case)
    second = session.next()
    assert second is not None
    assert (set(second.pair), second.left) == ({"x:2", "x:3"}, 2)
    session.decide(second, "different")
    assert waiting(folded) == [before[0], before[2]]
    assert [session.undo(), session.undo(), session.undo()] == ["different", "skipped", None]
    assert waiting(folded) == before
    assert check(folded).agree


@pytest.fixture
def catalogue(kept: Path, make: Make) -> Path:
    with opened(kept, [SETTINGS], create=True) as workspace:
        fold_stream(workspace, [make(str(at), title=title) for at, title in enumerate(TITLES, 1)])
    return kept


def verdicts(bibfold: Callable[..., Any], catalogue: Path) -> set[tuple[str, str, str]]:
    return {(one["a"], one["b"], one["verdict"]) for one in bibfold("decisions", "-c", catalogue, "--json").json()}


def test_by_lines(catalogue: Path, bibfold: Callable[..., Any]) -> None:
    ran = bibfold("review", "-c", catalogue, "--note", "by hand", stdin=b"d\nx\nz\nD\nu\ns\n")
    assert ran.status == 0
    assert ran.out.count("3 to decide") == 2
    assert ran.out.endswith("nothing is left to decide but what was skipped\n1 same, 1 different, 1 skipped\n")
    assert verdicts(bibfold, catalogue) == {("x:1", "x:2", "different"), ("x:1", "x:3", "same")}
    assert bibfold("decisions", "-c", catalogue, "--json").json()[0]["note"] == "by hand"


def test_an_answer_that_contradicts_others_is_told_and_asked_for_again(
    catalogue: Path, bibfold: Callable[..., Any]
) -> None:
    bibfold("decide", "x:1", "x:2", "different", "-c", catalogue)
    bibfold("decide", "x:1", "x:3", "same", "-c", catalogue)
    assert bibfold("reviews", "-c", catalogue).out == ""
    ran = bibfold("review", "-c", catalogue, stdin=b"z\n")
    assert ran.out == "nothing is left to decide\n0 same, 0 different, 0 skipped\n"


def test_nothing_to_undo_is_told(catalogue: Path, bibfold: Callable[..., Any]) -> None:
    ran = bibfold("review", "-c", catalogue, stdin=b"z\nq\n")
    assert "nothing to undo in this session" in ran.out
    assert verdicts(bibfold, catalogue) == set()


def test_the_queue_from_outside(make: Make, kept: Path, write: Callable[..., str], bibfold: Callable[..., Any]) -> None:
    file = write("a.jsonl", make("1", title="Editorial", authors=()), make("2", title="Editorial", authors=("Roe, R",)))
    assert bibfold("ingest", file, "-c", kept, "--same", 0.99, "--unsure", 0.1).status == 0
    (entry,) = bibfold("reviews", "-c", kept, "--json").json()
    assert (entry["a"], entry["titles"], entry["decision"]) == ("x:2", ["Editorial", "Editorial"], "unsure")
    text = bibfold("reviews", "-c", kept).out
    assert text.splitlines()[0].startswith("x:2 ~ x:1 ")
    assert f"doubt: {entry['doubt']}" in text
    table = bibfold("reviews", "-c", kept, "--csv").out.splitlines()
    assert table[0] == "a,b,verdict,note,score,title_a,title_b,doubt"
    assert table[1].startswith("x:2,x:1,,,")


@pytest.fixture
def at_a_terminal(catalogue: Path) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """The command at a terminal of its own: the process and the terminal's other end."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "bibfold.cli", "review", "-c", str(catalogue)]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    yield process, ours
    process.kill()
    process.wait()
    os.close(ours)


def test_at_a_terminal_single_keys_are_enough(
    at_a_terminal: tuple["subprocess.Popen[bytes]", int], catalogue: Path, bibfold: Callable[..., Any]
) -> None:
    process, terminal = at_a_terminal
    _until(terminal, b"3 to decide", b"uit? ")
    os.write(terminal, b"d")
    _until(terminal, b"2 to decide", b"uit? ")
    os.write(terminal, b"z")
    _until(terminal, b"3 to decide", b"uit? ")
    os.write(terminal, b"s")
    _until(terminal, b"1 to decide", b"uit? ")
    os.write(terminal, b"q")
    _until(terminal, b"1 same, 0 different, 0 skipped")
    assert process.wait(10) == 0
    assert verdicts(bibfold, catalogue) == {("x:1", "x:2", "same")}


def _until(terminal: int, *pieces: bytes) -> None:
    """Read what the command prints until all of these have appeared, in this order."""
    text = b""
    for piece in pieces:
        while piece not in text:
            assert select.select([terminal], [], [], 60)[0], f"{piece!r} never came, but {text!r}"
            text += os.read(terminal, 4096)
        text = text.partition(piece)[2]
