"""How `bibfold.engines.base` promises to rank, asked of every engine."""

import math
import random
from collections.abc import Mapping, Sequence

import pytest

from bibfold.engines.base import (
    FIELDS,
    SCORE_DIGITS,
    Document,
    Engine,
    Hit,
    Put,
    Query,
    coarse,
    reach,
    rounded,
)
from bibfold.records.model import Record

RECORD = Record(source="s", id="1")


def document(id: str, *title: str, **others: Sequence[str]) -> Document:
    return Document(id, {"title": list(title), **others}, RECORD)


def put(engine: Engine, index: str, *documents: Document) -> None:
    engine.write(index, map(Put, documents))
    engine.commit(index)


def found(engine: Engine, index: str, *title: str, limit: int = 10) -> list[str]:
    return [hit.id for hit in one(engine, index, Query({"title": title}), limit)]


def one(engine: Engine, index: str, query: Query, limit: int = 10) -> list[Hit]:
    (hits,) = engine.search(index, [query], limit)
    return hits


def test_hits_come_by_score_then_id(engine: Engine, index: str) -> None:
    put(
        engine,
        index,
        document("c", "x", "filling"),
        document("b", "x", "filling"),
        document("a", "x", "filling", "longer"),
        document("d", "x", "y"),
    )
    hits = one(engine, index, Query({"title": ["x", "y"]}))
    assert [hit.id for hit in hits] == ["d", "b", "c", "a"]
    assert hits[0].score > hits[1].score == hits[2].score > hits[3].score > 0


@pytest.mark.parametrize("limit", [1, 3, 10, 31, 32, 33])
def test_ties_at_the_cut_are_settled_by_id(engine: Engine, index: str, limit: int) -> None:
    ids = [f"{number:03}" for number in range(3 * reach(limit))]
    shuffled = random.Random(limit).sample(ids, len(ids))
    for part in (shuffled[::2], shuffled[1::2]):
        put(engine, index, *(document(id, "x", f"own {id}") for id in part))
    put(engine, index, document("best", "x"))
    assert found(engine, index, "x", limit=limit) == ["best", *ids][:limit]


def test_ids_are_ordered_as_text(engine: Engine, index: str) -> None:
    ids = ["10", "9", "Z", "a", "a b", "aaaaaaaaaaaa1", "aaaaaaaaaaaa2", "é", "ｚ", "😀"]
    put(engine, index, *(document(id, "x") for id in reversed(ids)))
    assert found(engine, index, "x", limit=5) == ids[:5]
    assert found(engine, index, "x", limit=20) == ids


def test_the_limit_is_kept(engine: Engine, index: str) -> None:
    put(engine, index, *(document(f"{number:02}", "x", *map(str, range(number))) for number in range(30)))
    for limit in (1, 7, 29, 30, 31, 1000):
        assert found(engine, index, "x", limit=limit) == [f"{number:02}" for number in range(30)][:limit]


def test_many_queries_at_once_equal_one_by_one(engine: Engine, index: str) -> None:
    chance = random.Random(7)
    put(engine, index, *(document(f"d{number}", *some_terms(chance)) for number in range(300)))
    queries = [Query({"title": some_terms(chance)}) for _ in range(150)]
    together = engine.search(index, queries, 5)
    assert [one(engine, index, query, 5) for query in queries] == together
    assert sum(map(len, together)) > 300


def test_scores_are_those_of_a_worked_example(engine: Engine, index: str) -> None:
    """Three documents with titles of 1, 2 and 3 terms: N = 3, average 2; `also`: 1, 1 (empty), 1 (empty).

    x is in all: idf = ln(1 + 0.5 / 3.5) = 0.133531; y in one: idf = ln(1 + 2.5 / 1.5) = 0.980829.
    The length factor is 1 / (1 + 1.2 (0.25 + 0.75 length / 2)): 0.571429, 0.454545 and 0.377358 for the
    lengths 1, 2 and 3, and for `also`, where length and average are 1, 1 / 2.2 = 0.454545.
    """
    put(engine, index, document("a", "x", also=["y"]), document("b", "x", "y"), document("c", "x", "v", "w"))
    scores = {hit.id: hit.score for hit in one(engine, index, Query({"title": ["x", "y"], "also": ["y"]}))}
    assert scores["a"] == pytest.approx(0.133531 * 0.571429 + 0.980829 * 0.454545, rel=2e-5)
    assert scores["b"] == pytest.approx((0.133531 + 0.980829) * 0.454545, rel=2e-5)
    assert scores["c"] == pytest.approx(0.133531 * 0.377358, rel=2e-5)


def test_ranking_follows_the_formula(engine: Engine, index: str) -> None:
    chance = random.Random(11)
    documents = [
        Document(f"{number:03}", {field: some_terms(chance) for field in FIELDS}, RECORD) for number in range(400)
    ]
    documents += [document(f"long {size}", "w1", *map(str, range(size))) for size in (39, 40, 41, 90, 700)]
    for part in (documents[:150], documents[150:160], documents[160:]):
        put(engine, index, *part)
    queries = [Query({field: some_terms(chance) for field in FIELDS}) for _ in range(40)]
    queries += [Query({"title": ["w1"]}), Query({"title": ["0", "38"]})]
    for query, hits in zip(queries, engine.search(index, queries, 25), strict=True):
        assert_ranked_as(by_formula(documents, query), hits, 25)


def assert_ranked_as(expected: Mapping[str, float], hits: Sequence[Hit], limit: int) -> None:
    """Scores agree but for the last digit, which 32-bit sums may tip over; the order is that of the scores."""
    assert len(hits) == min(limit, len(expected))
    assert {hit.id: hit.score for hit in hits} == pytest.approx(
        {hit.id: expected[hit.id] for hit in hits}, rel=2 * 10 ** (1 - SCORE_DIGITS)
    )
    assert [hit.id for hit in hits] == sorted((hit.id for hit in hits), key=lambda id: (-expected[id], id))
    least = min((expected[hit.id] for hit in hits), default=0)
    assert sum(score > least for score in expected.values()) <= limit


def by_formula(documents: Sequence[Document], query: Query) -> Mapping[str, float]:
    """The score of every document that shares a term with the query, straight from the contract."""
    lengths = {field: [max(1, len(one.terms.get(field, ()))) for one in documents] for field in FIELDS}
    scores: dict[str, float] = {}
    for field, terms in query.terms.items():
        average = sum(lengths[field]) / len(documents)
        for term in terms:
            having = [place for place, one in enumerate(documents) if term in one.terms.get(field, ())]
            idf = math.log(1 + (len(documents) - len(having) + 0.5) / (len(having) + 0.5))
            for place in having:
                norm = 1.2 * (0.25 + 0.75 * coarse(lengths[field][place]) / average)
                scores[documents[place].id] = scores.get(documents[place].id, 0) + idf / (1 + norm)
    return {id: rounded(score) for id, score in scores.items()}


def some_terms(chance: random.Random) -> list[str]:
    """Up to 12 terms of which some are frequent and some are rare."""
    return sorted({f"w{int(chance.paretovariate(0.6)) % 500}" for _ in range(chance.randrange(13))})
