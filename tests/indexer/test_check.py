"""`check`: what differs between catalogue and index, and that `--repair` mends it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from bibfold.engines.base import Change, Delete, Document, Put
from bibfold.errors import IndexMissing, IndexOutdated
from bibfold.records.model import Record
from bibfold.workspace import Workspace, opened
from indexer.check import check, repair
from ingest.run import fold_stream

Make = Callable[..., Record]


@pytest.fixture
def workspace(kept: Path, make: Make) -> Iterator[Workspace]:
    """A catalogue on disk, with its tantivy index."""
    with opened(kept, create=True) as made:
        fold_stream(made, [make(str(at), at % 4) for at in range(8)])
        yield made


def change(workspace: Workspace, *changes: Change) -> None:
    """Change the index behind the catalogue's back."""
    workspace.engine.write(workspace.index(), changes)
    workspace.engine.commit(workspace.index())


def document(workspace: Workspace, id: str) -> Document:
    (found,) = workspace.engine.get(workspace.index(), [id])
    assert found is not None
    return found


def test_what_agrees(workspace: Workspace) -> None:
    found = check(workspace)
    assert found.agree
    assert (found.clusters, found.documents) == (4, 4)


def test_missing_outdated_and_surplus_documents_are_found_and_mended(workspace: Workspace) -> None:
    other = replace(document(workspace, "c2"), record=replace(document(workspace, "c2").record, pages="9"))
    terms = replace(document(workspace, "c3"), terms={"title": ["no such"]})
    stray = replace(document(workspace, "c4"), id="c99")
    before = document(workspace, "c2")
    change(workspace, Delete("c1"), Put(other), Put(terms), Put(stray))
    found = check(workspace)
    assert not found.agree
    assert (found.missing, found.outdated, found.surplus) == (["c1"], ["c2", "c3"], ["c99"])
    assert repair(workspace) == found
    assert check(workspace).agree
    assert document(workspace, "c2").record == before.record


@pytest.mark.parametrize("quick", [False, True])
def test_what_an_ingest_writes_meanwhile_is_no_difference(
    workspace: Workspace, make: Make, monkeypatch: pytest.MonkeyPatch, quick: bool
) -> None:
    """The catalogue is read first: by the time that the index is read, it holds a cluster more."""
    ids = workspace.engine.ids

    def later(index: str) -> Iterable[str]:
        fold_stream(workspace, [make("9", 4), make("8", 0, pages="77-99")])
        return ids(index)

    monkeypatch.setattr(workspace.engine, "ids", later)
    assert check(workspace, quick=quick).agree


def test_a_change_that_is_under_way_is_waited_for(
    workspace: Workspace, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cluster changes between the reading of the catalogue and of its document, and is on its way to the index."""
    get, pending = workspace.engine.get, [make("8", 0, pages="77-99")]

    def later(index: str, ids: Sequence[str]) -> list[Document | None]:
        while pending:
            fold_stream(workspace, [pending.pop()])
        return get(index, ids)

    monkeypatch.setattr(workspace.engine, "get", later)
    assert check(workspace).agree


def test_a_surplus_document_stays_one_at_the_second_look(workspace: Workspace) -> None:
    stray = replace(document(workspace, "c4"), id="zebra")
    change(workspace, Put(stray), Put(replace(stray, id="c99")), Delete("c1"))
    for quick in (True, False):
        found = check(workspace, quick=quick)
        assert (sorted(found.surplus), found.missing, found.outdated) == (["c99", "zebra"], ["c1"], [])


def test_who_may_only_read_looks_twice_as_well(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    change(workspace, Delete("c1"))
    folder = workspace.catalogue.folder
    assert folder is not None
    for name in ("index.lock", "turn.lock"):
        (folder / name).unlink(missing_ok=True)
    monkeypatch.setattr("bibfold.catalogue.sqlite.os.access", lambda path, mode: False)
    assert check(workspace).missing == ["c1"]
    assert not (folder / "index.lock").exists()


def test_repair_in_many_batches(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.check.BATCH", 1)
    change(workspace, *(Delete(f"c{no}") for no in range(1, 5)))
    repair(workspace)
    assert check(workspace).agree


def test_a_row_in_the_outbox_is_a_difference_until_it_is_delivered(workspace: Workspace) -> None:
    with workspace.catalogue.writing() as write:
        write.note_outbox([1])
    change(workspace, Delete("c1"))
    found = check(workspace)
    assert (found.agree, found.outbox, found.missing) == (False, 1, ["c1"])
    assert repair(workspace).agree
    assert check(workspace).agree


def test_the_next_run_delivers_what_is_waiting(workspace: Workspace, make: Make) -> None:
    with workspace.catalogue.writing() as write:
        write.note_outbox([1, 77])
    change(workspace, Delete("c1"))
    fold_stream(workspace, [make("0")])
    assert check(workspace).agree


def test_no_index_and_an_index_of_other_keys_are_told(workspace: Workspace) -> None:
    engine, alias = workspace.engine, workspace.alias
    other = f"{alias}-k0-9"
    engine.create(other)
    engine.publish(alias, other)
    for ask in (check, repair):
        with pytest.raises(IndexOutdated, match=r"holds keys of version 0, .*; run `bibfold reindex`"):
            ask(workspace)
    engine.drop(other)
    for ask in (check, repair):
        with pytest.raises(IndexMissing, match="run `bibfold reindex`"):
            ask(workspace)


def test_a_run_refuses_an_index_of_other_keys_and_one_that_is_lost(workspace: Workspace, make: Make) -> None:
    engine, alias = workspace.engine, workspace.alias
    other = f"{alias}-k0-9"
    engine.create(other)
    engine.publish(alias, other)
    with pytest.raises(IndexOutdated, match="run `bibfold reindex`"):
        fold_stream(workspace, [make("9")])
    engine.drop(other)
    with pytest.raises(IndexMissing, match=r"the index of .* is not there .*run `bibfold reindex` to build it"):
        fold_stream(workspace, [make("9")])
