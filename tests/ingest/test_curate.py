"""A person's word: merge, split and decide, and that nothing later undoes them."""

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from bibfold.catalogue import schema
from bibfold.catalogue.exports import memberships
from bibfold.catalogue.reviews import review_list
from bibfold.catalogue.views import cluster_data, event_list
from bibfold.errors import NotFound, SettingsError
from bibfold.records.model import Record
from bibfold.workspace import Workspace, throw_away
from indexer.build import reindex
from indexer.check import check
from ingest import curate
from ingest.run import fold_stream

Make = Callable[..., Record]


def homes(workspace: Workspace) -> dict[str, str]:
    assert check(workspace).agree
    with workspace.catalogue.reading() as read:
        return {f"{source}:{id}": cluster for cluster, source, id in memberships(read)}


def with_profile(workspace: Workspace, profile: str) -> Workspace:
    """The same catalogue and index under another metric."""
    return replace(workspace, settings=replace(workspace.settings, profile=profile))


def rebuilt(workspace: Workspace) -> Workspace:
    reindex(workspace)
    return workspace


LATER: Sequence[Callable[[Workspace], Workspace]] = (
    lambda workspace: workspace,
    rebuilt,
    lambda workspace: with_profile(workspace, "mendeley"),
)


@pytest.fixture(params=LATER, ids=["re-run", "re-indexed", "other profile"])
def later(request: pytest.FixtureRequest) -> Callable[[Workspace], Workspace]:
    """What may come between a person's word and the next run."""
    found: Callable[[Workspace], Workspace] = request.param
    return found


def test_the_oldest_cluster_survives_a_merge(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1), make("3", 2)])
    assert curate.merge(workspace, ["c3", "x:2", "c1"], "all of a kind") == "c1"
    assert homes(workspace) == {"x:1": "c1", "x:2": "c1", "x:3": "c1"}
    with workspace.catalogue.reading() as read:
        assert cluster_data(read, "c3")["cluster"] == "c1"
        assert cluster_data(read, "c1")["redirected_from"] == ["c2", "c3"]
        merged = [event for event in event_list(read, "c1", 10) if event["kind"] == "merged"]
    assert {(event["other"], event["cause"]) for event in merged} == {("c2", "all of a kind"), ("c3", "all of a kind")}


def test_redirects_are_followed_through_several_merges(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1), make("3", 2)])
    curate.merge(workspace, ["c2", "c3"])
    curate.merge(workspace, ["c1", "c3"])
    with workspace.catalogue.reading() as read:
        assert cluster_data(read, "c3")["cluster"] == "c1"
        assert cluster_data(read, "c1")["redirected_from"] == ["c2", "c3"]
        assert {event["record"] for event in event_list(read, "c1", 10)} >= {"x:1", "x:2", "x:3"}


def test_a_merge_outlives_what_comes_later(
    workspace: Workspace, make: Make, later: Callable[[Workspace], Workspace]
) -> None:
    fold_stream(workspace, [make("1"), make("2"), make("3", 1), make("4", 1)])
    curate.merge(workspace, ["c1", "c2"])
    workspace = later(workspace)
    for id in "1234":
        fold_stream(workspace, [make(id, 1 if id in "34" else 0, identifiers={"doi": (f"10.1000/{id}",)})])
    assert set(homes(workspace).values()) == {"c1"}


def test_a_split_outlives_what_comes_later(
    workspace: Workspace, make: Make, later: Callable[[Workspace], Workspace]
) -> None:
    fold_stream(workspace, [make("1"), make("2"), make("3")])
    assert curate.split(workspace, "c1", ["x:3", "x:2"]) == "c2"
    expected = {"x:1": "c1", "x:2": "c2", "x:3": "c2"}
    assert homes(workspace) == expected
    workspace = later(workspace)
    fold_stream(workspace, [make("1"), make("2"), make("3")])
    assert homes(workspace) == expected
    fold_stream(workspace, [make("2", pages="1"), make("1", pages="1")])
    assert homes(workspace) == expected


