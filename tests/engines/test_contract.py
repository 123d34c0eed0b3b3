"""What `bibfold.engines.base` promises, asked of every engine."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from threading import Event

import pytest

from bibfold.engines import open_engine
from bibfold.engines.base import FIELDS, Change, Delete, Document, Engine, Hit, Put, Query
from bibfold.errors import EngineError, IndexMissing
from bibfold.records.model import Record


def document(id: str, *title: str, **others: Sequence[str]) -> Document:
    return Document(id, {"title": list(title), **others}, Record(source="test", id=f"of {id}", title=" ".join(title)))


def put(engine: Engine, index: str, *documents: Document) -> None:
    assert engine.write(index, [Put(one) for one in documents]) == len(documents)
    engine.commit(index)


def found(engine: Engine, index: str, *title: str, limit: int = 10) -> list[str]:
    return [hit.id for hit in one(engine, index, Query({"title": title}), limit)]


def one(engine: Engine, index: str, query: Query, limit: int = 10) -> list[Hit]:
    (hits,) = engine.search(index, [query], limit)
    return hits


def test_what_is_written_is_not_visible_before_the_commit(engine: Engine, index: str) -> None:
    engine.write(index, [Put(document("a", "x"))])
    assert found(engine, index, "x") == []
    assert engine.get(index, ["a"]) == [None]
    assert engine.count(index) == 0
    assert list(engine.ids(index)) == []


def test_what_is_committed_is_visible(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "x"), document("b", "y"))
    assert found(engine, index, "x") == ["a"]
    assert engine.count(index) == 2
    assert sorted(engine.ids(index)) == ["a", "b"]


def test_a_deletion_is_visible_only_after_the_commit(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "x"), document("b", "x"))
    assert engine.write(index, [Delete("a")]) == 1
    assert found(engine, index, "x") == ["a", "b"]
    engine.commit(index)
    assert found(engine, index, "x") == ["b"]
    assert engine.get(index, ["a"]) == [None]
    assert list(engine.ids(index)) == ["b"]
    assert engine.count(index) == 1


def test_a_put_replaces_the_document_with_its_id(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "x"))
    put(engine, index, document("a", "y"))
    assert found(engine, index, "x") == []
    assert [hit.record.title for hit in one(engine, index, Query({"title": ["y"]}))] == ["y"]
    assert engine.count(index) == 1


def test_the_last_change_of_an_id_wins(engine: Engine, index: str) -> None:
    changes: list[Change] = [
        Put(document("kept", "old")),
        Put(document("gone", "old")),
        Delete("kept"),
        Put(document("kept", "new")),
        Delete("gone"),
    ]
    assert engine.write(index, changes) == 5
    engine.commit(index)
    assert list(engine.ids(index)) == ["kept"]
    assert found(engine, index, "old", "new") == ["kept"]
    assert found(engine, index, "old") == []


def test_the_last_change_wins_over_several_writes_of_one_commit(engine: Engine, index: str) -> None:
    engine.write(index, [Put(document("a", "old"))])
    later: list[Change] = [Delete("a"), Put(document("a", "new"))]
    engine.write(index, iter(later))
    engine.commit(index)
    assert found(engine, index, "old") == []
    assert found(engine, index, "new") == ["a"]
    assert engine.count(index) == 1


def test_what_is_absent_is_deleted_without_an_error(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "x"))
    assert engine.write(index, [Delete("never there")]) == 1
    engine.commit(index)
    assert engine.count(index) == 1


def test_a_commit_of_nothing_changes_nothing(engine: Engine, index: str) -> None:
    engine.commit(index)
    assert engine.write(index, []) == 0
    engine.commit(index)
    assert engine.count(index) == 0


def test_an_empty_index_answers(engine: Engine, index: str) -> None:
    assert engine.search(index, [Query({"title": ["x"]}), Query({})], 10) == [[], []]
    assert engine.search(index, [], 10) == []
    assert engine.get(index, []) == []


def test_an_index_whose_documents_are_all_deleted_answers(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "x"), document("b", "x"))
    engine.write(index, [Delete("a"), Delete("b")])
    engine.commit(index)
    assert found(engine, index, "x") == []
    put(engine, index, document("c", "x"))
    assert found(engine, index, "x") == ["c"]


def test_a_query_without_terms_finds_nothing(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "x"), document("empty"))
    assert engine.search(index, [Query({}), Query({"title": []}), Query({"also": ["x"]})], 10) == [[], [], []]


def test_unknown_terms_of_a_query_are_passed_over(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "x"), document("b", "y"))
    assert found(engine, index, "unknown") == []
    assert found(engine, index, "unknown", "x", "other") == ["a"]


def test_terms_are_matched_whole_and_in_their_field(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "New York", also=["x"]), document("b", "x", identifier=["New York"]))
    assert found(engine, index, "New York") == ["a"]
    assert found(engine, index, "new york") == []
    assert found(engine, index, "New") == []
    assert [hit.id for hit in one(engine, index, Query({"also": ["x"]}))] == ["a"]
    assert [hit.id for hit in one(engine, index, Query({"identifier": ["New York"]}))] == ["b"]
    both = one(engine, index, Query({"also": ["x"], "identifier": ["New York"]}))
    assert [hit.id for hit in both] == ["a", "b"]


def test_hits_carry_the_record(engine: Engine, index: str) -> None:
    record = Record(
        source="s",
        id="1",
        title="A title",
        authors=("One", "Two"),
        year=1999,
        identifiers={"doi": ("10.1/a", "10.1/b"), "isbn": ("1",)},
        abstract="Long",
        extra={"shelf": {"room": 1}},
    )
    put(engine, index, Document("a", {"title": ["x"]}, record))
    assert [hit.record for hit in one(engine, index, Query({"title": ["x"]}))] == [record]


def test_get_gives_documents_in_the_order_asked_for(engine: Engine, index: str) -> None:
    full = document("b", "x", "y", also=["z"], identifier=["doi:1"], block=["0", "1"])
    put(engine, index, document("a", "x"), full, document("empty"))
    got = engine.get(index, ["b", "absent", "a", "b", "empty"])
    assert [one and one.id for one in got] == ["b", None, "a", "b", "empty"]
    assert got[0] is not None
    assert got[0].record == full.record
    assert {field: sorted(got[0].terms.get(field, ())) for field in FIELDS} == {
        "title": ["x", "y"],
        "also": ["z"],
        "identifier": ["doi:1"],
        "block": ["0", "1"],
    }
    assert got[4] is not None
    assert not any(got[4].terms.get(field) for field in FIELDS)


ODD = {
    "quotes": "\"double\" 'single' `back`",
    "operators": "+a -b a:b (c) [d TO e] f* g? ~h ^2 && || ! \\ / AND OR NOT",
    "newline": "line\nbreak\ttab\r\nend",
    "control": "\x01\x02\x1f\x7f\x85",
    "emoji": "👩‍👩‍👧‍👦 😀",
    "cjk": "図書館 目錄",
    "rtl": "مكتبة ספריה \u202eabc",
    "combining": "e\u0301 n\u0303",
    "markup": "<b>&amp;</b> {json: [1]} %20 $x",
    "astral": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "blanks": " leading and trailing ",
    "long": "é" * 200,
    "very long": "x" * 8_000,
}


@pytest.mark.parametrize("name", ODD)
def test_odd_characters_are_safe_everywhere(engine: Engine, index: str, name: str) -> None:
    text = ODD[name]
    record = Record(source=text, id=text, title=text, authors=(text,), extra={text: [text]})
    id = text[:150]
    put(engine, index, Document(id, {"title": [text, "other"], "identifier": [text]}, record), document("z", "other"))
    for field in ("title", "identifier"):
        (hit,) = one(engine, index, Query({field: [text]}))
        assert (hit.id, hit.record) == (id, record)
    assert [got and got.record for got in engine.get(index, [id])] == [record]
    assert sorted(engine.ids(index)) == sorted([id, "z"])
    engine.write(index, [Delete(id)])
    engine.commit(index)
    assert found(engine, index, text, "other") == ["z"]


def test_a_query_of_ten_thousand_terms_is_answered(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "term 17", "term 9999"), document("b", "term 3"))
    assert found(engine, index, *(f"term {number}" for number in range(10_000))) == ["a", "b"]


def test_a_document_of_ten_thousand_terms_is_found(engine: Engine, index: str) -> None:
    put(engine, index, document("a", *(f"term {number}" for number in range(10_000))), document("b", "term 3"))
    assert found(engine, index, "term 3") == ["b", "a"]


VERBS: dict[str, Callable[[Engine, str], object]] = {
    "write": lambda engine, index: engine.write(index, [Put(document("a", "x"))]),
    "write nothing": lambda engine, index: engine.write(index, []),
    "commit": lambda engine, index: engine.commit(index),
    "search": lambda engine, index: engine.search(index, [Query({"title": ["x"]})], 10),
    "search nothing": lambda engine, index: engine.search(index, [], 10),
    "get": lambda engine, index: engine.get(index, ["a"]),
    "get nothing": lambda engine, index: engine.get(index, []),
    "ids": lambda engine, index: engine.ids(index),
    "count": lambda engine, index: engine.count(index),
    "damage": lambda engine, index: list(engine.damage(index)),
    "publish": lambda engine, index: engine.publish("alias-of-nothing", index),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_missing_index_is_said_to_be_missing(engine: Engine, verb: str) -> None:
    with pytest.raises(IndexMissing, match="never-made"):
        VERBS[verb](engine, "never-made")


@pytest.mark.parametrize("verb", VERBS)
def test_a_dropped_index_is_said_to_be_missing(engine: Engine, index: str, verb: str) -> None:
    put(engine, index, document("a", "x"))
    engine.drop(index)
    with pytest.raises(IndexMissing, match=index):
        VERBS[verb](engine, index)


def test_an_index_is_created_once(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "x"))
    with pytest.raises(EngineError, match=index):
        engine.create(index)
    assert found(engine, index, "x") == ["a"]


def test_what_is_absent_is_dropped_without_an_error(engine: Engine) -> None:
    engine.drop("never-made")
    assert "never-made" not in engine.indexes()


def test_an_index_made_anew_is_empty(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "x"))
    engine.drop(index)
    engine.create(index)
    assert engine.count(index) == 0
    put(engine, index, document("b", "x"))
    assert found(engine, index, "x") == ["b"]


def test_indexes_are_listed_in_order(engine: Engine, index: str, alias: str) -> None:
    others = [f"{index}-{letter}" for letter in "cab"]
    for name in others:
        engine.create(name)
    engine.publish(alias, index)
    mine = [name for name in engine.indexes() if name.startswith(index)]
    assert mine == sorted([index, *others])
    assert alias not in engine.indexes()
    for name in others:
        engine.drop(name)
    assert [name for name in engine.indexes() if name.startswith(index)] == [index]


def test_nothing_is_published_at_first(engine: Engine, alias: str) -> None:
    assert engine.published(alias) is None
    with pytest.raises(IndexMissing, match=alias):
        engine.search(alias, [Query({"title": ["x"]})], 10)


def test_publishing_switches_the_alias(engine: Engine, index: str, alias: str) -> None:
    newer = f"{index}-newer"
    engine.create(newer)
    put(engine, index, document("old", "x"))
    put(engine, newer, document("new", "x"))
    for target, expected in ((index, "old"), (newer, "new"), (newer, "new"), (index, "old")):
        engine.publish(alias, target)
        assert engine.published(alias) == target
        assert found(engine, alias, "x") == [expected]
    engine.drop(newer)


def test_every_verb_of_an_index_takes_an_alias(engine: Engine, index: str, alias: str) -> None:
    engine.publish(alias, index)
    put(engine, alias, document("a", "x"))
    assert engine.count(alias) == engine.count(index) == 1
    assert list(engine.ids(alias)) == ["a"]
    assert [got and got.id for got in engine.get(alias, ["a"])] == ["a"]


def test_a_failed_publication_leaves_the_alias_alone(engine: Engine, index: str, alias: str) -> None:
    engine.publish(alias, index)
    with pytest.raises(IndexMissing, match="never-made"):
        engine.publish(alias, "never-made")
    assert engine.published(alias) == index


def test_the_alias_of_a_dropped_index_points_at_nothing(engine: Engine, index: str, alias: str) -> None:
    engine.publish(alias, index)
    engine.drop(index)
    assert engine.published(alias) is None
    with pytest.raises(IndexMissing):
        engine.count(alias)


def test_an_index_and_an_alias_do_not_share_a_name(engine: Engine, index: str, alias: str) -> None:
    engine.publish(alias, index)
    with pytest.raises(EngineError):
        engine.create(alias)
    with pytest.raises(EngineError):
        engine.publish(index, index)
    assert engine.published(alias) == index


def test_an_interrupted_write_can_be_gone_on_with(engine: Engine, index: str) -> None:
    def changes() -> Iterator[Change]:
        yield Put(document("a", "x"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        engine.write(index, changes())
    assert found(engine, index, "x") == []
    put(engine, index, document("b", "x"))
    assert "b" in found(engine, index, "x")


def test_a_write_may_search_as_it_goes(engine: Engine, index: str) -> None:
    def changes() -> Iterator[Change]:
        for id in found(engine, index, "x"):
            yield Put(document(f"{id} again", "x"))
            assert len(found(engine, index, "x")) == 2

    put(engine, index, document("a", "x"), document("b", "x"))
    assert engine.write(index, changes()) == 2
    engine.commit(index)
    assert found(engine, index, "x") == ["a", "a again", "b", "b again"]


def test_committed_documents_outlive_a_persistent_engine(engine: Engine, index: str, alias: str, address: str) -> None:
    if not engine.persistent:
        pytest.skip("keeps nothing after it is closed, as it says")
    put(engine, index, document("a", "x"), document("b", "x"))
    engine.publish(alias, index)
    engine.write(index, [Put(document("uncommitted", "x"))])
    engine.close()
    again = open_engine(address)
    try:
        assert again.published(alias) == index
        assert found(again, alias, "x") == ["a", "b"]
        put(again, alias, document("c", "x"))
        assert [id for id in found(again, index, "x") if id != "uncommitted"] == ["a", "b", "c"]
    finally:
        again.close()


def test_searches_go_on_while_documents_are_written(engine: Engine, index: str) -> None:
    ids = [f"{number:02}" for number in range(40)]
    put(engine, index, *(document(id, "x", "round 0") for id in ids))
    done = Event()

    def search() -> int:
        times = 0
        while not done.is_set():
            assert sorted(found(engine, index, "x", limit=100)) == ids
            assert [got and got.id for got in engine.get(index, ids)] == ids
            times += 1
        return times

    with ThreadPoolExecutor(3) as pool:
        searching = [pool.submit(search) for _ in range(3)]
        try:
            for number in range(1, 16):
                put(engine, index, *(document(id, "x", f"round {number}") for id in ids))
                assert sorted(found(engine, index, f"round {number}", limit=100)) == ids
        finally:
            done.set()
        assert all(one.result() > 0 for one in searching)


def test_the_engine_says_that_it_is_ready(engine: Engine, index: str) -> None:
    assert engine.ready()


def test_an_index_as_it_was_written_is_not_damaged(engine: Engine, index: str) -> None:
    put(engine, index, document("a", "x"), document("b", "y"))
    engine.write(index, [Delete("a")])
    engine.commit(index)
    assert list(engine.damage(index)) == []


def test_all_ids_are_streamed(engine: Engine, index: str) -> None:
    ids = {f"{number}" for number in range(2_500)}
    put(engine, index, *(document(id, "x") for id in ids))
    put(engine, index, *(document(id, "y") for id in list(ids)[:500]))
    streamed = iter(engine.ids(index))
    first = next(streamed)
    assert sorted(chain([first], streamed)) == sorted(ids)
