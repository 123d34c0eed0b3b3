"""The outbox: delivered oldest first, forgotten only when the index has it, harmless when delivered twice."""

from collections.abc import Callable

import pytest

from bibfold.errors import EngineError
from bibfold.records.model import Record
from bibfold.workspace import Workspace
from indexer.check import check
from indexer.outbox import deliver_waiting
from ingest import curate
from ingest.run import fold_stream

Make = Callable[..., Record]


def put(workspace: Workspace, *clusters: int) -> None:
    with workspace.catalogue.writing() as write:
        write.note_outbox(clusters)


def left(workspace: Workspace) -> int:
    with workspace.catalogue.reading() as read:
        return read.count_outbox()


def test_what_stands_is_put_and_what_is_gone_is_deleted(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1), make("3", 2)])
    curate.merge(workspace, ["c1", "c2"])
    put(workspace, 1, 2, 2, 99)
    assert left(workspace) == 4
    assert deliver_waiting(workspace) == {}
    assert left(workspace) == 0
    assert sorted(workspace.engine.ids(workspace.index())) == ["c1", "c3"]
    assert check(workspace).agree


def test_more_than_one_batch(workspace: Workspace, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    fold_stream(workspace, [make(str(work), work) for work in range(6)])
    monkeypatch.setattr("indexer.outbox.BATCH", 2)
    put(workspace, *range(1, 7))
    assert deliver_waiting(workspace) == {}
    assert left(workspace) == 0
    assert check(workspace).agree


@pytest.mark.parametrize("verb", ["write", "commit"])
def test_nothing_is_forgotten_when_the_engine_fails(
    workspace: Workspace, make: Make, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    def fail(*_: object) -> None:
        raise EngineError("no room")

    fold_stream(workspace, [make("1")])
    with monkeypatch.context() as patch:
        patch.setattr(workspace.engine, verb, fail)
        with pytest.raises(EngineError, match="no room"):
            fold_stream(workspace, [make("2", 1)])
    assert left(workspace) == 1
    fold_stream(workspace, [make("3", 2)])
    assert check(workspace).agree
    assert sorted(workspace.engine.ids(workspace.index())) == ["c1", "c2", "c3"]
