"""What is said to Solr and what it answers, as values: no connection is needed to read this."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from bibfold.engines.base import FIELDS, Document, Query, rounded
from bibfold.engines.server_hits import Scored, document, fields, unencodable, wide

PARTING = "␟␞␟"
"""Between the ids in a list of them; no id holds this."""

STORED = ["id", *FIELDS, "record"]


class Answer(msgspec.Struct):
    """The documents in an answer, how many there are in all, and where to go on."""

    response: "Response"
    next: str = msgspec.field(default="", name="nextCursorMark")


class Response(msgspec.Struct):
    """The part of an answer that holds the documents."""

    count: int = msgspec.field(name="numFound")
    docs: list[dict[str, Any]]


class Problem(msgspec.Struct):
    """One refused document."""

    id: str
    message: str


class Header(msgspec.Struct):
    """The part of the answer to an update that names the refused."""

    errors: list[Problem] = []


class Updated(msgspec.Struct):
    """The answer to an update."""

    header: Header = msgspec.field(name="responseHeader")


_read = msgspec.json.Decoder(Answer).decode
_read_update = msgspec.json.Decoder(Updated).decode


def clauses(query: Query) -> str:
    """The query in Solr's language: any of the terms, each quoted and so taken whole; empty without any."""
    parts = []
    for field in FIELDS:
        terms = [_quoted(term) for term in query.terms.get(field, ()) if not unencodable([term])]
        if terms:
            parts.append(f"{field}:({' '.join(terms)})")
    return " ".join(parts)


def best(asked: str, limit: int) -> dict[str, Any]:
    """Ask for the first hits by score; Solr may stop counting, and looking, once it has them."""
    return {
        "query": asked,
        "fields": ["id", "score", "record"],
        "limit": wide(limit),
        "params": {"minExactCount": wide(limit)},
    }


def tied(asked: str, limit: int, least: float) -> dict[str, Any]:
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
    wanted = [id for id in ids if not unencodable([id])]
    return {
        "query": f"{{!terms f=id separator={_quoted(PARTING)} v=$wanted}}",
        "fields": STORED,
        "limit": len(wanted),
        "params": {"wanted": PARTING.join(wanted)},
    }


def all_ids(page: int, mark: str) -> dict[str, Any]:
    """Ask for a page of all ids."""
    return {"query": "*:*", "fields": ["id"], "sort": "id asc", "limit": page, "params": {"cursorMark": mark}}


COUNT = {"query": "*:*", "limit": 0}


def hits(answer: bytes) -> list[Scored]:
    """The hits in an answer."""
    return [Scored(rounded(doc["score"]), doc["id"], doc["record"]) for doc in _read(answer).response.docs]


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


def refused(answer: bytes) -> dict[str, str]:
    """For each document that an update refused, why."""
    return {problem.id: problem.message for problem in _read_update(answer).header.errors}


def stored(documents: Sequence[Document]) -> list[dict[str, Any]]:
    """The documents as Solr takes them."""
    return [fields(one) for one in documents]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
