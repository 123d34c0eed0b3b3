"""What a catalogue tells about itself."""

from collections.abc import Callable

from bibfold.catalogue.reviews import review_list
from bibfold.catalogue.views import cluster_data, event_list, statistics
from bibfold.records.model import DeadLetter, Record
from bibfold.workspace import Workspace, throw_away
from ingest import curate
from ingest.run import fold_stream

Make = Callable[..., Record]


def test_a_cluster_with_its_members_and_where_each_field_comes_from(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", source="y", publisher="Press"), make("3", 1)])
    with workspace.catalogue.reading() as read:
        shown = cluster_data(read, "y:2")
        alone = cluster_data(read, "c2")
    assert list(shown) == ["cluster", "redirected_from", "canonical", "provenance", "records"]
    assert shown["canonical"]["publisher"] == "Press"
    assert shown["provenance"]["publisher"] == "y:2"
    assert [record["source"] for record in shown["records"]] == ["x", "y"]
    assert alone["canonical"] == alone["records"][0]


def test_counts(make: Make) -> None:
    with throw_away([{"profile": "mendeley-title", "same": 0.9, "unsure": 0.2}]) as workspace:
        letter = DeadLetter(file="f", position="line 1", reason="r")
        fold_stream(workspace, [make("1"), make("2"), letter, make("3", title="Folding duplicate cards", source="y")])
        with workspace.catalogue.reading() as read:
            counted = statistics(read)
    options = counted.pop("options")
    assert counted == {
        "records": 3,
        "clusters": 2,
        "duplicates": 1,
        "largest_cluster": 2,
        "cluster_sizes": {"1": 1, "2": 1},
        "sources": {"x": 2, "y": 1},
        "to_review": 1,
        "decisions": 0,
        "dead_letters": 1,
        "events": 3,
        "outbox": 0,
    }
    assert options["profile"] == "mendeley-title"


def test_an_empty_catalogue_counts_nothing(workspace: Workspace) -> None:
    with workspace.catalogue.reading() as read:
        counted = statistics(read)
    assert (counted["records"], counted["clusters"], counted["largest_cluster"]) == (0, 0, 0)


def test_events_name_cause_profile_score_and_evidence(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2")])
    with workspace.catalogue.reading() as read:
        joined, founded = event_list(read, None, 10)
        assert [event["kind"] for event in event_list(read, None, 1)] == ["joined"]
    assert list(joined) == ["at", "kind", "cluster", "other", "record", "cause", "profile", "score", "evidence"]
    assert (joined["cluster"], joined["record"], joined["profile"]) == ("c1", "x:2", "bibfold")
    assert joined["score"] > 0.9
    assert {"field", "score", "weight", "reason"} == joined["evidence"][0].keys()
    assert (founded["kind"], founded["score"], founded["evidence"]) == ("founded", None, [])


def test_the_events_of_a_record_are_those_of_all_its_clusters(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2"), make("3", 1)])
    curate.split(workspace, "c1", ["x:2"])
    with workspace.catalogue.reading() as read:
        assert [event["kind"] for event in event_list(read, "x:2", 10)] == ["split", "joined"]


def test_reviews_come_likeliest_first(make: Make) -> None:
    with throw_away([{"profile": "mendeley-title", "same": 0.9, "unsure": 0.1}]) as workspace:
        titles = ("Folding duplicate cards", "Folding duplicate records early")
        fold_stream(workspace, [make("1"), *(make(str(at), title=title) for at, title in enumerate(titles, 2))])
        with workspace.catalogue.reading() as read:
            pairs = list(review_list(read, 2))
    assert [pair["score"] for pair in pairs] == sorted((pair["score"] for pair in pairs), reverse=True)
    assert pairs[0].keys() == {
        *("a", "b", "clusters", "titles", "pairs", "doubt", "decision", "score", "profile", "vetoes", "evidence")
    }
