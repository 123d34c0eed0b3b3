"""What can be done to a catalogue: each verb by its name, the numbers it gives, and that all of it would suit
PostgreSQL as well."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Table, insert, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from bibfold.catalogue import schema, store
from bibfold.catalogue.canonical import aggregate
from bibfold.catalogue.rows import NEW, PUBLISHED, Build, ClusterState, Event, PlacedRecord, RepairState, Review
from bibfold.catalogue.writing import Writing
from bibfold.records.model import DeadLetter, Record
from bibfold.records.native import encode

Fill = Callable[..., None]

BUILD = Build("new", "", ("en",), "bigrams", last=9)


def rows(write: Writing, table: Table, *names: str) -> list[tuple[Any, ...]]:
    columns = [table.c[name] for name in names]
    return [tuple(row) for row in write.execute(select(*columns).order_by(*table.primary_key))]


def test_runs_are_numbered(write: Writing) -> None:
    assert [write.begin_run(command) for command in ("ingest", "merge")] == [1, 2]
    assert rows(write, schema.runs, "no", "command") == [(1, "ingest"), (2, "merge")]


def test_found_numbers_clusters_in_order_and_resolves_redirects_among_them(write: Writing) -> None:
    assert write.found([ClusterState(), ClusterState()]).first == 1
    numbers = write.found([ClusterState(0, merged_into=NEW + 1), ClusterState(2), ClusterState(0, merged_into=1)])
    assert [numbers.real(NEW + at) for at in range(3)] == [3, 4, 5]
    expected = [(1, 1, None), (2, 1, None), (3, 0, 4), (4, 2, None), (5, 0, 1)]
    assert rows(write, schema.clusters, "no", "size", "merged_into") == expected
    assert write.found([]).first == 6


def test_a_number_is_given_once_though_its_cluster_is_empty(write: Writing, fill: Fill) -> None:
    fill(["1"], ["2"])
    write.merge({2: 1})
    assert write.found([ClusterState()]).first == 3


def test_join_numbers_new_records_and_changes_those_that_are_stored(write: Writing, fill: Fill) -> None:
    fill(["1"], ["2"])
    changed = Record(source="x", id="1", title="Other")
    write.join(
        [
            PlacedRecord(NEW, "y:1", "y", encode(Record(source="y", id="1")), b"n", 2),
            PlacedRecord(1, "x:1", "x", encode(changed), b"d", 2),
            PlacedRecord(NEW + 1, "y:2", "y", encode(Record(source="y", id="2")), b"m", 1),
        ],
        run=7,
    )
    names = ("no", "key", "source", "digest", "cluster", "run")
    assert rows(write, schema.records, *names) == [
        (1, "x:1", "x", b"d", 2, 7),
        (2, "x:2", "x", b"2", 2, 1),
        (3, "y:1", "y", b"n", 2, 7),
        (4, "y:2", "y", b"m", 1, 7),
    ]
    assert write.clusters([2])[2].members[0] == changed


def test_reshape_keeps_size_and_canonical_record(write: Writing, fill: Fill) -> None:
    fill(["1", "2"], ["3"])
    shown = aggregate(write.clusters([1])[1].members)
    write.reshape({1: ClusterState(2, shown), 2: ClusterState(0)})
    assert rows(write, schema.clusters, "no", "size") == [(1, 2), (2, 0)]
    assert write.clusters([1])[1].canonical == shown


def test_merge_redirects_clusters_and_moves_their_records_to_the_end_of_the_chain(write: Writing, fill: Fill) -> None:
    fill(["1"], ["2"], ["3"], ["4"])
    write.merge({4: 2, 2: 1})
    assert rows(write, schema.records, "key", "cluster") == [("x:1", 1), ("x:2", 1), ("x:3", 3), ("x:4", 1)]
    assert rows(write, schema.clusters, "no", "merged_into") == [(1, None), (2, 1), (3, None), (4, 2)]
    assert write.survivors([2, 4]) == {2: 1, 4: 1}
    assert write.merged_into(1) == [2, 4]


def test_move_takes_records_into_a_cluster(write: Writing, fill: Fill) -> None:
    fill(["1", "2", "3"], [])
    write.move(["x:1", "x:3"], 2)
    assert [record.key for record in write.clusters([2])[2].members] == ["x:1", "x:3"]


def test_events_are_kept_in_order_with_their_evidence(write: Writing) -> None:
    joined = Event("joined", 1, "alike", "x:2", None, "mendeley", 0.9, [{"field": "title"}])
    write.note_events(iter([Event("founded", 1, "alone", "x:1"), joined]), run=3)
    names = ("run", "kind", "cluster", "other", "record", "cause", "profile", "score", "evidence")
    assert rows(write, schema.events, *names) == [
        (3, "founded", 1, None, "x:1", "alone", None, None, None),
        (3, "joined", 1, None, "x:2", "alike", "mendeley", 0.9, b'[{"field":"title"}]'),
    ]


def queued(write: Writing) -> list[tuple[Any, ...]]:
    return rows(write, schema.reviews, "record", "against")


def queue(write: Writing, *pairs: tuple[str, str]) -> None:
    write.note_reviews(Review(a, b, 0.5, {"decision": "unsure"}) for a, b in pairs)


def test_a_pair_is_queued_once_whichever_way_round(write: Writing) -> None:
    queue(write, ("a", "b"), ("a", "c"))
    queue(write, ("b", "a"), ("a", "c"), ("c", "d"))
    assert queued(write) == [("a", "b"), ("a", "c"), ("c", "d")]
    assert rows(write, schema.reviews, "score", "comparison")[0] == (0.5, b'{"decision":"unsure"}')


def test_reviews_of_records_are_forgotten(write: Writing) -> None:
    queue(write, ("a", "b"), ("c", "a"), ("c", "d"))
    write.forget_reviews(["a", "z"])
    assert queued(write) == [("c", "d")]


def test_the_last_verdict_counts_whichever_way_round(write: Writing) -> None:
    write.record_verdicts([("b", "a"), ("a", "c")], "same", "first")
    write.record_verdicts([("a", "b")], "different", "second thoughts")
    assert write.verdicts(["a"])["a"] == {"b": "different", "c": "same"}
    assert rows(write, schema.decisions, "b", "note") == [("b", "second thoughts"), ("c", "first")]
    write.forget_verdicts([("c", "a")])
    assert write.verdicts(["c"]) == {}


def test_many_pairs_at_once(write: Writing) -> None:
    pairs = [(f"a{at}", f"b{at}") for at in range(1200)]
    write.record_verdicts(iter(pairs), "different")
    assert len(write.verdicts(a for a, _ in pairs)) == 2400


def test_a_dead_letter_is_kept_once(write: Writing) -> None:
    letters = [DeadLetter(file="f", position=f"line {at}", reason="r", raw="{") for at in range(150)]
    write.keep_dead_letters([*letters, letters[0]], run=1)
    write.keep_dead_letters([*letters, DeadLetter(file="g", position="line 1", reason="r")], run=2)
    kept = rows(write, schema.dead_letters, "run", "file", "position", "raw")
    assert len(kept) == 151
    assert (kept[0], kept[-1]) == ((2, "f", "line 0", "{"), (2, "g", "line 1", ""))


def test_a_dead_letter_is_closed_by_a_later_run_and_opened_where_it_is_met_again(write: Writing) -> None:
    letters = [DeadLetter(file=file, position="line 1", reason="r") for file in ("a", "b")]
    write.keep_dead_letters(letters, run=1)
    write.keep_dead_letters(letters[:1], run=2)
    write.close_dead_letters(["a", "b"], run=2)
    assert rows(write, schema.dead_letters, "file", "closed") == [("a", None), ("b", 2)]
    write.keep_dead_letters(letters, run=3)
    assert rows(write, schema.dead_letters, "file", "closed") == [("a", None), ("b", None)]


def test_changes_are_noted_for_each_target_and_forgotten_by_each(write: Writing) -> None:
    assert (write.note_outbox([3, 1]), write.note_outbox([3])) == (2, 3)
    write.forget_outbox(PUBLISHED, 3)
    write.register(BUILD)
    last = write.note_outbox([4, 5])
    assert (write.count_outbox(), write.count_outbox("new")) == (2, 2)
    write.forget_outbox(PUBLISHED, last)
    assert (write.count_outbox(), write.outbox("new", 99, 10)[0]) == (0, [4, 5])
    last = write.note_outbox([6])
    assert write.outbox(PUBLISHED, last, 10) == ([6], last)
    assert write.outbox("new", 99, 10)[0] == [4, 5, 6]
    write.clear_outbox()
    assert (write.count_outbox(), write.count_outbox("new")) == (0, 0)


def test_a_build_is_there_until_it_is_unregistered(write: Writing) -> None:
    write.register(BUILD)
    further = Build("new", "", ("en",), "bigrams", last=9, done=5)
    write.register(further)
    assert write.building() == further
    write.note_outbox([1])
    write.unregister("new")
    assert write.building() is None
    assert (write.count_outbox(), write.count_outbox("new")) == (1, 0)


def test_a_repair_that_was_left_is_there_until_something_else_writes_or_it_ends(write: Writing) -> None:
    assert write.repairing() is None
    state = RepairState({"profile": "mendeley"}, write.begin_run("repair"), last=9, done=4)
    write.note_repair(state)
    assert write.repairing() == state
    write.begin_run("ingest")
    assert write.repairing() is None
    write.note_repair(replace(state, run=2))
    write.end_repair()
    assert write.repairing() is None


def test_options_take_the_place_of_earlier_ones(write: Writing) -> None:
    write.remember({"top_n": 5})
    write.remember({"profile": "mendeley"})
    assert write.options() == {"profile": "mendeley"}


def test_a_transaction_knows_whether_history_is_kept(write: Writing) -> None:
    assert write.history
    with store.throw_away(history=False) as catalogue, catalogue.writing() as other:
        assert not other.history


@pytest.mark.parametrize("table", schema.metadata.sorted_tables, ids=lambda table: table.name)
def test_the_tables_suit_postgresql_too(table: Table) -> None:
    made = str(CreateTable(table).compile(dialect=postgresql.dialect()))
    assert f"CREATE TABLE {table.name}" in made
    assert "INTEGER" not in made.replace("size INTEGER", "")
    names = [column.name for column in table.c if column.name != "no"]
    added = insert(table).inline().compile(dialect=postgresql.dialect(), column_keys=names)
    assert "RETURNING" not in str(added)
    assert list(added.params) == names
