"""Cluster ids, whatever happens: an id leads to a cluster that holds a record which it held last, or is retired."""

from collections.abc import Iterator
from contextlib import suppress

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import select

from bibfold.catalogue import schema
from bibfold.catalogue.exports import former_ids
from bibfold.catalogue.rows import cluster_id
from bibfold.errors import BibfoldError, Retired
from bibfold.records.model import Deletion, Record
from bibfold.workspace import Workspace, throw_away
from indexer.check import check
from ingest import curate
from ingest.curation.undo import undo_decision
from ingest.deletion import delete
from ingest.run import fold_stream
from tests.conftest import WORKS

ids = st.sampled_from("12345")
works = st.integers(0, 2)


def record(id: str, work: int, pages: str = "") -> Record:
    title, authors, year = WORKS[work]
    return Record(source="x", id=id, title=title, authors=authors, year=year, pages=pages)


def members(workspace: Workspace) -> dict[int, set[str]]:
    with workspace.catalogue.reading() as read:
        found: dict[int, set[str]] = {no: set() for no in read.execute(select(schema.clusters.c.no)).scalars()}
        for key, cluster in read.execute(select(schema.records.c.key, schema.records.c.cluster)):
            found[cluster].add(key)
    return found


class Ids(RuleBasedStateMachine):
    """Random changes, merges, splits, decisions and deletions, and what each id held when it was last not empty."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = throw_away([{"batch_size": 2}])
        self.workspace = self.opened.__enter__()
        self.held: dict[int, set[str]] = {}

    def teardown(self) -> None:
        self.opened.__exit__(None, None, None)

    @rule(stream=st.lists(st.tuples(ids, works, st.sampled_from(["", "7"])), min_size=1, max_size=4))
    def ingest(self, stream: list[tuple[str, int, str]]) -> None:
        fold_stream(self.workspace, [record(*one) for one in {one[0]: one for one in stream}.values()])

    @rule(id=ids, work=works)
    def change_and_restore(self, id: str, work: int) -> None:
        fold_stream(self.workspace, [record(id, work)])

    @rule(a=ids, b=ids)
    def merge(self, a: str, b: str) -> None:
        with suppress(BibfoldError):
            curate.merge(self.workspace, [f"x:{a}", f"x:{b}"])

    @rule(leaving=st.sets(ids, min_size=1, max_size=3))
    def split(self, leaving: set[str]) -> None:
        keys = {f"x:{id}" for id in leaving}
        cluster = next((no for no, held in members(self.workspace).items() if keys < held), None)
        if cluster is not None:
            before = {no for no, held in self.held.items() if held == keys and no != cluster}
            new = curate.split(self.workspace, cluster_id(cluster), sorted(keys))
            if before:
                assert int(new[1:]) in self.held

    @rule(a=ids, b=ids, verdict=st.sampled_from(["same", "different"]), overrule=st.booleans())
    def decide(self, a: str, b: str, verdict: str, overrule: bool) -> None:
        with suppress(BibfoldError):
            word: curate.Word = "same" if verdict == "same" else "different"
            placed = curate.decide(self.workspace, f"x:{a}", f"x:{b}", word, overrule=overrule)
            assert (placed[0] == placed[1]) == (verdict == "same")

    @rule(a=ids, b=ids)
    def undo(self, a: str, b: str) -> None:
        with suppress(BibfoldError):
            undo_decision(self.workspace, f"x:{a}", f"x:{b}")

    @rule(id=ids, purge=st.booleans())
    def delete(self, id: str, purge: bool) -> None:
        with suppress(BibfoldError):
            delete(self.workspace, [f"x:{id}"], for_good=purge)

    @rule(id=ids)
    def delete_by_source(self, id: str) -> None:
        fold_stream(self.workspace, [Deletion("x", id, "gone")])

    @invariant()
    def ids_lead_to_what_they_held_or_are_retired(self) -> None:
        now = members(self.workspace)
        self.held.update({no: held for no, held in now.items() if held})
        with self.workspace.catalogue.reading() as read:
            for no in now:
                try:
                    end = read.resolve(cluster_id(no))
                except Retired:
                    assert not now[no]
                    continue
                assert now[end] & self.held.get(no, now[end])
                assert end == no or not now[no]

    @invariant()
    def index_and_catalogue_agree(self) -> None:
        if members(self.workspace):
            assert check(self.workspace).agree


TestIds = Ids.TestCase
TestIds.settings = settings(max_examples=12, stateful_step_count=12, deadline=None)


@pytest.fixture
def three() -> Iterator[Workspace]:
    """c1 holds 1, c2 2 and 4, c3 3 and 5."""
    with throw_away() as workspace:
        fold_stream(workspace, [record("1", 0), record("2", 1), record("3", 2), record("4", 1), record("5", 2)])
        yield workspace


def leads(workspace: Workspace, *names: str) -> list[str]:
    with workspace.catalogue.reading() as read:
        return [cluster_id(no) for no in read.resolve_all(names)]


def test_a_split_gives_a_merged_id_back_where_its_records_leave_together(three: Workspace) -> None:
    curate.merge(three, ["c1", "c2", "c3"])
    assert curate.split(three, "c1", ["x:2", "x:4"]) == "c2"
    assert leads(three, "c1", "c2", "c3") == ["c1", "c2", "c1"]


def test_where_they_do_not_it_leads_to_most_of_them(three: Workspace) -> None:
    curate.merge(three, ["c1", "c2"])
    assert curate.split(three, "c1", ["x:2"]) == "c4"
    assert leads(three, "c2", "c4") == ["c1", "c4"]


def test_of_two_merged_ids_that_leave_together_the_older_comes_back_and_the_other_leads_there(
    three: Workspace,
) -> None:
    curate.merge(three, ["c1", "c2", "c3"])
    assert curate.split(three, "c1", ["x:2", "x:3", "x:4", "x:5"]) == "c2"
    assert leads(three, "c1", "c2", "c3") == ["c1", "c2", "c2"]


def test_different_gives_a_merged_id_back_too(three: Workspace) -> None:
    curate.decide(three, "x:1", "x:2", "same")
    curate.decide(three, "x:2", "x:4", "same")
    assert curate.decide(three, "x:1", "x:2", "different") == ["c1", "c2"]


def test_a_chain_of_merges_is_followed_as_long_as_it_holds_what_the_id_held(three: Workspace) -> None:
    curate.merge(three, ["c2", "c3"])
    curate.merge(three, ["c1", "c2"])
    assert leads(three, "c3") == ["c1"]
    delete(three, ["x:3"])
    assert leads(three, "c3") == ["c1"]
    delete(three, ["x:5"])
    with pytest.raises(Retired, match="c3 is retired: x:3 was deleted; x:5 was deleted"):
        leads(three, "c3")
    fold_stream(three, [record("5", 1, pages="9")])
    assert leads(three, "c3", "x:5") == ["c1", "c1"]


def test_an_export_tells_what_became_of_ids(three: Workspace) -> None:
    curate.merge(three, ["c1", "c3"])
    fold_stream(three, [record("2", 0), record("4", 0)])
    delete(three, ["x:3"])
    with three.catalogue.reading() as read:
        lines = [msgspec.json.decode(line) for line in former_ids(read)]
    assert lines == [
        {"cluster": "c2", "leads_to": None, "retired": True, "held": {"x:4": "c4"}},
        {"cluster": "c3", "leads_to": "c1", "retired": False, "held": {"x:3": None, "x:5": "c1"}},
    ]


def test_eight_hundred_clusters_are_merged_at_once(workspace: Workspace) -> None:
    stream = [Record(source="x", id=str(no), title=f"{no * 7919} {no * 104729}") for no in range(800)]
    fold_stream(workspace, stream)
    names = [f"x:{no}" for no in range(800)]
    assert curate.merge(workspace, names) == "c1"
    with workspace.catalogue.reading() as read:
        assert set(read.resolve_all([*names, "c800"])) == {1}
        assert len(read.execute(select(schema.decisions)).all()) == 799
