"""Streams through the fold: totals, dead letters, what a break leaves behind, in one process or two."""

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from bibfold.catalogue import schema
from bibfold.catalogue.exports import memberships
from bibfold.catalogue.views import event_list, statistics
from bibfold.engines.base import Delete
from bibfold.errors import InputError, SettingsError
from bibfold.records.formats.files import Files
from bibfold.records.model import DeadLetter, Record
from bibfold.workspace import Workspace, opened, throw_away
from indexer.check import check
from ingest import prefetch
from ingest.observer import BatchFolded, Observer, Pair
from ingest.run import Totals, collector_at_rest, fold_stream, start
from lookup.evidence import Comparison, Decision
from lookup.matcher import matcher_of

Make = Callable[..., Record]

LETTER = DeadLetter(file="a.ris", position="line 3", reason="no title", raw="TY")


def test_dead_letters_are_kept_once_however_often_a_file_comes(workspace: Workspace, make: Make) -> None:
    for _ in range(2):
        totals = fold_stream(workspace, [make("1"), LETTER, LETTER])
        assert totals.dead_letters == 2
    with workspace.catalogue.reading() as read:
        rows = read.execute(select(schema.dead_letters)).all()
    assert [(row.file, row.position, row.reason, row.raw) for row in rows] == [("a.ris", "line 3", "no title", "TY")]


def test_what_came_before_a_file_that_cannot_be_read_is_folded(workspace: Workspace, make: Make) -> None:
    def stream() -> Iterator[Record | DeadLetter]:
        yield from (make("1"), LETTER, make("2", 1))
        raise InputError("b.ris: is a PDF file")

    with pytest.raises(InputError, match="is a PDF file"):
        fold_stream(workspace, stream())
    with workspace.catalogue.reading() as read:
        found = statistics(read)
    assert (found["records"], found["dead_letters"]) == (2, 1)
    assert check(workspace).agree


def test_thresholds_that_cross_are_refused(make: Make) -> None:
    with (
        throw_away([{"same": 0.5, "unsure": 0.6}]) as workspace,
        pytest.raises(SettingsError, match=r"unsure: 0\.6 is above same: 0\.5"),
    ):
        fold_stream(workspace, [make("1")])


def test_an_empty_stream_is_no_work(workspace: Workspace) -> None:
    assert fold_stream(workspace, []).records == 0
    assert check(workspace).agree


def test_totals_add_up() -> None:
    def pair(decision: Decision) -> Pair:
        return Pair("x:1", "x:2", Comparison(decision, 0.7, "bibfold", (), ()))

    totals = Totals(records=1)
    totals.add(BatchFolded(3, 2, 1, [pair("same"), pair("unsure"), pair("same")], list))
    totals.add(BatchFolded(1, 0, 1, [pair("unsure")], list))
    assert totals == Totals(records=5, unchanged=2, clusters=2, same=2, unsure=2)


def test_progress_counts_what_was_seen_and_letters_are_told(make: Make) -> None:
    seen: list[int] = []
    letters: list[DeadLetter] = []
    with throw_away([{"batch_size": 2}]) as workspace:
        stream = [make("1"), LETTER, make("1"), make("2", 1), LETTER]
        totals = fold_stream(workspace, stream, observer=Observer(progress=seen.append, letter=letters.append))
    assert (seen, letters) == ([1, 3, 3], [LETTER, LETTER])
    assert (totals.records, totals.unchanged, totals.dead_letters) == (2, 1, 2)


