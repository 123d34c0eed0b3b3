"""`repair`: a plan first, then what the plan says, audited, resumed where it was stopped, ids that stay valid."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from bibfold.catalogue import schema
from bibfold.catalogue.exports import memberships
from bibfold.catalogue.views import event_list
from bibfold.records.model import Record
from bibfold.workspace import Workspace, opened, throw_away
from indexer.check import check
from ingest import curate, repair
from ingest.observer import Observer
from ingest.regroup import Change
from ingest.run import fold_stream
from tests.conftest import Ran

Command = Callable[..., Ran]
Write = Callable[..., str]

BY_TITLE = {"profile": "mendeley-title"}
STRICT = 0.9


def titled(*titles: str) -> list[Record]:
    return [Record(source="x", id=str(at), title=title) for at, title in enumerate(titles)]


PAIRS = titled(
    "arctic terns fly north",
    "arctic terns fly south",
    "lunar dust settles early",
    "lunar dust settles late",
    "stone masons build walls",
    "stone masons build towers",
)
"""Three pairs that are the same to a low threshold, and different to a strict one."""


def strict(workspace: Workspace) -> Workspace:
    return replace(workspace, settings=replace(workspace.settings, same=STRICT, unsure=STRICT))


def homes(workspace: Workspace) -> dict[str, str]:
    with workspace.catalogue.reading() as read:
        return {id: cluster for cluster, _, id in memberships(read)}


def state(workspace: Workspace) -> list[Any]:
    with workspace.catalogue.reading() as read:
        return [read.execute(select(table)).all() for table in schema.metadata.sorted_tables]


JOINED = {"0": "c1", "1": "c1", "2": "c2", "3": "c2", "4": "c3", "5": "c3"}
APART = {"0": "c1", "1": "c4", "2": "c2", "3": "c5", "4": "c3", "5": "c6"}


def test_a_dry_run_tells_what_the_repair_then_does() -> None:
    with throw_away([BY_TITLE]) as workspace:
        fold_stream(workspace, PAIRS)
        assert homes(workspace) == JOINED
        before = state(workspace)
        planned: list[Change] = []
        plan = repair.repair(strict(workspace), planned.append, dry_run=True)
        assert state(workspace) == before
        done: list[Change] = []
        repaired = repair.repair(strict(workspace), done.append)
        assert repaired == plan == repair.Repaired(clusters=3, splits=3)
        assert [repair.change_data(one) | {"into": None} for one in done] == list(map(repair.change_data, planned))
        assert homes(workspace) == APART
        assert check(workspace).agree


def test_a_second_repair_finds_nothing_to_do() -> None:
    with throw_away([BY_TITLE]) as workspace:
        fold_stream(workspace, PAIRS)
        repair.repair(strict(workspace))
        before = homes(workspace)
        assert repair.repair(strict(workspace)) == repair.Repaired(clusters=6)
        assert homes(workspace) == before


def test_every_change_is_an_event_with_its_reason() -> None:
    with throw_away([BY_TITLE]) as workspace:
        fold_stream(workspace, PAIRS[:2])
        repair.repair(strict(workspace))
        with workspace.catalogue.reading() as read:
            newest = next(event_list(read, None, 1))
        assert (newest["kind"], newest["cluster"], newest["other"], newest["record"]) == ("split", "c2", "c1", "x:1")
        assert newest["cause"].startswith("0 of 1 pairs are the same; x:1 and x:0: ")
        assert newest["profile"] == "mendeley-title"


def test_a_merge_leaves_the_older_id_and_the_other_leads_to_it() -> None:
    with throw_away([BY_TITLE | {"same": STRICT, "unsure": STRICT}]) as workspace:
        fold_stream(workspace, PAIRS)
        lower = replace(workspace, settings=replace(workspace.settings, same=None, unsure=None))
        assert repair.repair(lower) == repair.Repaired(clusters=6, merges=3)
        assert homes(workspace) == {"0": "c1", "1": "c1", "2": "c3", "3": "c3", "4": "c5", "5": "c5"}
        with workspace.catalogue.reading() as read:
            assert [read.resolve(f"c{no}") for no in (2, 4, 6)] == [1, 3, 5]
        assert check(workspace).agree


def test_what_a_person_decided_stays() -> None:
    with throw_away([BY_TITLE]) as workspace:
        fold_stream(workspace, PAIRS)
        curate.decide(workspace, "x:0", "x:1", "same")
        curate.decide(workspace, "x:2", "x:3", "different")
        repair.repair(strict(workspace))
        assert homes(workspace)["0"] == homes(workspace)["1"]
        repair.repair(workspace)
        assert homes(workspace)["2"] != homes(workspace)["3"]
        assert homes(workspace)["4"] == homes(workspace)["5"]


class Stopped(Exception):
    pass


def stop_after(batches: int) -> Observer:
    seen: list[int] = []

    def progress(done: int) -> None:
        seen.append(done)
        if len(seen) == batches:
            raise Stopped

    return Observer(progress=progress)


def test_a_repair_that_was_stopped_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair, "BATCH", 1)
    with throw_away([BY_TITLE]) as workspace:
        fold_stream(workspace, PAIRS)
        with pytest.raises(Stopped):
            repair.repair(strict(workspace), observer=stop_after(2))
        assert homes(workspace) == APART | {"5": "c3"}
        assert check(workspace).agree
        rest = repair.repair(strict(workspace))
        assert rest == repair.Repaired(clusters=1, splits=1, resumed="c2")
        assert homes(workspace) == APART


@pytest.mark.parametrize("meanwhile", ["other settings", "another writer"])
def test_a_repair_begins_anew_where_it_cannot_go_on(monkeypatch: pytest.MonkeyPatch, meanwhile: str) -> None:
    monkeypatch.setattr(repair, "BATCH", 1)
    with throw_away([BY_TITLE]) as workspace:
        fold_stream(workspace, PAIRS)
        with pytest.raises(Stopped):
            repair.repair(strict(workspace), observer=stop_after(1))
        if meanwhile == "other settings":
            anew = repair.repair(workspace)
            assert (anew.resumed, anew.merges) == (None, 1)
        else:
            fold_stream(workspace, titled("sea ice far from here"))
            assert repair.repair(strict(workspace)).resumed is None


def test_the_plan_and_the_repair_from_the_shell(bibfold: Command, kept: Path, write: Write) -> None:
    file = write("a.jsonl", *PAIRS)
    bibfold("ingest", file, "--catalogue", kept, "--profile", "mendeley-title")
    plan = bibfold("repair", "--catalogue", kept, "--same", STRICT, "--unsure", STRICT, "--dry-run")
    assert plan.status == 0
    first, *_, last = plan.out.splitlines()
    assert first.startswith("split x:1 from c1 into a new cluster: 0 of 1 pairs are the same; x:1 and x:0: ")
    assert last == "3 clusters examined: 0 merged, 3 split, 0 moves; a dry run, nothing was changed"
    *changes, summary = bibfold("repair", "-c", kept, "--same", STRICT, "--unsure", STRICT, "--json").json()
    assert [(one["kind"], one["cluster"], one["into"], one["records"]) for one in changes] == [
        ("split", "c1", "c4", ["x:1"]),
        ("split", "c2", "c5", ["x:3"]),
        ("split", "c3", "c6", ["x:5"]),
    ]
    assert summary == {"clusters": 3, "merges": 0, "splits": 3, "moves": 0, "resumed": None}
    assert "they agree" in bibfold("check", "--catalogue", kept).out


def test_the_catalogue_goes_by_the_settings_that_it_was_repaired_by(bibfold: Command, kept: Path, write: Write) -> None:
    file = write("a.jsonl", *PAIRS)
    bibfold("ingest", file, "--catalogue", kept, "--profile", "mendeley-title")
    settings = ("--profile", "mendeley", "--same", "0.8", "--unsure", "0.8")
    bibfold("repair", "--catalogue", kept, *settings, "--dry-run")
    with opened(kept) as workspace:
        assert workspace.settings.profile == "mendeley-title"
    bibfold("repair", "--catalogue", kept, *settings)
    with opened(kept) as workspace:
        assert (workspace.settings.profile, workspace.settings.same) == ("mendeley", 0.8)


def test_a_folder_that_is_no_catalogue_is_refused(bibfold: Command, tmp_path: Path) -> None:
    ran = bibfold("repair", "--catalogue", tmp_path / "nothing")
    assert ran.status == 1
    assert "is no catalogue" in ran.err
