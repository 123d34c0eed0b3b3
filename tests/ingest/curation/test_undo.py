"""Undoing a decision: verdicts and clusters are as before, unless something depends on them by now."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random

import pytest

from bibfold.catalogue import schema
from bibfold.catalogue.curations import decision_list
from bibfold.catalogue.exports import memberships
from bibfold.catalogue.views import cluster_data, event_list
from bibfold.errors import NotFound, SettingsError
from bibfold.records.model import Record
from bibfold.workspace import Workspace
from indexer.check import check
from ingest import curate
from ingest.curation.undo import undo_decision
from ingest.run import fold_stream

Make = Callable[..., Record]


@pytest.fixture
def folded(workspace: Workspace, make: Make) -> Workspace:
    """c1 holds x:1 and x:2, c2 x:3, c3 x:4."""
    fold_stream(workspace, [make("1"), make("2"), make("3", 1), make("4", 2)])
    return workspace


def homes(workspace: Workspace) -> dict[str, str]:
    assert check(workspace).agree
    with workspace.catalogue.reading() as read:
        return {f"{source}:{id}": cluster for cluster, source, id in memberships(read)}


def verdicts(workspace: Workspace) -> list[tuple[str, str, str, str]]:
    with workspace.catalogue.reading() as read:
        return sorted((one["a"], one["b"], one["verdict"], one["note"]) for one in decision_list(read))


CHANGES: dict[str, tuple[Callable[[Workspace], object], tuple[str, str]]] = {
    "decide same": (lambda w: curate.decide(w, "x:3", "x:1", "same", "a note"), ("x:1", "x:3")),
    "decide different": (lambda w: curate.decide(w, "x:1", "x:2", "different"), ("x:2", "x:1")),
    "decide what is so": (lambda w: curate.decide(w, "x:1", "x:4", "different"), ("x:1", "x:4")),
    "merge": (lambda w: curate.merge(w, ["c1", "c3", "c2"]), ("x:1", "x:4")),
    "split": (lambda w: curate.split(w, "c1", ["x:1"]), ("x:1", "x:2")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_all_is_as_it_was(folded: Workspace, change: str) -> None:
    curate.decide(folded, "x:3", "x:4", "different", "earlier")
    before = homes(folded), verdicts(folded)
    act, pair = CHANGES[change]
    act(folded)
    assert verdicts(folded) != before[1]
    changed = homes(folded)
    assert undo_decision(folded, *pair) == [before[0][key] for key in pair]
    assert (homes(folded), verdicts(folded)) == before
    with folded.catalogue.reading() as read:
        assert cluster_data(read, "x:1")["cluster"] == before[0]["x:1"]
        kinds = [event["kind"] for event in event_list(read, None, 100)]
    assert ("undone" in kinds) == (changed != before[0])
    with pytest.raises(NotFound, match="nothing was decided of"):
        undo_decision(folded, *pair)


def test_ids_lead_to_their_clusters_again(folded: Workspace) -> None:
    curate.decide(folded, "x:1", "x:3", "same")
    undo_decision(folded, "x:1", "x:3")
    curate.split(folded, "c1", ["x:2"])
    new = homes(folded)["x:2"]
    undo_decision(folded, "x:1", "x:2")
    with folded.catalogue.reading() as read:
        assert cluster_data(read, "c2")["cluster"] == "c2"
        assert cluster_data(read, "c1")["redirected_from"] == [new]
        assert cluster_data(read, new)["cluster"] == "c1"


def test_it_can_be_done_and_undone_many_times(folded: Workspace) -> None:
    before = homes(folded)
    for _ in range(3):
        curate.decide(folded, "x:1", "x:3", "same")
        assert homes(folded)["x:3"] == "c1"
        undo_decision(folded, "x:3", "x:1")
        assert homes(folded) == before


def test_a_later_decision_holds_it(folded: Workspace) -> None:
    curate.decide(folded, "x:1", "x:3", "same")
    curate.decide(folded, "x:3", "x:4", "same")
    with pytest.raises(SettingsError, match=r"cannot undo the decision: x:4 came into the clusters since"):
        undo_decision(folded, "x:1", "x:3")
    undo_decision(folded, "x:3", "x:4")
    undo_decision(folded, "x:1", "x:3")
    assert verdicts(folded) == []
    assert homes(folded) == {"x:1": "c1", "x:2": "c1", "x:3": "c2", "x:4": "c3"}


def test_a_later_word_on_other_records_of_the_clusters_holds_it(folded: Workspace) -> None:
    curate.merge(folded, ["c1", "c2"])
    curate.decide(folded, "x:2", "x:3", "same", "sure now")
    before = homes(folded), verdicts(folded)
    with pytest.raises(SettingsError, match="x:2 and x:3 were decided to be same since; undo that first"):
        undo_decision(folded, "x:1", "x:3")
    assert (homes(folded), verdicts(folded)) == before


def test_records_that_joined_or_left_since_hold_it(folded: Workspace, make: Make) -> None:
    curate.decide(folded, "x:1", "x:3", "same")
    fold_stream(folded, [make("5")])
    with pytest.raises(SettingsError, match="x:5 came into the clusters since; split them off first"):
        undo_decision(folded, "x:1", "x:3")
    curate.split(folded, "c1", ["x:5", "x:2"])
    with pytest.raises(SettingsError, match="x:2 left the clusters since"):
        undo_decision(folded, "x:1", "x:3")


def test_a_decision_from_before_changes_were_kept_is_forgotten(folded: Workspace) -> None:
    curate.decide(folded, "x:1", "x:3", "same")
    with folded.catalogue.writing() as write:
        write.execute(schema.decisions.update().values(curation=None))
    told: list[str] = []
    undo_decision(folded, "x:1", "x:3", told.append)
    assert len(told) == 1
    assert "the clusters stay as they are" in told[0]
    assert homes(folded)["x:3"] == "c1"
    assert ("x:1", "x:3") not in [(a, b) for a, b, _, _ in verdicts(folded)]


def test_after_an_undo_the_next_run_decides_by_evidence(folded: Workspace, make: Make) -> None:
    curate.decide(folded, "x:1", "x:2", "different")
    undo_decision(folded, "x:1", "x:2")
    fold_stream(folded, [make("2", pages="3")])
    assert homes(folded)["x:2"] == "c1"


@pytest.mark.parametrize("seed", range(8))
def test_whatever_was_done_is_undone_step_by_step(folded: Workspace, make: Make, seed: int) -> None:
    fold_stream(folded, [make("5", 3), make("6", 4), make("7", 4)])
    random = Random(seed)
    keys = [f"x:{at}" for at in range(1, 8)]
    states = [(homes(folded), verdicts(folded))]
    for _ in range(8):
        one, other = random.sample(keys, 2)
        acts: list[Callable[[], object]] = [
            partial(curate.decide, folded, one, other, "same", f"seed {seed}"),
            partial(curate.decide, folded, one, other, "different"),
            partial(curate.merge, folded, [one, other]),
            partial(curate.split, folded, one, [one]),
        ]
        with suppress(SettingsError, NotFound):
            random.choice(acts)()
            states.append((homes(folded), verdicts(folded)))
    assert len(states) > 3
    while len(states) > 1:
        states.pop()
        with folded.catalogue.reading() as read:
            latest = next(decision_list(read))
        undo_decision(folded, latest["a"], latest["b"])
        assert (homes(folded), verdicts(folded)) == states[-1]
