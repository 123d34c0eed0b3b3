"""The review desk: doubtful pairs side by side, settled by a key, and changes of clusters by hand."""

from typing import Any
from urllib.parse import quote

import msgspec
from litestar import Request, Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from bibfold.catalogue.reviews import OpenReview, count_open, doubt, open_reviews
from bibfold.catalogue.rows import cluster_id
from bibfold.catalogue.store import Catalogue
from bibfold.errors import BibfoldError
from bibfold.records.native import to_native
from ingest.commands import Command, Decide, Merge, Split, Undo
from service.desk.pages import HIDDEN, Form, check_form
from service.desk.render import page, root_of
from service.routes.changes import WAIT, carried_out
from service.serving import Served, Serving


@get("/", **HIDDEN, sync_to_thread=True)
def queue_page(request: Request[Any, Any, Any], serving: Served, after: FromQuery[int] = 0) -> Response[str]:
    """The next pair to decide, side by side; `after` were skipped."""
    return _queue(request, serving.catalogue, after, "")


@post("/review", **HIDDEN, scope="review")
async def review(request: Request[Any, Any, Any], serving: Served, data: Form) -> Response[Any]:
    """Take a person's answer, and go on to the next pair."""
    check_form(request, data)
    after = int(data["after"]) if data.get("after", "").isdecimal() else 0
    a, b, answer = data.get("a", ""), data.get("b", ""), data.get("answer", "")
    if answer == "skip":
        return Redirect(_queue_path(request, after + 1), status_code=303)
    command: Command = Undo(a, b) if answer == "undo" else Decide(a, b, "same" if answer == "same" else "different")
    try:
        await carried_out(serving, command, request.state.person, WAIT)
    except BibfoldError as error:
        return _queue(request, serving.catalogue, after, str(error))
    undone = "" if answer == "undo" else f"&last_a={quote(a)}&last_b={quote(b)}&last={quote(answer)}"
    return Redirect(_queue_path(request, after) + undone, status_code=303)


@post("/clusters/{name:str}/split", **HIDDEN, scope="review")
async def split(request: Request[Any, Any, Any], name: FromPath[str], serving: Served) -> Response[Any]:
    """Split the ticked records off."""
    form = await request.form()
    check_form(request, {"form": str(form.get("form", ""))})
    leaving = tuple(str(key) for key in form.getall("record", []))
    return await _changed(request, serving, name, Split(name, leaving))


@post("/clusters/{name:str}/merge", **HIDDEN, scope="review")
async def merge(request: Request[Any, Any, Any], name: FromPath[str], serving: Served, data: Form) -> Response[Any]:
    """Merge the cluster with another one."""
    check_form(request, data)
    return await _changed(request, serving, name, Merge((name, data.get("other", "").strip())))


async def _changed(request: Request[Any, Any, Any], serving: Serving, name: str, command: Command) -> Response[Any]:
    problem = ""
    try:
        await carried_out(serving, command, request.state.person, WAIT)
    except BibfoldError as error:
        problem = f"?problem={quote(str(error)[:500])}"
    return Redirect(f"{root_of(request)}/clusters/{quote(name)}{problem}", status_code=303)


def _queue(request: Request[Any, Any, Any], catalogue: Catalogue, after: int, problem: str) -> Response[str]:
    with catalogue.reading() as read:
        left = count_open(read)
        skipped = min(after, left)
        review = next((found for place, found in enumerate(open_reviews(read)) if place == skipped), None)
        case = None if review is None else _case(read.clusters(review.clusters), review)
    query = request.query_params
    last = {name: query.get(f"last{name}", "") for name in ("", "_a", "_b")}
    return page(request, "queue", case=case, left=left, after=skipped, last=last, problem=problem)


def _case(clusters: Any, review: OpenReview) -> dict[str, Any]:
    comparison = msgspec.json.decode(review.comparison)
    sides = []
    for key, no in zip((review.a, review.b), review.clusters, strict=True):
        cluster = clusters[no]
        record = next(member for member in cluster.members if member.key == key)
        others = [member.key for member in cluster.members if member.key != key]
        sides.append({"key": key, "cluster": cluster_id(no), "record": to_native(record), "others": others})
    return {"sides": sides, "doubt": doubt(comparison), "pairs": review.pairs, "comparison": comparison}


def _queue_path(request: Request[Any, Any, Any], after: int) -> str:
    return f"{root_of(request)}/?after={after}"
