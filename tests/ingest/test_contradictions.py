"""Decisions that contradict each other: refused in every order, or the earlier ones fall."""

from collections.abc import Callable
from itertools import permutations

import pytest
from sqlalchemy import select

from bibfold.catalogue import schema
from bibfold.errors import SettingsError
from bibfold.records.model import Record
from bibfold.workspace import Workspace, throw_away
from ingest import curate
from ingest.contradictions import ties, way_between
from ingest.run import fold_stream

Make = Callable[..., Record]
Said = tuple[str, str, curate.Word]

WORDS: tuple[Said, ...] = (("x:1", "x:2", "same"), ("x:2", "x:3", "same"), ("x:1", "x:3", "different"))


def decisions(workspace: Workspace) -> set[tuple[str, str, str]]:
    table = schema.decisions.c
    with workspace.catalogue.reading() as read:
        return {(row.a, row.b, row.verdict) for row in read.execute(select(table.a, table.b, table.verdict))}


@pytest.mark.parametrize(
    ("order", "work"),
    [
        *((order, 1) for order in permutations(WORDS)),
        *((order, 0) for order in permutations(WORDS, 3) if order[0] == WORDS[0]),
    ],
)
def test_the_last_of_three_is_refused_in_every_order(make: Make, order: tuple[Said, ...], work: int) -> None:
    with throw_away() as workspace:
        fold_stream(workspace, [make("1"), make("2", work), make("3", 2 * work)])
        *first, (a, b, verdict) = order
        for said in first:
            curate.decide(workspace, *said)
        before = decisions(workspace)
        with pytest.raises(SettingsError, match=r"were decided to be (same|different|the same).*--overrule"):
            curate.decide(workspace, a, b, verdict)
        assert decisions(workspace) == before == set(first)
        fell: list[str] = []
        placed = curate.decide(workspace, a, b, verdict, tell=fell.append, overrule=True)
        assert (placed[0] == placed[1]) == (verdict == "same")
        assert (a, b, verdict) in decisions(workspace)
        assert len(decisions(workspace)) == 2
        assert len(fell) == 1
        assert "falls" in fell[0]


def test_the_chain_is_named(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make(id, work) for work, id in enumerate("1234")])
    for a, b in (("x:1", "x:2"), ("x:3", "x:2"), ("x:3", "x:4")):
        curate.decide(workspace, a, b, "same")
    with pytest.raises(SettingsError, match="x:1 = x:2 = x:3 = x:4;"):
        curate.decide(workspace, "x:1", "x:4", "different")
    curate.decide(workspace, "x:1", "x:2", "different")
    with pytest.raises(SettingsError, match=r"x:2 and x:1 .*\(x:4 = x:3 = x:2, x:2 ≠ x:1\), so x:4 and x:1 cannot"):
        curate.decide(workspace, "x:4", "x:1", "same")


def test_the_word_on_the_same_two_records_is_no_contradiction(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2")])
    fell: list[str] = []
    for verdict in ("different", "same", "different"):
        curate.decide(workspace, "x:1", "x:2", verdict, tell=fell.append)  # type: ignore[arg-type]
    assert fell == []
    assert decisions(workspace) == {("x:1", "x:2", "different")}


def test_merge_and_split_say_what_falls(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1)])
    told: list[str] = []
    curate.decide(workspace, "x:1", "x:2", "different")
    curate.merge(workspace, ["c1", "c2"], tell=told.append)
    curate.split(workspace, "c1", ["x:2"], tell=told.append)
    assert told == ["the decision x:1 ≠ x:2 falls", "the decision x:2 = x:1 falls"]


def test_who_is_tied_to_whom(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make(id, work) for work, id in enumerate("1234")])
    curate.decide(workspace, "x:1", "x:2", "same")
    curate.decide(workspace, "x:2", "x:3", "same")
    curate.decide(workspace, "x:3", "x:4", "different")
    with workspace.catalogue.reading() as read:
        tied = ties(read, "x:1")
        assert set(ties(read, "x:4")) == {"x:4"}
    assert set(tied) == {"x:1", "x:2", "x:3"}
    assert way_between(tied, "x:3", "x:1") == ["x:3", "x:2", "x:1"]
    assert way_between(tied, "x:1", "x:4") == []
