"""A replay of hand-made records: what was found, what was compared, what a lookup finds again."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from bibfold.errors import InputError
from bibfold.records.model import DeadLetter, Record
from evaluation.pairs import Score
from evaluation.records import without_identifiers
from evaluation.replay.figures import figures
from evaluation.replay.replay import replay_records
from evaluation.truth import Truth
from ingest.observer import BatchFolded, Observer

Make = Callable[..., Record]

SKIPPED = {("x:far-a", "x:far-b"), ("x:far-a", "x:found-a")}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"batch_size": 1},
        {"batch_size": 3},
        {"engine": "tantivy", "batch_size": 4},
    ],
    ids=["one batch", "one by one", "three at a time", "tantivy"],
)
def test_pairs_that_were_never_compared(records: list[Record], truth: Truth, settings: dict[str, Any]) -> None:
    with replay_records(lambda: iter(records), truth, [settings]) as result:
        assert result.skipped == SKIPPED
        assert result.counted.score == Score(1, 1, 4)
        assert result.counted.wrong == [("x:chain-a", "x:chain-b")]
        assert result.lost == set()


@pytest.mark.parametrize("server", ["solr", "elasticsearch"])
def test_on_a_server(records: list[Record], truth: Truth, server: str, request: pytest.FixtureRequest) -> None:
    engine = f"{server}:{request.getfixturevalue(f'{server}_url')}"
    with replay_records(lambda: iter(records), truth, [{"engine": engine, "batch_size": 4}]) as result:
        assert result.skipped == SKIPPED
        assert result.counted.score == Score(1, 1, 4)


def test_a_fingerprint_compares_only_what_is_near(records: list[Record], truth: Truth) -> None:
    settings = {"retriever": "fingerprint", "identifiers": False}
    with replay_records(lambda: iter(records), truth, [settings]) as result:
        assert result.skipped == {*SKIPPED, ("x:low-a", "x:low-b"), ("x:part-a", "x:part-b")}


def test_a_pair_that_a_bound_rules_out_was_compared(make: Make) -> None:
    records = [make("1"), make("2", title="Folding duplicate paper into hats", authors=("Roe, R.",), year=1980)]
    for size in (1, 100):
        truth = Truth({("x:1", "x:2")}, set(), whole=True)
        with replay_records(lambda: iter(records), truth, [{"batch_size": size}]) as result:
            assert result.counted.score == Score(0, 0, 1)
            assert result.skipped == set()


def test_figures(records: list[Record], truth: Truth) -> None:
    with replay_records(lambda: iter(records), truth) as result:
        found = figures(result, seed=0)
    assert (found["precision"], found["recall"]) == (0.5, 0.2)
    assert found["pairs"] == {"same": 5, "different": 2}
    assert found["skipped"] == {"same": 1, "different": 1}
    assert found["not_found_again"] == {"same": 0, "different": 0}
    assert (found["records"], found["canonical"]) == (11, 9)
    # ids: found, far, low, part, chain-bc, chain-a; their records lie in nine clusters, one of which has two ids
    assert found["ids_per_cluster"] == pytest.approx(10 / 9, abs=1e-6)
    assert found["clusters_per_id"] == pytest.approx(10 / 6, abs=1e-6)
    assert found["intervals"]["recall"][0] == 0
    assert "clusters" not in found


def test_figures_of_a_whole_truth(records: list[Record]) -> None:
    truth = Truth(
        {("x:found-a", "x:found-b"), ("x:chain-a", "x:chain-b"), ("x:chain-b", "x:chain-c")}, set(), whole=True
    )
    with replay_records(lambda: iter(records), truth) as result:
        found = figures(result, seed=0)
    assert (found["true_positives"], found["false_positives"], found["false_negatives"]) == (2, 0, 1)
    assert found["pairs"]["different"] is found["skipped"]["different"] is None
    clusters = found["clusters"]
    assert clusters["pairwise"]["false_negatives"] == 2  # closure adds chain-a ~ chain-c
    assert clusters["merge_distance"] == {"steps": 1, "by_pairs": 2}
    assert clusters["removal"]["true_positives"] == 2
    # the eleven records are eight works; two of the three records of one are together
    assert clusters["b_cubed"]["recall"] == pytest.approx((8 + 2 * 2 / 3 + 1 / 3) / 11, abs=1e-6)


def test_a_record_that_is_not_found_again(make: Make) -> None:
    # without a title nothing is the same as it, not even itself
    bare = make("1", title="", authors=(), year=2001)
    truth = Truth({("x:1", "x:2"), ("x:2", "x:3")}, {("x:1", "x:3"), ("x:2", "x:4")}, whole=False)
    with replay_records(lambda: iter([bare, make("2"), make("3"), make("4", 1)]), truth) as result:
        assert result.lost == {"x:1"}
        found = figures(result, seed=0)
    assert found["not_found_again"] == {"same": 1, "different": 1}
    assert (found["recall"], found["by_lookup"]["recall"]) == (0.5, 1)


def test_a_lookup_may_find_another_cluster_than_the_records_own(make: Make) -> None:
    """The paper scores what its lookup service finds: a canonical record may have come that is nearer."""
    titles = ["alpha beta gamma delta", "alpha beta gamma epsilon", "alpha beta gamma epsilon zeta"]
    records = [make(str(at), title=title, authors=(), year=None) for at, title in enumerate(titles, 1)]
    truth = Truth({("x:1", "x:2")}, {("x:2", "x:3")}, whole=False)
    layers = [{"profile": "mendeley-title", "same": 0.55, "unsure": 0.55, "canonical": "founder", "batch_size": 1}]
    with replay_records(lambda: iter(records), truth, layers) as result:
        assert result.clusters == {"x:1": "c1", "x:2": "c1", "x:3": "c2"}
        assert result.found == {"x:1": "c1", "x:2": "c2", "x:3": "c2"}
        found = figures(result, seed=0)
    assert (found["recall"], found["precision"]) == (1, 1)
    assert (found["by_lookup"]["recall"], found["by_lookup"]["precision"]) == (0, 0)


def test_unknown_records(records: list[Record]) -> None:
    truth = Truth({("x:found-a", "x:found-b"), ("x:found-a", "y:9")}, {("y:9", "y:8")}, whole=False)
    with (
        pytest.raises(InputError, match="names 2 records that are not there: y:8, y:9; "),
        replay_records(lambda: iter(records), truth),
    ):
        raise AssertionError
    with replay_records(lambda: iter(records), truth, skip_unknown=True) as result:
        assert result.unknown == ["y:8", "y:9"]
        assert result.counted.score == Score(1, 0, 0)
        assert figures(result, seed=0)["unknown_records"] == 2


def test_nothing_left_to_measure(records: list[Record]) -> None:
    with (
        pytest.raises(InputError, match="no pair of the truth has both records there"),
        replay_records(lambda: iter(records), Truth({("y:1", "y:2")}, set(), whole=True), skip_unknown=True),
    ):
        raise AssertionError


def test_dead_letters_are_told_once_and_counted(records: list[Record], truth: Truth) -> None:
    letters: list[DeadLetter] = []
    broken = DeadLetter(file="f", position="line 2", reason="r")
    with replay_records(lambda: iter([broken, *records]), truth, observer=Observer(letter=letters.append)) as result:
        assert figures(result, seed=0)["dead_letters"] == 1
    assert letters == [broken]


def test_who_observes_a_replay_is_told_of_its_batches(records: list[Record], truth: Truth) -> None:
    events: list[BatchFolded] = []
    with replay_records(lambda: iter(records), truth, [{"batch_size": 4}], Observer(batch=events.append)) as result:
        assert result.skipped == SKIPPED
    assert [event.records for event in events] == [4, 4, 3]


def test_a_strained_truth_is_counted(records: list[Record]) -> None:
    same = {("x:found-a", "x:found-b"), ("x:found-b", "x:far-a")}
    with replay_records(lambda: iter(records), Truth(same, {("x:far-a", "x:found-a")}, whole=False)) as result:
        assert figures(result, seed=0)["contradicted_by_others"] == 1


def test_identifiers_are_taken_away(records: list[Record]) -> None:
    letter = DeadLetter(file="f", position="line 2", reason="r")
    bare = list(without_identifiers([letter, *records]))
    assert bare[0] is letter
    assert [msgspec.structs.replace(record, identifiers={}) for record in records] == bare[1:]
