"""`reindex`: a new index beside the old, published in one step; writers go on, a failure leaves all as it was."""

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from bibfold.catalogue import schema
from bibfold.catalogue.rows import Build
from bibfold.catalogue.writing import Writing
from bibfold.engines import open_engine
from bibfold.engines.base import Change, Engine
from bibfold.engines.names import key_version
from bibfold.errors import CatalogueLocked, EngineError, EngineUnavailable, WriteRejected
from bibfold.records import keys
from bibfold.records.model import Record
from bibfold.workspace import Workspace, opened
from indexer import build as module
from indexer.build import Observer, reindex
from indexer.check import check
from indexer.leftovers import drop_all_but
from ingest import curate
from ingest.run import fold_stream

Make = Callable[..., Record]


@pytest.fixture
def workspace(kept: Path, make: Make) -> Iterator[Workspace]:
    """A catalogue on disk, with its tantivy index; whoever writes to it later finds the index free."""
    with opened(kept, create=True) as made:
        fold_stream(made, [make(str(at), at % 3) for at in range(6)])
        made.engine.close()
        yield made


class Meddled:
    """The engine of a build, one of whose verbs is not what it was."""

    def __init__(self, engine: Engine, verb: str, does: Callable[..., Any]) -> None:
        self._engine, self._verb, self._does = engine, verb, does

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._engine, name)
        return (lambda *values: self._does(real, *values)) if name == self._verb else real


@pytest.fixture
def meddle(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[..., Any]], None]:
    """Changes what a verb of the engine that a build works with does: it is given the real one, too."""

    def use(verb: str, does: Callable[..., Any]) -> None:
        monkeypatch.setattr(module, "open_engine", lambda *place: Meddled(open_engine(*place), verb, does))

    return use


def fail(error: BaseException) -> Callable[..., Any]:
    def failing(*_: object) -> None:
        raise error

    return failing


def rows(workspace: Workspace) -> int:
    with workspace.catalogue.reading() as read:
        return read.execute(select(func.count()).select_from(schema.outbox)).scalar_one()


def registered(workspace: Workspace) -> Build | None:
    with workspace.catalogue.reading() as read:
        return read.building()


def put_into_outbox(workspace: Workspace) -> None:
    with workspace.catalogue.writing() as write:
        write.note_outbox([1, 2])


def test_a_new_versioned_index_takes_the_place_of_the_old(workspace: Workspace) -> None:
    engine, alias = workspace.engine, workspace.alias
    before = workspace.index()
    told: list[tuple[int, int]] = []
    name = reindex(workspace, Observer(lambda done, total: told.append((done, total))))
    assert (before, name) == (f"{alias}-k{keys.KEYS_VERSION}-1", f"{alias}-k{keys.KEYS_VERSION}-2")
    assert engine.published(alias) == name
    assert engine.indexes() == [name]
    assert told == [(0, 3), (3, 3)]
    assert registered(workspace) is None
    assert check(workspace).agree


def test_what_was_waiting_is_answered(workspace: Workspace) -> None:
    put_into_outbox(workspace)
    reindex(workspace)
    assert rows(workspace) == 0


@pytest.mark.parametrize("verb", ["write", "commit"])
def test_a_build_that_fails_leaves_the_published_index_and_the_outbox(
    workspace: Workspace, meddle: Callable[..., None], verb: str
) -> None:
    put_into_outbox(workspace)
    before = workspace.index()
    meddle(verb, fail(EngineError("no room")))
    with pytest.raises(EngineError, match="no room"):
        reindex(workspace)
    assert workspace.engine.indexes() == [before]
    assert workspace.index() == before
    assert rows(workspace) == 2
    assert registered(workspace) is None


