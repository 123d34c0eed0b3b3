"""What the in-memory engine promises beyond the contract: live statistics, the very record, few segments."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from bibfold.engines import base, memory_search
from bibfold.engines.base import Change, Delete, Document, Put, Query
from bibfold.engines.memory import Memory
from bibfold.records.model import Record

RECORD = Record(source="s", id="1")

terms = some.lists(some.sampled_from([f"t{number}" for number in range(12)]), unique=True, max_size=6)
documents = some.builds(
    lambda id, title, also: Document(f"d{id}", {"title": title, "also": also}, RECORD),
    some.integers(0, 15),
    terms,
    terms,
)
changes = some.one_of(some.builds(Put, documents), some.builds(lambda id: Delete(f"d{id}"), some.integers(0, 15)))


def made(*documents: Document) -> Memory:
    engine = Memory()
    engine.create("x")
    engine.write("x", map(Put, documents))
    engine.commit("x")
    return engine


@settings(max_examples=60, deadline=None)
@given(some.lists(some.lists(changes, max_size=12), max_size=8), terms, some.integers(1, 20))
def test_an_index_with_a_history_ranks_like_a_new_one(
    commits: list[list[Change]], asked: list[str], limit: int
) -> None:
    engine, left = made(), dict[str, Document]()
    for batch in commits:
        engine.write("x", batch)
        engine.commit("x")
        for change in batch:
            if isinstance(change, Put):
                left[change.document.id] = change.document
            else:
                left.pop(change.id, None)
    query = Query({"title": asked, "also": asked[:2]})
    assert engine.search("x", [query], limit) == made(*left.values()).search("x", [query], limit)
    assert engine.get("x", sorted(left)) == [left[id] for id in sorted(left)]
    assert sorted(engine.ids("x")) == sorted(left)
    assert engine.count("x") == len(left)


def test_hits_carry_the_very_record_that_was_put() -> None:
    record = Record(source="s", id="1")
    engine = made(Document("a", {"title": ["x"]}, record), Document("b", {"title": ["y"]}, RECORD))
    engine.write("x", [Delete("b")])
    engine.commit("x")
    ((hit,),) = engine.search("x", [Query({"title": ["x"]})], 10)
    assert hit.record is record


def test_segments_stay_few() -> None:
    engine = made()
    for number in range(300):
        engine.write(
            "x", [Put(Document(str(number), {"title": ["x", str(number)]}, RECORD)), Delete(str(number - 200))]
        )
        engine.commit("x")
    segments = engine._indexes["x"].segments
    assert len(segments) < 12
    assert sum(len(segment.live) for segment in segments) < 2 * engine.count("x") == 400


def test_a_search_works_on_what_it_found_when_it_began() -> None:
    engine = made(*(Document(str(number), {"title": ["x"]}, RECORD) for number in range(20)))
    streamed = iter(engine.ids("x"))
    first = next(streamed)
    engine.write("x", [Delete(str(number)) for number in range(20)])
    engine.commit("x")
    assert len({first, *streamed}) == 20
    assert engine.count("x") == 0


def test_more_hits_than_fit_at_once_are_found_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = made(*(Document(f"{number:02}", {"title": ["x"]}, RECORD) for number in range(50)))
    queries = [Query({"title": ["x"]})] * 7
    whole = engine.search("x", queries, 3)
    monkeypatch.setattr(memory_search, "AT_ONCE", 40)
    assert engine.search("x", queries, 3) == whole
    assert [hit.id for hit in whole[6]] == ["00", "01", "02"]


@given(some.lists(some.floats(1e-4, 1e6), min_size=1))
def test_rounding_many_is_rounding_each(scores: list[float]) -> None:
    assert memory_search.rounded(np.array(scores)).tolist() == [base.rounded(score) for score in scores]


@pytest.mark.parametrize(
    ("asked", "held", "found"),
    [
        ((0, 7, 0, 0), (0, 7, 0, 0), True),
        ((0, 7, 0, 0), (0, 8, 0, 0), False),
        ((0, 7, 0, 0), (5, 0, 0, 0), True),
        ((0, 7, 0, 0), (0, -1, 0, 0), True),
        ((5, 7, 0, 0), (5, 8, 0, 0), False),
        ((0, 0, 0, 0), (5, 8, 0, 0), True),
    ],
)
def test_a_document_that_differs_from_the_query_by_a_mark_is_left_out(asked, held, found):
    engine = made(Document("a", {"title": ["t"]}, RECORD, held), Document("b", {"title": ["t"]}, RECORD))
    [hits] = engine.search("x", [Query({"title": ["t"]}, asked)], 5)
    assert [hit.id for hit in hits] == (["a", "b"] if found else ["b"])


def test_marks_make_no_room_for_documents_past_the_limit():
    engine = made(*(Document(id, {"title": ["t"]}, RECORD, (0, 8, 0, 0)) for id in "abc"))
    engine.write("x", [Put(Document("d", {"title": ["t"]}, RECORD))])
    engine.commit("x")
    marked, other = engine.search("x", [Query({"title": ["t"]}, (0, 7, 0, 0)), Query({"title": ["t"]})], 3)
    assert marked == []
    assert [hit.id for hit in other] == ["a", "b", "c"]


def test_marks_are_handed_back():
    engine = made(Document("a", {"title": ["t"]}, RECORD, (1, 2, 3, -1)))
    [document] = engine.get("x", ["a"])
    assert document.marks == (1, 2, 3, -1)
