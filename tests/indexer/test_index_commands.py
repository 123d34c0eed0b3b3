"""`bibfold reindex` and `bibfold check` as commands: what they say while they work and of what was left."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bibfold.records.model import Record
from bibfold.workspace import opened
from indexer import build

Make = Callable[..., Record]
Run = Callable[..., Any]


@pytest.fixture
def catalogue(kept: Path, make: Make, write: Callable[..., str], bibfold: Run) -> Path:
    assert bibfold("ingest", write("a.jsonl", make("1"), make("2", 1)), "-c", kept).status == 0
    return kept


def test_progress_is_told_where_it_is_asked_for(bibfold: Run, catalogue: Path) -> None:
    ran = bibfold("reindex", "-c", catalogue, "--progress")
    assert ran.err.startswith("indexing: [########################] 2 of 2, ")
    assert " a second" in ran.err
    assert bibfold("reindex", "-c", catalogue).err == ""
    assert bibfold("reindex", "-c", catalogue, "--no-progress").err == ""


def test_a_build_that_was_stopped_is_told_and_goes_on(
    bibfold: Run, catalogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(build, "_switched", stop)
        ran = bibfold("reindex", "-c", catalogue)
    assert (ran.status, ran.out) == (130, "")
    assert "run the same command again to continue" in ran.err
    ran = bibfold("check", "-c", catalogue)
    assert ran.status == 0
    (name,) = [line.split()[0] for line in ran.out.splitlines() if "is half built; `bibfold reindex`" in line]
    assert bibfold("check", "-c", catalogue, "--json").json()[0]["half_built"] == name
    assert bibfold("reindex", "-c", catalogue).out.startswith(f"{name} is published: 2 documents")
    assert "half built" not in bibfold("check", "-c", catalogue).out


def test_an_ingest_may_hold_the_catalogue_but_for_other_settings(bibfold: Run, catalogue: Path) -> None:
    with opened(catalogue, write=True):
        assert bibfold("reindex", "-c", catalogue).status == 0
        ran = bibfold("reindex", "-c", catalogue, "--languages", "de")
        assert ran.status == 1
        assert "is being written by another process" in ran.err
    assert bibfold("reindex", "-c", catalogue, "--languages", "de").status == 0
