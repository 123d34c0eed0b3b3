"""The Reconciliation API 0.2 of the W3C's community group: OpenRefine matches tables against the catalogue."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

import msgspec
from litestar import Request, Response, get, post
from litestar.enums import MediaType
from litestar.params import FromQuery

from bibfold.catalogue.views import cluster_data
from bibfold.errors import NotFound, RecordError
from bibfold.records.model import Record
from bibfold.records.native import from_native
from lookup.answers import Answer
from service.errors import Refused
from service.serving import Served, Serving

PROPERTIES: Final = {
    "authors": "Authors",
    "publication": "Journal, series or book",
    "year": "Year",
    "volume": "Volume",
    "issue": "Issue",
    "pages": "Pages",
    "edition": "Edition",
    "publisher": "Publisher",
    "language": "Language",
    "doi": "DOI",
    "isbn": "ISBN",
    "issn": "ISSN",
    "pmid": "PubMed id",
    "arxiv": "arXiv number",
    "title": "Title",
    "abstract": "Abstract",
}
"""What a column of a table may hold, and what can be fetched for a row; by its id."""

_FIELDS: Final = frozenset(PROPERTIES) & frozenset(Record.__struct_fields__)
WORK: Final = {"id": "work", "name": "Work"}
MOST_QUERIES: Final = 1_000
PREVIEW_HEADERS: Final = {"content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors *"}


class Query(msgspec.Struct):
    """What one row of a table says of a work."""

    query: str = ""
    limit: float = 10
    properties: list[dict[str, Any]] = []


class Extension(msgspec.Struct):
    """Which properties of which clusters are asked for."""

    ids: list[str]
    properties: list[dict[str, Any]]


@get("/reconcile", tags=["reconciliation"])
async def manifest(
    request: Request[Any, Any, Any],
    serving: Served,
    queries: FromQuery[str | None] = None,
    extend: FromQuery[str | None] = None,
) -> Response[Any]:
    """What the service can do; or answers, where `queries` or `extend` are given."""
    if queries is not None or extend is not None:
        return await _answered(serving, {"queries": queries, "extend": extend})
    address = str(request.base_url).rstrip("/")
    root = request.scope["state"].get("reconcile", "/reconcile")
    suggest = {name: {"service_url": address, "service_path": f"{root}/suggest/{name}"} for name in _SUGGESTED}
    return Response(
        {
            "versions": ["0.2"],
            "name": "bibfold",
            "identifierSpace": f"{address}/v1/clusters/",
            "schemaSpace": f"{address}/openapi.json",
            "defaultTypes": [WORK],
            "view": {"url": f"{address}/clusters/{{{{id}}}}"},
            "preview": {"url": f"{address}{root}/preview?id={{{{id}}}}", "width": 430, "height": 220},
            "suggest": suggest,
            "extend": {
                "propose_properties": {"service_url": address, "service_path": f"{root}/propose"},
                "property_settings": [],
            },
        }
    )


@post("/reconcile", tags=["reconciliation"], status_code=200)
async def reconcile(request: Request[Any, Any, Any], serving: Served) -> Response[Any]:
    """Match the rows of a table (`queries`), or fetch properties of clusters (`extend`), given as a form."""
    form = await request.form()
    return await _answered(serving, {name: form.get(name) for name in ("queries", "extend")})


@get("/reconcile/suggest/entity", tags=["reconciliation"])
async def suggest_entity(serving: Served, prefix: FromQuery[str]) -> dict[str, Any]:
    """Clusters whose title is near to what was typed so far."""
    record = Record(source="reconcile", id="1", title=prefix)
    (found,) = await asyncio.wrap_future(serving.lookups.ask([record], _candidates))
    return {"result": [{"id": item["id"], "name": item["name"], "notable": [WORK]} for item in found]}


@get("/reconcile/suggest/property", tags=["reconciliation"], sync_to_thread=False)
def suggest_property(prefix: FromQuery[str] = "") -> dict[str, Any]:
    """Properties whose name holds what was typed so far."""
    return {"result": [entry for entry in _properties(PROPERTIES) if prefix.lower() in entry["name"].lower()]}


@get("/reconcile/suggest/type", tags=["reconciliation"], sync_to_thread=False)
def suggest_type(prefix: FromQuery[str] = "") -> dict[str, Any]:
    """Types whose name holds what was typed so far: there is one, the work."""
    return {"result": [WORK] if prefix.lower() in "work" else []}


@get("/reconcile/propose", tags=["reconciliation"], sync_to_thread=False)
def propose(type: FromQuery[str] = "work", limit: FromQuery[int] = 20) -> dict[str, Any]:
    """Properties that can be fetched for the rows of a table."""
    return {"type": type, "properties": _properties(PROPERTIES)[:limit], "limit": limit}


@get("/reconcile/preview", tags=["reconciliation"], sync_to_thread=True)
def preview(id: FromQuery[str], serving: Served) -> Response[str]:
    """A few lines about a cluster, as HTML, for a frame of 430 by 220 pixels."""
    with serving.catalogue.reading() as read:
        data = cluster_data(read, id)
    record = data["canonical"]
    lines = [
        f"<h1>{escape(record.get('title', data['cluster']))}</h1>",
        f"<p>{escape('; '.join(record.get('authors', [])[:8]))}</p>",
        f"<p>{escape(' '.join(str(record[name]) for name in ('publication', 'year') if record.get(name)))}</p>",
        f"<p>{escape(data['cluster'])}, {len(data['records'])} records</p>",
    ]
    page = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(id)}</title>{"".join(lines)}</html>'
    return Response(page, media_type=MediaType.HTML, headers=PREVIEW_HEADERS)


_SUGGESTED: Final = ("entity", "property", "type")


async def _answered(serving: Serving, given: Mapping[str, Any]) -> Response[Any]:
    if given["queries"] is not None:
        return Response(await _matched(serving, _decoded(given["queries"], dict[str, Query])))
    if given["extend"] is not None:
        return Response(await asyncio.to_thread(_extended, serving, _decoded(given["extend"], Extension)))
    raise Refused(400, "a form with `queries` or `extend` was expected")


def _decoded(text: Any, shape: Any) -> Any:
    try:
        return msgspec.json.decode(str(text), type=shape)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise Refused(400, f"not what the Reconciliation API 0.2 describes: {error}") from None
    except RecursionError:
        raise Refused(400, "nested too deeply") from None


async def _matched(serving: Serving, queries: Mapping[str, Query]) -> dict[str, Any]:
    if len(queries) > MOST_QUERIES:
        raise Refused(413, f"more than {MOST_QUERIES} queries at once; send them in several requests")
    if not queries:
        return {}
    records = [_record(query, name) for name, query in queries.items()]
    found = await asyncio.wrap_future(serving.lookups.ask(records, _candidates))
    return {
        name: {"result": candidates[: max(0, int(query.limit))]}
        for (name, query), candidates in zip(queries.items(), found, strict=True)
    }


def _record(query: Query, name: str) -> Record:
    """The record that a row of a table describes; what is no field is an identifier of that kind."""
    data: dict[str, Any] = {"title": query.query}
    identifiers: dict[str, list[str]] = {}
    for entry in query.properties:
        kind, values = str(entry.get("pid", "")), _texts(entry.get("v"))
        if kind == "authors":
            data["authors"] = [name.strip() for text in values for name in text.split(";") if name.strip()]
        elif kind in _FIELDS:
            data[kind] = " ".join(values)
        elif kind in PROPERTIES:
            identifiers[kind] = values
    try:
        return from_native({**data, "identifiers": identifiers}, "reconcile", name or "1")
    except RecordError as error:
        raise Refused(400, f"query {name}: {error.reason}") from None


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [str(item.get("name") or item.get("id")) if isinstance(item, dict) else str(item) for item in values]


def _candidates(answer: Answer) -> list[dict[str, Any]]:
    return [
        {
            "id": candidate.cluster,
            "name": candidate.record.title or candidate.cluster,
            "description": _description(candidate.record),
            "type": [WORK],
            "score": round(100 * candidate.score, 2),
            "match": candidate.decision == "same",
            "features": [
                {"id": found.field, "value": round(found.score, 4)} for found in candidate.comparison.evidence
            ],
        }
        for candidate in answer.candidates
    ]


def _description(record: Record) -> str:
    parts = ["; ".join(record.authors[:3]), record.publication, str(record.year or "")]
    return ", ".join(part for part in parts if part)


def _extended(serving: Serving, extension: Extension) -> dict[str, Any]:
    names = [str(entry.get("id", "")) for entry in extension.properties]
    rows: dict[str, Any] = {}
    with serving.catalogue.reading() as read:
        for id in dict.fromkeys(extension.ids[:MOST_QUERIES]):
            try:
                record = cluster_data(read, id)["canonical"]
            except NotFound:
                record = {}
            rows[id] = {name: _cells(record, name) for name in names}
    return {"meta": _properties(names), "rows": rows}


def _cells(record: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    value = record.get(name) if name in _FIELDS else record.get("identifiers", {}).get(name)
    values: Sequence[Any] = value if isinstance(value, list | tuple) else [] if value is None else [value]
    return [{"int": item} if isinstance(item, int) else {"str": str(item)} for item in values]


def _properties(names: Iterable[str]) -> list[dict[str, str]]:
    return [{"id": name, "name": PROPERTIES.get(name, name)} for name in names]
