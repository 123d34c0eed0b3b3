"""What is said to Solr and what it answers, word for word."""

from bibfold.engines import solr_wire as wire
from bibfold.engines.base import Query
from bibfold.engines.server_hits import ServerHit
from bibfold.engines.solr_client import Refused, error_for, message
from bibfold.errors import EngineError, EngineUnavailable, IndexMissing


def test_a_query_names_fields_and_quotes_terms() -> None:
    query = Query({"identifier": ["doi:10.1/(2)"], "title": ["new york", 'a "b" \\c'], "also": []})
    assert wire.clauses(query) == 'title:("new york" "a \\"b\\" \\\\c") identifier:("doi:10.1/(2)")'


def test_a_query_without_terms_is_empty() -> None:
    assert wire.clauses(Query({"title": [], "also": ["half \ud800"]})) == ""


def test_the_first_question() -> None:
    assert wire.best_search('title:("x")', 10) == {
        "query": 'title:("x")',
        "fields": ["id", "score", "record"],
        "limit": 15,
        "params": {"minExactCount": 15},
    }


def test_the_second_question() -> None:
    assert wire.tied_search('title:("x")', 10, 0.25) == {
        "query": 'title:("x")',
        "filter": ["{!frange l=0.25 cache=false}query($q)"],
        "sort": "id asc",
        "fields": ["id", "score", "record"],
        "limit": 20,
    }


def test_documents_are_asked_for_by_id() -> None:
    asked = wire.by_id(["a,b", "c d"])
    assert asked["query"] == '{!terms f=id separator="␟␞␟" v=$listed}'
    assert asked["params"] == {"listed": "a,b␟␞␟c d"}
    assert asked["limit"] == 2


def test_hits_are_read() -> None:
    answer = b'{"response":{"numFound":2,"start":0,"docs":[{"id":"a","score":1.234567,"record":"{}"}]}}'
    assert wire.hits(answer) == [ServerHit(1.2346, "a", "{}")]
    assert wire.count(answer) == 2


def test_a_page_of_ids_is_read() -> None:
    answer = b'{"response":{"numFound":2,"docs":[{"id":"a"},{"id":"b"}]},"nextCursorMark":"AoE"}'
    assert wire.page_of_ids(answer) == (["a", "b"], "AoE")


def test_the_answering_cores_are_read() -> None:
    answer = (
        b'{"shards.info":{"http://a/s1/|http://b/s1/":{"shardAddress":"http://b/s1"},"http://a/s2/":{"error":"x"}}}'
    )
    assert wire.answering_cores(answer) == {"http://b/s1", ""}


def test_statuses_become_errors() -> None:
    body = b'{"error":{"msg":"too many clauses","code":400}}'
    kinds = {status: type(error_for("http://a/solr", "i", status, body)) for status in (400, 401, 404, 429, 500, 503)}
    assert kinds == {
        400: Refused,
        401: EngineError,
        404: IndexMissing,
        429: EngineUnavailable,
        500: EngineError,
        503: EngineUnavailable,
    }
    assert str(error_for("http://a/solr", "i", 400, body)) == "Solr at http://a/solr, i (400): too many clauses"
    assert message(b"<html>") == "no reason given"
