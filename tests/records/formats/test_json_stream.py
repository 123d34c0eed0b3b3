"""Works in a stream of JSON."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibfold.records.formats.json_stream import items


def values(text: str, size: int = 1 << 18) -> list[object]:
    return [item.reason or item.value for item in items(io.BytesIO(text.encode()), size=size)]


WORKS = [{"a": 1}, {"b": {"c": ["}", '"', "\\"]}}, {"items": "no page"}]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    "document",
    [
        WORKS,
        {"items": WORKS},
        {"status": "ok", "message": {"facets": {"x": {}}, "items": WORKS, "query": {"start-index": 0}}},
        {"message": {"items": WORKS, "total-results": 3}, "status": "ok"},
        [{"items": WORKS[:1]}, {"items": WORKS[1:]}],
    ],
)
def test_arrays_and_pages(document: object, indent: int | None) -> None:
    assert values(json.dumps(document, indent=indent)) == WORKS


def test_a_page_may_hold_a_single_work() -> None:
    assert values('{"status": "ok", "message-type": "work", "message": {"DOI": "1"}, "x": {}}') == [{"DOI": "1"}]


def test_lines_and_several_documents() -> None:
    assert values('{"a": 1}\n\n{"b": 2}\r\n[{"c": 3}] {"items": [{"d": 4}], "x": {"y": 0}}\n{"e": 5}') == [
        {"a": 1},
        {"b": 2},
        {"c": 3},
        {"d": 4},
        {"e": 5},
    ]


@given(st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=50)), max_size=5), st.integers(1, 40))
def test_pieces_of_any_size_give_the_same(works: list[object], size: int) -> None:
    works = [{"key": work} for work in works]
    assert values(json.dumps(works, ensure_ascii=False), size) == works
    assert values(json.dumps({"message": {"items": works, "x": 1}}), size) == works
    assert values('{"a": 1\n{"b": 2}\n', size)[1:] == [{"b": 2}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}\nnonsense here\n{"b": 2}', [{"a": 1}, "not JSON: expected an object", {"b": 2}]),
        ('{"a": 1\n{"b": 2}', ["not JSON: Expecting ',' delimiter", {"b": 2}]),
        ('{"a": "x\n{"b": 2}', ["not JSON: Invalid control character at", {"b": 2}]),
        ('[{"a": {"x" 1}}, {"b": 2}]', ["not JSON: Expecting ':' delimiter", {"b": 2}]),
        ('{"items": [{"a": 1}, {"b" 2}, {"c": 3}]}', [{"a": 1}, "not JSON: Expecting ':' delimiter", {"c": 3}]),
        ('[{"a": 1}, {"b": 2', [{"a": 1}, "not JSON: Expecting ',' delimiter; what follows is lost"]),
        ('{"a": ' + "[" * 100_000, ["nested too deeply; what follows is lost"]),
        ("", []),
    ],
)
def test_what_is_not_json_spoils_little_else(text: str, expected: list[object]) -> None:
    assert values(text) == expected


def test_a_bad_value_comes_with_its_text() -> None:
    assert [item.text for item in items(io.BytesIO(b'[{"a" 1}, {"b": 2}]'))] == ['{"a" 1}', '{"b": 2}']