def test_a_new_record_does_not_bring_together_what_was_split(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2")])
    curate.split(workspace, "c1", ["x:2"])
    fold_stream(workspace, [make("3")])
    assert homes(workspace) == {"x:1": "c1", "x:2": "c2", "x:3": "c1"}
    with workspace.catalogue.reading() as read:
        bridged = next(event for event in event_list(read, None, 5) if event["kind"] == "bridged")
    assert "decided by a person" in bridged["cause"]


def test_every_record_that_a_split_takes_out_is_named_by_an_event(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2"), make("3")])
    curate.split(workspace, "x:1", ["x:2", "x:3"], "another edition")
    with workspace.catalogue.reading() as read:
        split = [event for event in event_list(read, "c2", 10) if event["kind"] == "split"]
    assert {(event["record"], event["other"], event["cause"]) for event in split} == {
        ("x:2", "c1", "another edition"),
        ("x:3", "c1", "another edition"),
    }


def test_different_outlives_what_comes_later(
    workspace: Workspace, make: Make, later: Callable[[Workspace], Workspace]
) -> None:
    fold_stream(workspace, [make("1"), make("2")])
    assert curate.decide(workspace, "x:1", "x:2", "different") == ["c1", "c2"]
    workspace = later(workspace)
    fold_stream(workspace, [make("1", pages="1"), make("2", pages="1")])
    assert homes(workspace) == {"x:1": "c1", "x:2": "c2"}


def test_same_outlives_what_comes_later_for_records_that_differ(
    workspace: Workspace, make: Make, later: Callable[[Workspace], Workspace]
) -> None:
    fold_stream(workspace, [make("1"), make("2", 1)])
    assert curate.decide(workspace, "x:1", "x:2", "same", "the map is the work") == ["c1", "c1"]
    workspace = later(workspace)
    fold_stream(workspace, [make("1", pages="1"), make("2", 1, pages="7", identifiers={"doi": ("10.1000/2",)})])
    assert homes(workspace) == {"x:1": "c1", "x:2": "c1"}


def test_the_later_word_counts(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2")])
    curate.decide(workspace, "x:1", "x:2", "different")
    curate.decide(workspace, "x:2", "x:1", "same")
    fold_stream(workspace, [make("2", 1)])
    assert set(homes(workspace).values()) == {"c1"}
    curate.decide(workspace, "x:1", "x:2", "different")
    fold_stream(workspace, [make("2")])
    assert len(set(homes(workspace).values())) == 2


def test_a_merge_takes_back_an_earlier_split(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2"), make("3")])
    curate.split(workspace, "c1", ["x:3"])
    curate.merge(workspace, ["c1", "c2"])
    fold_stream(workspace, [make(id, pages="1") for id in "123"])
    assert set(homes(workspace).values()) == {"c1"}


def test_different_parts_two_records_of_a_cluster_and_no_more(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2"), make("3")])
    curate.decide(workspace, "x:1", "x:2", "different")
    assert homes(workspace) == {"x:1": "c1", "x:2": "c2", "x:3": "c1"}
    with workspace.catalogue.reading() as read:
        said = read.execute(select(schema.decisions.c.a, schema.decisions.c.b)).all()
    assert [tuple(row) for row in said] == [("x:1", "x:2")]


def test_what_a_person_tied_to_a_record_leaves_with_it(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2"), make("3"), make("4")])
    curate.decide(workspace, "x:2", "x:3", "same")
    curate.decide(workspace, "x:1", "x:2", "different")
    assert homes(workspace) == {"x:1": "c1", "x:4": "c1", "x:2": "c2", "x:3": "c2"}


def test_same_against_an_earlier_different_is_refused_and_changes_nothing(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2"), make("3", 1)])
    curate.decide(workspace, "x:2", "x:3", "different")
    before = homes(workspace)
    with pytest.raises(
        SettingsError,
        match=r"x:2 and x:3 were decided to be different \(x:1 and x:2 are both in c1, x:2 ≠ x:3\).*--overrule",
    ):
        curate.decide(workspace, "x:1", "x:3", "same")
    assert homes(workspace) == before
    assert curate.merge(workspace, ["c1", "c2"]) == "c1"


def test_a_persons_same_holds_against_a_better_score(make: Make) -> None:
    with throw_away([{"bridge": "join-best"}]) as workspace:
        fold_stream(workspace, [make("1"), make("2", 1)])
        curate.decide(workspace, "x:1", "x:2", "same")
        fold_stream(workspace, [make("3", 3)])
        fold_stream(workspace, [make("2", 3)])
        assert homes(workspace) == {"x:1": "c1", "x:2": "c1", "x:3": "c3"}


def test_a_record_that_agrees_with_one_of_two_merged_works_joins_them(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make(id, identifiers={"doi": (f"10.1000/{id}",)}) for id in "12"])
    curate.merge(workspace, ["c1", "c2"])
    fold_stream(workspace, [make("3", identifiers={"doi": ("10.1000/2",)})])
    fold_stream(workspace, [make("4", identifiers={"doi": ("10.1000/4",)})])
    assert homes(workspace) == {"x:1": "c1", "x:2": "c1", "x:3": "c1", "x:4": "c3"}


def test_a_decision_takes_the_pair_off_the_review_queue(make: Make) -> None:
    with throw_away([{"profile": "mendeley-title", "same": 0.9, "unsure": 0.2}]) as workspace:
        fold_stream(workspace, [make("1"), make("2", title="Folding duplicate cards")])
        with workspace.catalogue.reading() as read:
            assert len(list(review_list(read, 5))) == 1
        curate.decide(workspace, "x:1", "x:2", "different")
        fold_stream(workspace, [make("2", title="Folding duplicate cards", pages="3")])
        with workspace.catalogue.reading() as read:
            assert list(review_list(read, 5)) == []


def test_mistakes_are_told(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2"), make("3", 1)])
    with pytest.raises(SettingsError, match="one cluster already, c1"):
        curate.merge(workspace, ["c1", "x:2"])
    with pytest.raises(NotFound, match="no cluster or record 'c9'"):
        curate.merge(workspace, ["c1", "c9"])
    with pytest.raises(NotFound, match="c1 does not hold x:3"):
        curate.split(workspace, "c1", ["x:3"])
    with pytest.raises(SettingsError, match="would be left empty"):
        curate.split(workspace, "c1", ["x:1", "x:2"])
    with pytest.raises(NotFound, match="no record 'c1'"):
        curate.decide(workspace, "c1", "x:1", "same")
    with pytest.raises(SettingsError, match="named twice"):
        curate.decide(workspace, "x:1", "x:1", "same")
