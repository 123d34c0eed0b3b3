"""What the engines on servers share: documents on the wire, batches, and hits in order."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from bibfold.engines.base import Delete, Document, Put, rounded
from bibfold.engines.server_hits import (
    BATCH,
    ServerHit,
    batches,
    document,
    fields,
    lowest_score,
    ordered_hits,
    request_size,
    tied_score,
    write_batches,
)
from bibfold.errors import WriteRejected
from bibfold.records.model import Record

RECORD = Record(source="s", id="1", title="T")


def scored(score: float, id: str) -> ServerHit:
    return ServerHit(score, id, '{"source":"s","id":"1"}')


def test_a_document_comes_back_as_it_was() -> None:
    one = Document("a", {"title": ["x y", "z"], "block": ["1"]}, RECORD)
    stored = fields(one)
    assert stored["also"] == (" ",)
    assert (
        document({field: list(value) if isinstance(value, tuple) else value for field, value in stored.items()}) == one
    )


def test_batches_keep_the_last_change_of_each_id() -> None:
    old, new = Document("a", {}, RECORD), Document("a", {"title": ["x"]}, RECORD)
    assert list(batches([Put(old), Delete("b"), Put(new)])) == [(3, {"a": new, "b": None})]
    assert [number for number, _ in batches(Delete(str(n)) for n in range(BATCH + 1))] == [BATCH, 1]
    assert list(batches([])) == []


def test_what_is_refused_is_told_after_all_was_sent() -> None:
    sent: list[str] = []

    def write(last: Mapping[str, Document | None]) -> dict[str, str]:
        sent.extend(last)
        return {"0": "too long"} if "0" in last else {}

    changes = [Delete(str(number)) for number in range(BATCH + 1)]
    assert write_batches(changes[1:], write) == BATCH
    sent.clear()
    with pytest.raises(WriteRejected) as rejected:
        write_batches(changes, write)
    assert rejected.value.failures == {"0": "too long"}
    assert len(sent) == BATCH + 1


@given(some.floats(1e-4, 1e4), some.sampled_from([1.0, 2.2]))
def test_the_least_score_is_the_first_that_counts_the_same(score: float, factor: float) -> None:
    cut = rounded(score)
    low = lowest_score(cut, factor)
    assert rounded(low / factor) >= cut
    assert rounded(float(np.nextafter(np.float32(low), np.float32(0))) / factor) < cut


@pytest.mark.parametrize("limit", [1, 10])
def test_a_cut_among_equals_is_torn(limit: int) -> None:
    equals = [scored(1.0, str(n)) for n in range(request_size(limit))]
    assert tied_score(equals, limit) == 1.0
    assert tied_score(equals[:-1], limit) is None
    assert tied_score([*equals[:-1], scored(0.5, "z")], limit) is None


def test_hits_are_settled_by_score_then_id() -> None:
    best = [scored(3.0, "c"), scored(3.0, "b"), scored(2.0, "a"), scored(2.0, "d")]
    assert [hit.id for hit in ordered_hits(best, (), 3)] == ["b", "c", "a"]


def test_equals_at_the_cut_come_from_the_second_answer() -> None:
    best = [scored(3.0, "z"), scored(2.0, "y"), scored(2.0, "x")]
    tied = [scored(2.0, "a"), scored(2.0, "b"), scored(3.0, "z")]
    assert [(hit.id, hit.score) for hit in ordered_hits(best, tied, 3)] == [("z", 3.0), ("a", 2.0), ("b", 2.0)]
