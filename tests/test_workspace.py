"""A catalogue with its index: what it remembers, what only `reindex` changes, what a first mistake leaves."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from bibfold.catalogue import schema, store
from bibfold.errors import IndexMissing, SettingsError
from bibfold.records.model import Record
from bibfold.workspace import ensure_index, opened, remember, throw_away
from ingest.run import fold_stream

Make = Callable[..., Record]


def options(folder: Path) -> dict[str, object]:
    with store.open_catalogue(folder) as catalogue, catalogue.reading() as read:
        return read.options()


def test_a_catalogue_remembers_what_it_was_made_with(kept: Path, make: Make) -> None:
    with opened(kept, [{"profile": "mendeley", "top_n": 5, "batch_size": 7}], create=True) as workspace:
        fold_stream(workspace, [make("1")])
        alias = workspace.alias
    with opened(kept) as workspace:
        assert (workspace.settings.profile, workspace.settings.top_n, workspace.alias) == ("mendeley", 5, alias)
        assert workspace.settings.batch_size == 20_000


def test_what_is_given_overrides_it_for_one_run(kept: Path, make: Make) -> None:
    with opened(kept, [{"top_n": 5}], create=True) as workspace:
        fold_stream(workspace, [make("1")])
    with opened(kept, [{"top_n": 7}], create=True) as workspace:
        assert workspace.settings.top_n == 7
        fold_stream(workspace, [make("2")])
    assert options(kept)["top_n"] == 5


def test_a_mistake_in_the_first_run_is_not_remembered(kept: Path, make: Make) -> None:
    with opened(kept, [{"profile": "nope"}], create=True) as workspace, pytest.raises(SettingsError, match="'nope'"):
        fold_stream(workspace, [make("1")])
    for engine in ("nope", "memory", "tantivy:", "memory:x"):
        with pytest.raises(SettingsError, match="engine"), opened(kept, [{"engine": engine}], create=True):
            pass
    with opened(kept, create=True) as workspace:
        fold_stream(workspace, [make("1")])
    assert options(kept)["profile"] == "bibfold"


def test_an_engine_that_forgets_is_refused_for_a_catalogue_that_is_kept(kept: Path) -> None:
    with (
        pytest.raises(SettingsError, match=r"engine memory: its index is gone when the command ends; .* tantivy"),
        opened(kept, [{"engine": "memory"}], create=True),
    ):
        pass


@pytest.mark.parametrize(
    ("name", "value"), [("languages", ("en", "de")), ("retriever", "fingerprint"), ("engine", "tantivy:/elsewhere")]
)
def test_what_the_index_is_built_by_is_changed_by_reindex_alone(
    kept: Path, make: Make, name: str, value: object
) -> None:
    with opened(kept, create=True) as workspace:
        fold_stream(workspace, [make("1")])
    with (
        pytest.raises(SettingsError, match=f"{name}: the catalogue's index was built with .*bibfold reindex --{name}"),
        opened(kept, [{name: value}]),
    ):
        pass
    with opened(kept, [{name: value}], write=True, rebuild=True) as workspace:
        assert getattr(workspace.settings, name) == value
    assert options(kept)[name] != value
    with opened(kept, [{name: value, "top_n": 3}], write=True, rebuild=True) as workspace:
        remember(workspace, (name,))
    assert (options(kept)[name], options(kept)["top_n"]) == (list(value) if isinstance(value, tuple) else value, 10)


def test_the_default_engine_may_be_named(kept: Path, make: Make) -> None:
    with opened(kept, create=True) as workspace:
        fold_stream(workspace, [make("1")])
    with opened(kept, [{"engine": "tantivy"}]) as workspace:
        assert workspace.engine.count(workspace.index()) == 1


def test_a_catalogue_can_be_moved(kept: Path, make: Make) -> None:
    with opened(kept, create=True) as workspace:
        fold_stream(workspace, [make("1")])
    moved = kept.rename(kept.with_name("moved"))
    with opened(moved) as workspace:
        assert workspace.engine.count(workspace.index()) == 1


def test_an_empty_index_is_made_for_a_new_catalogue_only(kept: Path, make: Make) -> None:
    with opened(kept, create=True) as workspace:
        with pytest.raises(IndexMissing, match="run `bibfold reindex`"):
            workspace.index()
        assert ensure_index(workspace) == ensure_index(workspace)
        fold_stream(workspace, [make("1")])
        workspace.engine.drop(workspace.index())
        with pytest.raises(IndexMissing, match="to build it from the catalogue"):
            ensure_index(workspace)


def test_nothing_is_left_of_what_is_thrown_away(tmp_path: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with throw_away([{"engine": "tantivy"}]) as workspace:
        fold_stream(workspace, [make("1")])
        assert list(tmp_path.iterdir())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damaged", ["{", "[1]", '{"top_n": "many"}', '{"unheard": 1}', '{"alias": 7}', '"x"'])
def test_damaged_options_are_told(bibfold: Any, write: Any, make: Any, kept: Path, damaged: str) -> None:
    file = write("a.jsonl", make("1"))
    bibfold("ingest", file, "-c", kept)
    with store.open_catalogue(kept, write=True) as catalogue, catalogue.writing() as writing:
        writing.execute(update(schema.meta).where(schema.meta.c.name == "options").values(value=damaged))
    for words in (["ingest", file], ["lookup", file], ["check"]):
        ran = bibfold(*words, "-c", kept)
        assert ran.status == 1
        assert "keeps are damaged (" in ran.err
        assert "restore it from a backup" in ran.err