@pytest.mark.parametrize("verb", ["create", "publish"])
def test_a_build_that_cannot_begin_or_end_leaves_the_published_index(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    before = workspace.index()
    monkeypatch.setattr(workspace.engine, verb, fail(EngineError("no room")))
    with pytest.raises(EngineError, match="no room"):
        reindex(workspace)
    assert workspace.engine.indexes() == [before]
    assert workspace.index() == before
    assert registered(workspace) is None


def test_what_a_crash_left_is_removed_and_strangers_are_not(workspace: Workspace) -> None:
    alias = workspace.alias
    for name in (f"{alias}-k{keys.KEYS_VERSION}-7", f"{alias}-k0-3", "another-k1-1", f"{alias}-2-k1-1"):
        workspace.engine.create(name)
    name = reindex(workspace)
    assert workspace.engine.indexes() == sorted(["another-k1-1", f"{alias}-2-k1-1", name])
    assert drop_all_but(workspace.engine, alias, {name}) == []


def test_an_index_that_was_lost_is_built_from_the_catalogue(workspace: Workspace) -> None:
    workspace.engine.drop(workspace.index())
    published: list[str | None] = []
    name = reindex(workspace, Observer(lambda *_: published.append(workspace.engine.published(workspace.alias))))
    assert published == [None, None]
    assert key_version(name) == keys.KEYS_VERSION
    assert check(workspace).agree


def test_an_old_index_that_cannot_be_dropped_is_told_and_dropped_by_the_next(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(workspace.engine, "drop", fail(EngineError("no right")))
        name = reindex(workspace, Observer(remark=told.append))
    assert told == [f"what {name} took the place of is still there, the next reindex drops it: no right"]
    assert len(workspace.engine.indexes()) == 2
    assert check(workspace).agree
    later = reindex(workspace)
    assert workspace.engine.indexes() == [later]


def test_documents_are_written_in_batches(
    workspace: Workspace, meddle: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def counted(write: Callable[..., int], index: str, changes: list[Change]) -> int:
        sizes.append(len(changes))
        return write(index, changes)

    monkeypatch.setattr(module, "BATCH", 2)
    meddle("write", counted)
    reindex(workspace)
    assert sizes == [2, 1]


def test_one_build_at_a_time(workspace: Workspace, kept: Path) -> None:
    workspace.catalogue.acquire("builder")
    with opened(kept, rebuild=True) as other, pytest.raises(CatalogueLocked, match="built anew by another process"):
        reindex(other)


def test_what_the_engine_refuses_does_not_stop_a_build(workspace: Workspace, meddle: Callable[..., None]) -> None:
    def refuse(write: Callable[..., int], index: str, changes: Iterable[Any]) -> int:
        write(index, [change for change in changes if change.document.id != "c2"])
        raise WriteRejected({"c2": "too long"})

    meddle("write", refuse)
    told: list[str] = []
    reindex(workspace, Observer(remark=told.append))
    assert told == ["c2 is kept, but the engine refused its document, no lookup will find it: too long"]
    assert check(workspace).missing == ["c2"]


class TestBesideAWriter:
    """A writer works in the middle of a build; what it does is in the new index when that is published."""

    def meanwhile(self, workspace: Workspace, meddle: Callable[..., None], work: Callable[[], object]) -> None:
        """Let the build run, and do the work before its first write is."""
        pending = [work]

        def interrupted(write: Callable[..., int], index: str, changes: list[Change]) -> int:
            while pending:
                pending.pop()()
                workspace.engine.close()
            return write(index, changes)

        meddle("write", interrupted)
        reindex(workspace)
        assert not pending
        assert rows(workspace) == 0
        assert check(workspace).agree

    def test_records_that_arrive(self, workspace: Workspace, make: Make, meddle: Callable[..., None]) -> None:
        fresh = [make("new", 3), make("again", 0, pages="1-9"), make("0", 4)]
        self.meanwhile(workspace, meddle, lambda: fold_stream(workspace, fresh))
        assert workspace.engine.count(workspace.index()) == 5

    def test_clusters_that_a_person_changes(self, workspace: Workspace, meddle: Callable[..., None]) -> None:
        self.meanwhile(workspace, meddle, lambda: curate.merge(workspace, ["c1", "c3"]))
        assert sorted(workspace.engine.ids(workspace.index())) == ["c1", "c2"]

    def test_a_writer_that_could_not_deliver(
        self, workspace: Workspace, make: Make, meddle: Callable[..., None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def work() -> None:
            with monkeypatch.context() as patch:
                patch.setattr(workspace.engine, "commit", fail(EngineError("no room")))
                with pytest.raises(EngineError, match="no room"):
                    fold_stream(workspace, [make("new", 3)])

        self.meanwhile(workspace, meddle, work)

    def test_many_changes_are_brought_in_before_writers_are_asked_to_wait(
        self, workspace: Workspace, make: Make, meddle: Callable[..., None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "FEW", 1)
        left: list[int] = []
        switch = module._switched

        def switched(workspace: Workspace, index: str, observer: Observer) -> str:
            with workspace.catalogue.reading() as read:
                left.append(read.count_outbox(index))
            return switch(workspace, index, observer)

        monkeypatch.setattr(module, "_switched", switched)
        self.meanwhile(workspace, meddle, lambda: fold_stream(workspace, [make("new", 3), make("newer", 4)]))
        assert left == [0]


class TestCutShort:
    """A build that was stopped: the same command goes on with it, another one begins anew."""

    @pytest.fixture(autouse=True)
    def small_steps(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "BATCH", 1)
        monkeypatch.setattr(module, "COMMIT", 1)

    @pytest.fixture
    def cut(self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> str:
        """The name of an index whose build was stopped behind its first cluster."""

        def stop(done: int, total: int) -> None:
            if done:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            reindex(workspace, Observer(stop))
        build = registered(workspace)
        assert build is not None
        assert (build.done, build.last) == (1, 3)
        return build.index

    def test_it_goes_on(self, workspace: Workspace, make: Make, cut: str) -> None:
        fold_stream(workspace, [make("new", 3), make("more", 0, pages="1-9")])
        assert check(workspace).half_built == cut
        told: list[tuple[int, int]] = []
        assert reindex(workspace, Observer(lambda *steps: told.append(steps))) == cut
        assert told == [(1, 3), (2, 3), (3, 3)]
        found = check(workspace)
        assert (found.agree, found.half_built) == (True, None)
        assert workspace.engine.indexes() == [cut]

    def test_one_that_was_left_long_ago_is_given_up(
        self, workspace: Workspace, kept: Path, make: Make, cut: str
    ) -> None:
        workspace.catalogue.release()
        for at in range(2):
            with opened(kept, create=True) as later:
                fold_stream(later, [make(f"{at}-{work}", work) for work in range(3)])
        assert registered(workspace) == Build(cut, "", ("en",), "bigrams", 3, 1)
        with opened(kept, create=True) as later:
            fold_stream(later, [])
        assert (registered(workspace), rows(workspace)) == (None, 0)
        with opened(kept, rebuild=True) as later:
            assert reindex(later) in later.engine.indexes()
            assert len(later.engine.indexes()) == 1

    def test_other_settings_begin_anew(self, workspace: Workspace, kept: Path, cut: str) -> None:
        workspace.catalogue.release()
        told: list[tuple[int, int]] = []
        with opened(kept, [{"languages": ("en", "de")}], rebuild=True) as changed:
            name = reindex(changed, Observer(lambda *steps: told.append(steps)))
            assert told[0] == (0, 3)
            assert changed.engine.indexes() == [name]
            assert check(changed).agree
            with changed.catalogue.reading() as read:
                assert read.options()["languages"] == ["en", "de"]

    @pytest.mark.parametrize("lost", ["index", "keys"])
    def test_what_cannot_go_on_begins_anew(
        self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, cut: str, lost: str
    ) -> None:
        if lost == "index":
            workspace.engine.drop(cut)
        else:
            monkeypatch.setattr(module, "KEYS_VERSION", keys.KEYS_VERSION + 1)
        told: list[tuple[int, int]] = []
        name = reindex(workspace, Observer(lambda *steps: told.append(steps)))
        assert told[0] == (0, 3)
        assert workspace.engine.indexes() == [name]
        assert rows(workspace) == 0

    def test_cut_between_publishing_and_the_end(
        self, workspace: Workspace, make: Make, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(Writing, "unregister", fail(KeyboardInterrupt()))
            with pytest.raises(KeyboardInterrupt):
                reindex(workspace)
        published = workspace.index()
        fold_stream(workspace, [make("new", 3)])
        assert reindex(workspace) == published
        assert workspace.engine.indexes() == [published]
        assert registered(workspace) is None
        assert check(workspace).agree

    def test_an_engine_that_is_away_keeps_what_is_built(
        self, workspace: Workspace, meddle: Callable[..., None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(workspace.engine, "ready", lambda: False)
            patch.setattr("indexer.outage.FIRST_PAUSE", 1000.0)
            meddle("commit", fail(EngineUnavailable("gone")))
            with pytest.raises(EngineUnavailable, match="gone; nothing is lost, the same command goes on from here"):
                reindex(workspace)
        build = registered(workspace)
        assert build is not None
        monkeypatch.setattr(module, "open_engine", open_engine)
        assert reindex(workspace) == build.index
        assert check(workspace).agree

    def test_killed_in_the_middle(self, workspace: Workspace, kept: Path, make: Make) -> None:
        program = """
import sys, time
from pathlib import Path
from bibfold.workspace import opened
from indexer import build

build.BATCH = build.COMMIT = 1
with opened(Path(sys.argv[1]), rebuild=True) as workspace:
    build.reindex(workspace, build.Observer(lambda done, total: print(done, flush=True) or time.sleep(done * 10)))
"""
        command = [sys.executable, "-c", program, str(kept)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            assert [running.stdout.readline() for _ in range(2)] == ["0\n", "1\n"]
            fold_stream(workspace, [make("new", 3), make("more", 0, pages="1-9")])
            running.kill()
        build = registered(workspace)
        assert build is not None
        assert build.done == 1
        told: list[tuple[int, int]] = []
        assert reindex(workspace, Observer(lambda *steps: told.append(steps))) == build.index
        assert told == [(1, 3), (2, 3), (3, 3)]
        assert check(workspace).agree


class TestAnotherEngine:
    """The index moves to another engine, and none is left behind."""

    def test_the_old_index_is_dropped(self, workspace: Workspace, kept: Path, tmp_path: Path) -> None:
        workspace.catalogue.release()
        with opened(kept, [{"engine": f"tantivy:{tmp_path / 'new'}"}], rebuild=True) as moved:
            reindex(moved)
            assert check(moved).agree
        assert workspace.engine.indexes() == []
        with opened(kept) as later:
            assert later.address == f"tantivy:{tmp_path / 'new'}"
            assert check(later).agree

    def test_an_old_engine_that_is_away_is_told(self, workspace: Workspace, kept: Path, tmp_path: Path) -> None:
        workspace.catalogue.release()
        workspace.engine.close()
        place = kept / "index"
        place.rename(tmp_path / "away")
        place.touch()
        told: list[str] = []
        with opened(kept, [{"engine": f"tantivy:{tmp_path / 'new'}"}], rebuild=True) as moved:
            reindex(moved, Observer(remark=told.append))
            assert check(moved).agree
        assert told == [
            f"an index of {moved.alias} stays at tantivy:{place}, drop it there by hand: it does not answer"
        ]

    def test_nobody_may_write_meanwhile(self, workspace: Workspace, kept: Path, tmp_path: Path) -> None:
        with (
            pytest.raises(CatalogueLocked, match="is being written by another process"),
            opened(kept, [{"engine": f"tantivy:{tmp_path / 'new'}"}], rebuild=True),
        ):
            pass
