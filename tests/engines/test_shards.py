"""Candidates do not depend on how many shards an index has."""

import random

import pytest

from bibfold.engines import open_engine
from bibfold.engines.base import FIELDS, Document, Put, Query
from bibfold.engines.memory import Memory
from bibfold.records.model import Record

LIMIT = 10


def some_terms(chance: random.Random) -> list[str]:
    return sorted({f"w {int(chance.paretovariate(0.5)) % 400}" for _ in range(chance.randrange(15))})


def documents() -> list[Document]:
    """Random documents, and many alike, so that the cut often falls among equals."""
    chance = random.Random(5)
    record = Record(source="s", id="1")
    made = [Document(f"r{n}", {field: some_terms(chance) for field in FIELDS}, record) for n in range(1_500)]
    return made + [Document(f"e{n}", {"title": ["preface", "w 3"]}, record) for n in range(300)]


@pytest.mark.parametrize("engine_name", ["solrcloud", "elasticsearch", "opensearch"])
@pytest.mark.parametrize("shards", [1, 3])
def test_candidates_do_not_depend_on_the_number_of_shards(address: str, alias: str, shards: int) -> None:
    reference, sharded = Memory(), open_engine(f"{address}?shards={shards}")
    chance = random.Random(6)
    queries = [Query({field: some_terms(chance) for field in FIELDS}) for _ in range(100)]
    queries += [Query({"title": ["preface"]}), Query({"title": ["w 3"]}), Query({"title": ["preface", "w 1"]})]
    try:
        for engine in (reference, sharded):
            engine.create(alias)
            engine.write(alias, map(Put, documents()))
            engine.commit(alias)
        expected, found = (engine.search(alias, queries, LIMIT) for engine in (reference, sharded))
        for ours, theirs in zip(found, expected, strict=True):
            assert [hit.id for hit in ours] == [hit.id for hit in theirs]
            assert [hit.score for hit in ours] == pytest.approx([hit.score for hit in theirs], rel=2e-4)
    finally:
        sharded.drop(alias)
        sharded.close()
