"""The pages that show: lookup, cluster, overview, evaluation, the API's description."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from litestar import Request, Response, get, post
from litestar.enums import MediaType
from litestar.params import FromPath, FromQuery, URLEncodedBody

from bibfold.catalogue.views import activity, cluster_data, event_list, overlaps, statistics
from bibfold.errors import BibfoldError
from bibfold.records.model import Record
from lookup.answers import AnswerData, answer_data
from service.bodies import records_of
from service.desk.graph import graph
from service.desk.render import page, session_of
from service.errors import Refused
from service.routes.search import identifiers_of
from service.serving import Served

Form = URLEncodedBody[dict[str, str]]
HIDDEN: Final[dict[str, Any]] = {"include_in_schema": False}
BAR: Final = 380
MOST_BARS: Final = 30


@get("/lookup", **HIDDEN, sync_to_thread=False)
def lookup_page(request: Request[Any, Any, Any]) -> Response[str]:
    """A field to paste a record into."""
    return page(request, "lookup", text="", answers=[], problem="")


@post("/lookup", **HIDDEN, status_code=200)
async def lookup_pasted(request: Request[Any, Any, Any], serving: Served, data: Form) -> Response[str]:
    """What is found for a pasted record, identifier or citation."""
    check_form(request, data)
    text = data.get("text", "")[:200_000]
    answers: list[AnswerData] = []
    problem = ""
    try:
        answers = await asyncio.wrap_future(serving.lookups.ask(pasted(text), answer_data))
    except BibfoldError as error:
        problem = str(error)
    return page(request, "lookup", text=text, answers=answers, problem=problem)


@get("/clusters/{name:str}", **HIDDEN, sync_to_thread=True)
def cluster_page(
    request: Request[Any, Any, Any], name: FromPath[str], serving: Served, problem: FromQuery[str] = ""
) -> Response[str]:
    """A cluster: members, canonical record, history."""
    with serving.catalogue.reading() as read:
        cluster = cluster_data(read, name)
        events = list(event_list(read, cluster["cluster"], 200))
    drawing = graph(cluster["records"], serving.layers)
    return page(request, "cluster", cluster=cluster, asked=name, events=events, graph=drawing, problem=problem)


@get("/overview", **HIDDEN, sync_to_thread=True)
def overview_page(request: Request[Any, Any, Any], serving: Served) -> Response[str]:
    """How much there is, of what, and since when."""
    with serving.catalogue.reading() as read:
        held = statistics(read)
        plots = [
            ("Records by day", activity(read)),
            ("Clusters by size", held["cluster_sizes"]),
            ("Records by source", held["sources"]),
            ("Clusters that two sources share", overlaps(read)),
        ]
    figures = [(name.replace("_", " "), value) for name, value in held.items() if isinstance(value, int)]
    return page(
        request,
        "overview",
        figures=figures,
        plots=[{"title": title, "bars": _bars(values)} for title, values in plots if values],
        options=held["options"],
    )


@get("/docs", **HIDDEN, sync_to_thread=False)
def docs_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Every route of the API, with what it takes."""
    return page(request, "docs", document=request.app.openapi_schema.to_schema())


@get("/evaluation", **HIDDEN, sync_to_thread=True)
def evaluation_page(request: Request[Any, Any, Any], serving: Served) -> Response[str]:
    """The evaluation reports at hand."""
    folder = serving.options.reports
    reports = sorted(file.name for file in folder.glob("*.html")) if folder else []
    return page(request, "evaluation", reports=reports)


@get("/reports/{name:str}", **HIDDEN, sync_to_thread=True)
def report(name: FromPath[str], serving: Served) -> Response[bytes]:
    """One evaluation report, which may run no script."""
    folder = serving.options.reports
    if folder is None or Path(name).name != name or not (file := folder / name).is_file() or file.suffix != ".html":
        raise Refused(404, f"no report {name!r} here")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
    headers = {"content-security-policy": policy}
    return Response(file.read_bytes(), media_type=MediaType.HTML, headers=headers)


def pasted(text: str) -> list[Record]:
    """The records of a text that a person pasted: a record of any format, an identifier, or else a citation."""
    stripped = text.strip()
    if not stripped:
        raise Refused(422, "paste something to look for")
    if named := identifiers_of(stripped):
        return [Record(source="pasted", id="1", identifiers=named)]
    try:
        return records_of(stripped.encode(errors="replace"), "text/plain", "pasted")
    except Refused as refusal:
        if stripped[0] in "{[<@" or refusal.status != 400 or "\n" in stripped:
            raise
        return [Record(source="pasted", id="1", title=stripped)]


def check_form(request: Request[Any, Any, Any], data: Mapping[str, str]) -> None:
    """Refuse a form that this service did not give to this browser."""
    session = session_of(request)
    if session is None:
        raise Refused(401, "sign in first")
    request.app.state.access.check_form(session, data.get("form", ""))


def _bars(values: Mapping[str, int]) -> list[dict[str, Any]]:
    most = max(values.values())
    return [
        {"label": label, "value": value, "width": max(1, round(BAR * value / most))}
        for label, value in list(values.items())[-MOST_BARS:]
    ]
