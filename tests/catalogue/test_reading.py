"""What can be asked: clusters by any of their names, redirects followed, many values at a time."""

from collections.abc import Callable

import pytest

from bibfold.catalogue.rows import CHUNK, PUBLISHED, Build, ClusterState, StoredRecord
from bibfold.catalogue.writing import Writing
from bibfold.errors import NotFound

Fill = Callable[..., None]


def test_stored_records_by_key(write: Writing, fill: Fill) -> None:
    fill(["1", "2"], ["3"])
    assert write.stored(["x:2", "x:3", "x:4"]) == {
        "x:2": StoredRecord(2, "x", b"2", 1, 1),
        "x:3": StoredRecord(3, "x", b"3", 2, 1),
    }
    assert write.stored([]) == {}


def test_clusters_with_their_members_in_the_order_of_arrival(write: Writing, fill: Fill) -> None:
    fill(["1", "2"], ["3"], [])
    found = write.clusters([2, 1, 3, 9])
    assert {no: [record.key for record in cluster.members] for no, cluster in found.items()} == {
        2: ["x:3"],
        1: ["x:1", "x:2"],
    }
    assert found[2].canonical.record == found[2].members[0]
    assert (dict(found[2].canonical.provenance), list(found[1].numbered)) == ({}, [1, 2])


def test_a_cluster_is_found_by_its_id_and_by_its_records(write: Writing, fill: Fill) -> None:
    fill(["1", "2"], ["c1"])
    assert [write.resolve(name) for name in ("c1", "x:2", "c2", "x:c1")] == [1, 1, 2, 2]
    for name in ("c9", "x:9", "c", "", "c1x", "c²"):
        with pytest.raises(NotFound, match="no cluster or record"):
            write.resolve(name)


def test_redirects_far_and_wide(write: Writing) -> None:
    chain = [ClusterState(int(no == 1), merged_into=no - 1 or None) for no in range(1, 21)]
    write.found([*chain, *[ClusterState(0, merged_into=20)] * 2 * CHUNK])
    assert write.survivors([1, 20, 99, 9999]) == {1: 1, 20: 1, 99: 1}
    assert write.merged_into(1) == list(range(2, 21 + 2 * CHUNK))
    assert write.resolve("c20") == 1


def test_more_records_than_one_question_takes(write: Writing, fill: Fill) -> None:
    ids = [str(at) for at in range(CHUNK + 7)]
    fill(*([id] for id in ids))
    assert len(write.stored(f"x:{id}" for id in ids)) == CHUNK + 7
    assert [len(part) for part in write.standing()] == [CHUNK, 7]
    assert [list(part) for part in write.standing(after=CHUNK + 4, size=2)] == [[CHUNK + 5, CHUNK + 6], [CHUNK + 7]]


def test_clusters_that_stand_are_counted(write: Writing, fill: Fill) -> None:
    assert write.count_standing() == 0
    fill(["1"], [], ["3"], ["4"])
    assert (write.count_standing(), write.count_standing(3), write.count_standing(0)) == (3, 2, 0)


def test_the_last_numbers(write: Writing, fill: Fill) -> None:
    assert (write.last_record(), write.last_cluster(), write.last_outbox()) == (0, 0, 0)
    fill(["1", "2", "3"], ["4"])
    write.note_outbox([1])
    assert (write.last_record(), write.last_cluster(), write.last_outbox()) == (4, 2, 1)


def test_changes_of_a_target_oldest_first(write: Writing) -> None:
    write.note_outbox([3, 1, 3])
    assert write.outbox(PUBLISHED, 99, 10) == ([3, 1], 3)
    assert write.outbox(PUBLISHED, 2, 10) == ([3, 1], 2)
    assert write.outbox(PUBLISHED, 99, 1) == ([3], 1)
    assert write.outbox("another", 99, 10) == ([], 0)
    assert (write.count_outbox(), write.count_outbox("another")) == (3, 0)


def test_verdicts_are_found_from_either_side(write: Writing) -> None:
    assert write.verdicts(["a"]) == {}
    write.record_verdicts([("b", "a"), ("a", "c")], "same")
    expected = {"a": {"b": "same", "c": "same"}, "b": {"a": "same"}, "c": {"a": "same"}}
    assert write.verdicts(["a"]) == expected
    assert write.verdicts(["b"]) == {"a": {"b": "same"}, "b": {"a": "same"}}
    assert write.verdicts(["z"]) == {}


def test_options_and_builds_that_are_not_there(write: Writing) -> None:
    assert (write.options(), write.building()) == ({}, None)
    write.remember({"top_n": 5, "languages": ["en"]})
    write.register(Build("new", "", ("en",), "bigrams", last=9))
    assert write.options() == {"top_n": 5, "languages": ["en"]}
    assert write.building() == Build("new", "", ("en",), "bigrams", last=9)


def test_clusters_by_their_size_and_in_order(write: Writing, fill: Fill) -> None:
    fill(["1", "2"], ["3"], [], ["4", "5", "6"])
    assert write.sizes(2) == {1: 2, 4: 3}
    assert write.sizes(4) == {}
    assert list(write.standing_numbers(after=1, size=1)) == [[2], [4]]