def test_the_garbage_collector_rests_and_is_woken_however_a_run_ends(workspace: Workspace, make: Make) -> None:
    def fail(records: int) -> None:
        assert not gc.isenabled()
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fold_stream(workspace, [make("1")], observer=Observer(progress=fail))
    assert gc.isenabled()
    gc.disable()
    try:
        with collector_at_rest():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_run_begins_with_what_an_earlier_one_left_in_the_outbox(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1")])
    workspace.engine.write(workspace.index(), [Delete("c1")])
    workspace.engine.commit(workspace.index())
    with workspace.catalogue.writing() as write:
        write.note_outbox([1])
    start(workspace, matcher_of(workspace.settings), "ingest", Observer())
    assert check(workspace).agree


@pytest.fixture
def two_processes(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Says whether files are read by a second process."""

    def say(wished: bool) -> None:
        monkeypatch.setattr(prefetch, "WORTH_A_PROCESS", 0 if wished else 10**12)

    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    return say


def outcome(workspace: Workspace, placed: list[object]) -> list[object]:
    assert check(workspace).agree
    with workspace.catalogue.reading() as read:
        events = [(event["kind"], event["cluster"], event["cause"]) for event in event_list(read, None, 1_000)]
        counted = {name: value for name, value in statistics(read).items() if name != "options"}
        return [list(memberships(read)), events, counted, placed]


def test_a_second_process_changes_nothing(
    make: Make, write: Callable[..., str], tmp_path: Path, two_processes: Callable[[bool], None]
) -> None:
    """Repeats and second records of one name among what comes, and half of it there already with other content."""
    first = write("a.jsonl", *(make(str(at), at % 6, pages=str(at % 4)) for at in range(60)))
    items = [make(str(at % 70), at % 5, pages=str(at % 3)) for at in range(200)]
    second = write("b.jsonl", *items[:120], b"{broken\n", *items[120:])
    found = []
    for wished in (False, True):
        two_processes(wished)
        with opened(tmp_path / f"catalogue {wished}", [{"batch_size": 30}], create=True) as workspace:
            placed: list[object] = []
            observer = Observer(batch=lambda event, seen=placed: seen.extend(event.placed()))
            totals = [fold_stream(workspace, Files((file,)), observer=observer) for file in (first, second, first)]
            found.append((totals, outcome(workspace, placed)))
    assert found[0] == found[1]


def test_a_second_process_pairs_only_what_is_folded(
    make: Make, write: Callable[..., str], two_processes: Callable[[bool], None]
) -> None:
    """A record that is repeated until it crowds out every other neighbour is one neighbour, not many."""
    crowd = make("a", publication="alpha beta gamma", year=1990)
    pair = [make(id, publication="delta epsilon zeta", year=2000) for id in "bc"]
    file = write("a.jsonl", *[crowd] * 15, *pair)
    for wished in (False, True):
        two_processes(wished)
        with throw_away([{"profile": "mendeley", "same": 0.8, "unsure": 0.8}]) as workspace:
            fold_stream(workspace, Files((file,)))
            with workspace.catalogue.reading() as read:
                assert list(memberships(read)) == [("c1", "x", "a"), ("c2", "x", "b"), ("c2", "x", "c")]


def test_files_can_be_folded_into_a_catalogue_in_memory_that_holds_records(
    workspace: Workspace, make: Make, write: Callable[..., str], two_processes: Callable[[bool], None]
) -> None:
    two_processes(True)
    file = write("a.jsonl", make("1"), make("2"))
    assert fold_stream(workspace, Files((file,))).records == 2
    assert fold_stream(workspace, Files((file,))).unchanged == 2


@pytest.mark.parametrize("wished", [False, True])
def test_a_file_that_is_gone_is_named(
    workspace: Workspace, make: Make, write: Callable[..., str], two_processes: Callable[[bool], None], wished: bool
) -> None:
    two_processes(wished)
    files = Files((write("a.jsonl", make("1")), write("gone.jsonl", make("2"))), strict=True)
    Path(files.paths[1]).unlink()
    with pytest.raises(InputError, match=r"gone\.jsonl: no such file"):
        fold_stream(workspace, files)
    with workspace.catalogue.reading() as read:
        assert statistics(read)["records"] == 1


def test_dead_letters_of_what_was_read_since_are_closed(
    bibfold: Any, write: Callable[..., str], make: Make, kept: Path
) -> None:
    words = ["ingest", write("a.jsonl", make("1"), b"{no\n"), write("b.jsonl", b""), "-c", kept]
    assert bibfold(*words).status == 3
    assert len(bibfold("dead-letters", "-c", kept).out.splitlines()) == 2
    write("b.jsonl", make("2", 1))
    assert bibfold(*words).status == 3
    (left,) = bibfold("dead-letters", "-c", kept, "--json").json()
    assert (Path(left["file"]).name, left["position"]) == ("a.jsonl", "line 2")
    write("a.jsonl", make("1"), make("3", 2))
    assert bibfold(*words).status == 0
    assert bibfold("dead-letters", "-c", kept).out == ""
    assert bibfold("stats", "-c", kept, "--json").json()[0]["dead_letters"] == 0
    listed = bibfold("dead-letters", "-c", kept, "--all", "--json").json()
    assert [letter["closed"] for letter in listed] == [True, True]


def test_dead_letters_of_standard_input_stay(bibfold: Any, kept: Path) -> None:
    bibfold("ingest", "-", "-c", kept, stdin=b'{"id": "1", "title": "T"}\n{no\n')
    assert bibfold("ingest", "-", "-c", kept, stdin=b'{"id": "1", "title": "T"}\n').status == 0
    assert len(bibfold("dead-letters", "-c", kept).out.splitlines()) == 1
