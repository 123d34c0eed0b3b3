"""What is said to Solr and what it answers, as values: no connection is needed to read this."""

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import msgspec

from bibfold.engines.base import FIELDS, Document, Query, rounded
from bibfold.engines.server_hits import ServerHit, document, request_size, unencodable

SEPARATOR = "␟␞␟"
"""Between the ids in a list of them; no id holds this."""

STORED = ["id", *FIELDS, "record"]


D = TypeVar("D")


class Response(msgspec.Struct, Generic[D], gc=False):
    """The part of an answer that holds the documents."""

    count: int = msgspec.field(name="numFound")
    docs: list[D]


class Answer(msgspec.Struct, Generic[D], gc=False):
    """The documents in an answer, how many there are in all, and where to go on."""

    response: Response[D]
    next: str = msgspec.field(default="", name="nextCursorMark")


class Shard(msgspec.Struct):
    """Which core answered for a shard."""

    address: str = msgspec.field(name="shardAddress", default="")


class ShardsInfo(msgspec.Struct):
    """The answer to a search that says which cores took part."""

    shards: dict[str, Shard] = msgspec.field(name="shards.info")


_read = msgspec.json.Decoder(Answer[dict[str, Any]]).decode
_read_hits = msgspec.json.Decoder(Answer[ServerHit]).decode
_read_shards = msgspec.json.Decoder(ShardsInfo).decode


def clauses(query: Query) -> str:
    """The query in Solr's language: any of the terms, each quoted and so taken whole; empty without any."""
    parts = []
    for field in FIELDS:
        terms = [_quoted(term) for term in query.terms.get(field, ()) if not unencodable([term])]
        if terms:
            parts.append(f"{field}:({' '.join(terms)})")
    return " ".join(parts)


def best_search(asked: str, limit: int) -> dict[str, Any]:
    """Ask for the first hits by score; Solr may stop counting, and looking, once it has them."""
    return {
        "query": asked,
        "fields": ["id", "score", "record"],
        "limit": request_size(limit),
        "params": {"minExactCount": request_size(limit)},
    }


def tied_search(asked: str, limit: int, least: float) -> dict[str, Any]:
    """Ask for the first hits by id of those with at least this score; fewer than the limit have a better one."""
    return {
        "query": asked,
        "filter": [f"{{!frange l={least!r} cache=false}}query($q)"],
        "sort": "id asc",
        "fields": ["id", "score", "record"],
        "limit": 2 * limit,
    }


def by_id(ids: Iterable[str]) -> dict[str, Any]:
    """Ask for documents by their ids."""
    sendable = [id for id in ids if not unencodable([id])]
    return {
        "query": f"{{!terms f=id separator={_quoted(SEPARATOR)} v=$listed}}",
        "fields": STORED,
        "limit": len(sendable),
        "params": {"listed": SEPARATOR.join(sendable)},
    }


def all_ids(page: int, mark: str) -> dict[str, Any]:
    """Ask for a page of all ids."""
    return {"query": "*:*", "fields": ["id"], "sort": "id asc", "limit": page, "params": {"cursorMark": mark}}


COUNT = {"query": "*:*", "limit": 0}

LEADERS = {
    **COUNT,
    "params": {"shards.info": "true", "shards.preference": "replica.leader:true", "shortCircuit": "false"},
}
"""Ask the leader of every shard, or another replica where it is away."""


def hits(answer: bytes) -> list[ServerHit]:
    """The hits in an answer."""
    return [ServerHit(rounded(hit.score), hit.id, hit.record) for hit in _read_hits(answer).response.docs]


def documents(answer: bytes) -> list[Document]:
    """The documents in an answer."""
    return [document(doc) for doc in _read(answer).response.docs]


def page_of_ids(answer: bytes) -> tuple[list[str], str]:
    """The ids in an answer, and the mark of the next page."""
    read = _read(answer)
    return [doc["id"] for doc in read.response.docs], read.next


def count(answer: bytes) -> int:
    """How many documents an answer is about."""
    return _read(answer).response.count


def answering_cores(answer: bytes) -> set[str]:
    """The addresses of the cores that took part in a search."""
    return {shard.address.rstrip("/") for shard in _read_shards(answer).shards.values()}


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
