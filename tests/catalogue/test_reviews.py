"""The review queue: one entry for two clusters, open as long as nobody and nothing has settled it."""

from collections.abc import Callable, Iterator

import pytest

from bibfold.catalogue.reviews import count_open, doubt, open_reviews, review_list
from bibfold.catalogue.rows import Review
from bibfold.catalogue.views import statistics
from bibfold.records.model import Record
from bibfold.workspace import Workspace, throw_away
from ingest import curate
from ingest.run import fold_stream

Make = Callable[..., Record]

UNSURE = {"decision": "unsure", "score": 0.7, "profile": "bibfold", "vetoes": [], "evidence": []}


@pytest.fixture
def queued(make: Make) -> Iterator[Workspace]:
    """Two clusters of two records and two of one, with doubtful pairs between them."""
    with throw_away() as workspace:
        works = (("1", 0), ("2", 0), ("3", 1), ("4", 1), ("5", 2), ("6", 3))
        fold_stream(workspace, [make(id, work) for id, work in works])
        pairs = (("x:3", "x:1", 0.7), ("x:2", "x:4", 0.8), ("x:4", "x:1", 0.6), ("x:5", "x:1", 0.9), ("x:2", "x:1", 1))
        with workspace.catalogue.writing() as write:
            write.note_reviews(Review(a, b, score, {**UNSURE, "score": score}) for a, b, score in pairs)
        yield workspace


def entries(workspace: Workspace) -> list[tuple[str, str, int]]:
    with workspace.catalogue.reading() as read:
        found = [(one.a, one.b, one.pairs) for one in open_reviews(read)]
        assert count_open(read) == len(found)
        assert statistics(read)["to_review"] == len(found)
    return found


def test_one_entry_stands_for_two_clusters_by_its_best_pair(queued: Workspace) -> None:
    assert entries(queued) == [("x:5", "x:1", 1), ("x:2", "x:4", 3)]


def test_an_entry_goes_when_one_of_its_pairs_is_decided_and_comes_back(queued: Workspace) -> None:
    curate.decide(queued, "x:3", "x:2", "different")
    assert entries(queued) == [("x:5", "x:1", 1)]
    with queued.catalogue.writing() as write:
        write.forget_verdicts([("x:3", "x:2")])
    assert len(entries(queued)) == 2


def test_entries_go_when_clusters_fall_together(queued: Workspace) -> None:
    curate.merge(queued, ["c1", "c2"])
    assert entries(queued) == [("x:5", "x:1", 1)]


def test_two_entries_become_one_when_clusters_fall_together(queued: Workspace) -> None:
    curate.merge(queued, ["c2", "c3"])
    assert entries(queued) == [("x:5", "x:1", 4)]


def test_an_entry_has_titles_clusters_and_a_reason(queued: Workspace) -> None:
    with queued.catalogue.reading() as read:
        first, second = review_list(read, None)
        assert [one["a"] for one in review_list(read, 1)] == ["x:5"]
    assert first["titles"] == [
        "Thermal noise in gravitational wave detectors",
        "Folding duplicate records as they arrive",
    ]
    assert (first["clusters"], second["clusters"], second["pairs"]) == (["c3", "c1"], ["c1", "c2"], 3)
    assert first["doubt"] == "a score of 0.900 is enough for neither same nor different"
    assert (
        doubt({**UNSURE, "vetoes": ["no title to compare", "part 1, part 2"]}) == "no title to compare; part 1, part 2"
    )
