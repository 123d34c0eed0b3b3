"""Streams through the fold: batches, dead letters, what a break leaves behind."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import select

from bibfold.catalogue import schema
from bibfold.catalogue.views import statistics
from bibfold.errors import InputError, SettingsError
from bibfold.records.model import DeadLetter, Record
from bibfold.workspace import Workspace, throw_away
from indexer.check import check
from ingest.run import fold_stream

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
