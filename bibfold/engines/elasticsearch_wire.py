"""What is said to Elasticsearch or OpenSearch and what it answers, as values: no connection is needed to read this."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from bibfold.engines.base import FIELDS, K1, B, Document, Query, rounded
from bibfold.engines.server_hits import ServerHit, document, fields, request_size, unencodable

LONGEST_ID = 512
"""In bytes; the server refuses a whole batch for one longer id."""

LONGEST_REASON = 300
"""Some reasons hold the whole document."""

_encode = msgspec.json.Encoder().encode


class Scoring(NamedTuple):
    """How a version of the server scores: by how much more than the contract, and what a searched field must say."""

    factor: float
    field: Mapping[str, Any]


LEGACY = Scoring(1 + K1, {})
"""Elasticsearch and OpenSearch 2 keep a factor that Lucene has dropped since."""

OPENSEARCH_3 = Scoring(1.0, {"use_similarity": True})
"""OpenSearch 3 scores as Lucene does, and keywords only where the mapping says so."""


def index_body(shards: int, replicas: int, scoring: Scoring) -> dict[str, Any]:
    """Settings and mapping of a new index: nothing is guessed, nothing is shown before it is asked for."""
    terms = {"type": "keyword", "doc_values": False, "norms": True, "similarity": "terms", **scoring.field}
    stored = {"type": "keyword", "doc_values": False, "index": False}
    properties: dict[str, Any] = {"id": {"type": "keyword", "index": False}, "record": stored}
    return {
        "settings": {
            "number_of_shards": shards,
            "number_of_replicas": replicas,
            "refresh_interval": "-1",
            "max_result_window": 1_000_000,
            "similarity": {"terms": {"type": "BM25", "k1": K1, "b": B}},
        },
        "mappings": {"dynamic": "strict", "properties": properties | dict.fromkeys(FIELDS, terms)},
    }


def refusal(document: Document) -> str | None:
    """Why a document cannot be sent, if it cannot."""
    try:
        size = len(document.id.encode())
        _encode((document.terms, document.record))
    except UnicodeEncodeError as error:
        return f"not Unicode text: {error}"
    if not 0 < size <= LONGEST_ID:
        return f"the id has {size} bytes, it may have 1 to {LONGEST_ID}"
    return None


def operations(last: Mapping[str, Document | None]) -> bytes:
    """The lines of a bulk request that bring documents to this state."""
    lines = []
    for id, replacement in last.items():
        if replacement is not None:
            lines += [_encode({"index": {"_id": id}}), _encode(fields(replacement))]
        elif not unencodable([id]) and 0 < len(id.encode()) <= LONGEST_ID:
            lines.append(_encode({"delete": {"_id": id}}))
    return b"".join(line + b"\n" for line in lines)


def clauses(query: Query) -> list[dict[str, Any]]:
    """Any of the query's terms."""
    return [
        {"term": {field: term}} for field in FIELDS for term in query.terms.get(field, ()) if not unencodable([term])
    ]


def best_search(asked: Sequence[dict[str, Any]], limit: int) -> dict[str, Any]:
    """Ask for the first hits by score; the server need not count the rest."""
    return {
        "query": {"bool": {"should": asked}},
        "size": request_size(limit),
        "_source": ["record"],
        "track_total_hits": False,
    }


def tied_search(asked: Sequence[dict[str, Any]], limit: int, least: float) -> dict[str, Any]:
    """Ask for the first hits by id of those with at least this score; fewer than the limit have a better one."""
    return {**best_search(asked, limit), "size": 2 * limit, "min_score": least, "sort": ["id"], "track_scores": True}


def page_of_ids(page: int, after: list[str] | None) -> dict[str, Any]:
    """Ask for a page of all ids, those after the last one of the page before."""
    asked = {"size": page, "sort": ["id"], "_source": False, "stored_fields": "_none_", "track_total_hits": False}
    return {**asked, "search_after": after} if after else asked


def searches(bodies: Sequence[dict[str, Any]]) -> bytes:
    """The lines of a multi-search request; an answer from some of the shards would not be the best documents."""
    return b"".join(b'{"allow_partial_search_results":false}\n' + _encode(body) + b"\n" for body in bodies)


def hits(response: Mapping[str, Any], factor: float) -> list[ServerHit]:
    """The hits in one answer, whose scores are larger than the contract's by the factor."""
    return [
        ServerHit(rounded(hit["_score"] / factor), hit["_id"], hit["_source"]["record"])
        for hit in response["hits"]["hits"]
    ]


def documents(response: Mapping[str, Any]) -> list[Document]:
    """The documents in the answer to a request by ids."""
    return [document(doc["_source"]) for doc in response["docs"] if doc.get("found")]


def reason(error: Mapping[str, Any]) -> str:
    """An error in a few words: of a chain of causes, the last."""
    while "caused_by" in error:
        error = error["caused_by"]
    return f"{error.get('type')}: {error.get('reason')}"[:LONGEST_REASON]


def failures(response: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """For each document that a bulk request did not take, its status and error."""
    results = (result for item in response["items"] for result in item.values())
    return {result["_id"]: result for result in results if "error" in result}
