"""`reindex`: a new index beside the old, published in one step; a failure leaves everything as it was."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bibfold.catalogue import schema
from bibfold.engines.base import Change, Engine
from bibfold.engines.names import key_version
from bibfold.records import keys
from bibfold.records.model import Record
from bibfold.workspace import Workspace, opened
from indexer.build import drop_others, reindex
from indexer.check import check
from ingest.run import fold_stream

Make = Callable[..., Record]


@pytest.fixture
def workspace(kept: Path, make: Make) -> Iterator[Workspace]:
    """A catalogue on disk, with its tantivy index."""
    with opened(kept, create=True) as made:
        fold_stream(made, [make(str(at), at % 3) for at in range(6)])
        yield made


def rebuild(workspace: Workspace) -> str:
    return reindex(workspace.catalogue, workspace.engine, workspace.alias, workspace.keys)


def waiting(workspace: Workspace) -> int:
    with workspace.catalogue.reading() as connection:
        return connection.execute(select(func.count()).select_from(schema.outbox)).scalar_one()


def put_into_outbox(workspace: Workspace) -> None:
    with workspace.catalogue.writing() as connection:
        connection.execute(schema.outbox.insert(), [{"cluster": 1}, {"cluster": 2}])


def test_a_new_versioned_index_takes_the_place_of_the_old(workspace: Workspace) -> None:
    engine, alias = workspace.engine, workspace.alias
    before = workspace.index()
    told: list[tuple[int, int]] = []
    name = reindex(workspace.catalogue, engine, alias, workspace.keys, lambda done, total: told.append((done, total)))
    assert (before, name) == (f"{alias}-k{keys.KEYS_VERSION}-1", f"{alias}-k{keys.KEYS_VERSION}-2")
    assert engine.published(alias) == name
    assert engine.indexes() == [name]
    assert told == [(3, 3)]
    assert check(workspace).agree


def test_what_was_waiting_is_answered(workspace: Workspace) -> None:
    put_into_outbox(workspace)
    rebuild(workspace)
    assert waiting(workspace) == 0


class Fails:
    """An engine one of whose verbs fails."""

    def __init__(self, engine: Engine, verb: str, error: type[BaseException]) -> None:
        self._engine, self._verb, self._error = engine, verb, error

    def __getattr__(self, name: str) -> object:
        if name == self._verb:
            return self._fail
        return getattr(self._engine, name)

    def _fail(self, *_: object) -> None:
        raise self._error


@pytest.mark.parametrize("verb", ["create", "write", "commit", "publish"])
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_build_that_fails_leaves_the_published_index_and_the_outbox(
    workspace: Workspace, verb: str, error: type[BaseException]
) -> None:
    put_into_outbox(workspace)
    before = workspace.index()
    broken: Engine = Fails(workspace.engine, verb, error)  # type: ignore[assignment]
    with pytest.raises(error):
        reindex(workspace.catalogue, broken, workspace.alias, workspace.keys)
    assert workspace.engine.indexes() == [before]
    assert workspace.index() == before
    assert waiting(workspace) == 2


def test_what_a_crash_left_is_removed_and_strangers_are_not(workspace: Workspace) -> None:
    alias = workspace.alias
    for name in (f"{alias}-k{keys.KEYS_VERSION}-7", f"{alias}-k0-3", "another-k1-1", f"{alias}-2-k1-1"):
        workspace.engine.create(name)
    name = rebuild(workspace)
    assert name == f"{alias}-k{keys.KEYS_VERSION}-8"
    assert workspace.engine.indexes() == sorted(["another-k1-1", f"{alias}-2-k1-1", name])
    assert drop_others(workspace.engine, alias) == []


def test_an_index_that_was_lost_is_built_from_the_catalogue(workspace: Workspace) -> None:
    workspace.engine.drop(workspace.index())
    name = rebuild(workspace)
    assert key_version(name) == keys.KEYS_VERSION
    assert check(workspace).agree


def test_documents_are_written_in_batches(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    write = workspace.engine.write

    def counted(index: str, changes: Iterable[Change]) -> int:
        changes = list(changes)
        sizes.append(len(changes))
        return write(index, changes)

    monkeypatch.setattr("indexer.build.BATCH", 2)
    monkeypatch.setattr(workspace.engine, "write", counted)
    rebuild(workspace)
    assert sizes == [2, 1]
