"""What is said to Elasticsearch or OpenSearch and what it answers, word for word."""

import pytest

from bibfold.engines import elasticsearch_wire as wire
from bibfold.engines.base import FIELDS, Document, Query
from bibfold.engines.elasticsearch_errors import Server, error_for
from bibfold.engines.server_address import Address
from bibfold.engines.server_hits import ServerHit
from bibfold.errors import EngineError, EngineUnavailable, IndexMissing
from bibfold.records.model import Record

ONE = Document("c1", {"title": ["x y"]}, Record(source="s", id="1", title="X y"))


def test_an_index_guesses_nothing_and_shows_nothing_unasked() -> None:
    body = wire.index_body(3, 1, wire.LEGACY)
    assert body["settings"] == {
        "number_of_shards": 3,
        "number_of_replicas": 1,
        "refresh_interval": "-1",
        "max_result_window": 1_000_000,
        "similarity": {"terms": {"type": "BM25", "k1": 1.2, "b": 0.75}},
    }
    assert body["mappings"]["dynamic"] == "strict"
    assert set(body["mappings"]["properties"]) == {"id", "record", *FIELDS}
    terms = {"type": "keyword", "doc_values": False, "norms": True, "similarity": "terms"}
    assert all(body["mappings"]["properties"][field] == terms for field in FIELDS)


def test_changes_are_lines() -> None:
    assert wire.operations({"c1": ONE, "gone": None, "": None, "half \ud800": None}) == (
        b'{"index":{"_id":"c1"}}\n'
        b'{"id":"c1","title":["x y"],"also":[" "],"identifier":[" "],"block":[" "],'
        b'"record":"{\\"source\\":\\"s\\",\\"id\\":\\"1\\",\\"title\\":\\"X y\\"}"}\n'
        b'{"delete":{"_id":"gone"}}\n'
    )


@pytest.mark.parametrize(
    ("id", "said"), [("", "0 bytes"), ("é" * 257, "514 bytes"), ("half \ud800", "not Unicode"), ("é" * 256, None)]
)
def test_documents_that_cannot_be_sent_are_refused(id: str, said: str | None) -> None:
    refused = wire.refusal(Document(id, {}, ONE.record))
    assert refused is None if said is None else said in (refused or "")


def test_a_query_is_any_of_its_terms() -> None:
    asked = wire.clauses(Query({"also": ["y z"], "title": ["x", "half \ud800"]}))
    assert asked == [{"term": {"title": "x"}}, {"term": {"also": "y z"}}]
    best = {
        "query": {"bool": {"should": asked}},
        "size": 15,
        "_source": ["record"],
        "track_total_hits": False,
    }
    assert wire.best_search(asked, 10) == best
    assert wire.tied_search(asked, 10, 0.5) == {
        **best,
        "size": 20,
        "min_score": 0.5,
        "sort": ["id"],
        "track_scores": True,
    }
    assert wire.searches([{"size": 1}]) == b'{"allow_partial_search_results":false}\n{"size":1}\n'


def test_hits_are_read_and_their_scores_brought_down() -> None:
    answer = {"hits": {"hits": [{"_id": "a", "_score": 2.2, "_source": {"record": "{}"}}]}, "status": 200}
    assert wire.hits(answer, wire.LEGACY.factor) == [ServerHit(1.0, "a", "{}")]


def test_failures_of_a_bulk_request_are_read() -> None:
    error = {
        "type": "document_parsing_exception",
        "reason": "failed",
        "caused_by": {"type": "t", "reason": "why" * 500},
    }
    items = [
        {"index": {"_id": "a", "status": 201}},
        {"index": {"_id": "b", "status": 400, "error": error}},
        {"delete": {"_id": "c", "status": 404, "result": "not_found"}},
    ]
    assert list(wire.failures({"errors": True, "items": items})) == ["b"]
    assert wire.reason(error).startswith("t: whywhy")
    assert len(wire.reason(error)) == wire.LONGEST_REASON


def test_statuses_become_errors() -> None:
    here = Server("Elasticsearch", Address(("http://a",)))
    block = {"error": {"type": "cluster_block_exception", "reason": "read-only"}}
    assert type(error_for(here, "i", 404, None)) is IndexMissing
    assert type(error_for(here, "i", 429, {"error": {"type": "busy"}})) is EngineUnavailable
    assert type(error_for(here, "i", 503, block)) is EngineUnavailable
    assert type(error_for(here, "i", 429, block)) is EngineError
    assert "BIBFOLD_ELASTICSEARCH_API_KEY" in str(error_for(here, "i", 401, {}))
    bad = {"error": {"type": "parse", "reason": "no"}, "status": 400}
    assert str(error_for(here, "i", 400, bad)) == "Elasticsearch at http://a, i (400): parse: no"
    long = {"type": "shard", "reason": "failed to create query: maxClauseCount is set to 1024"}
    shards = {"error": {"type": "search", "reason": "all shards failed", "root_cause": [long]}}
    assert "more terms than the server takes" in str(error_for(here, "i", 400, shards))
    refused = str(error_for(Server("OpenSearch", here.address), "i", 403, {}))
    assert "BIBFOLD_OPENSEARCH_USER" in refused
    assert "API_KEY" not in refused
