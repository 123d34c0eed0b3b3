"""Routes that change the catalogue: records, decisions, merges, splits. Each is a command in the catalogue's queue."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, delete, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from bibfold.catalogue.queue import Queued
from bibfold.records.native import encode as encode_record
from ingest.commands import Command, Decide, Delete, Fold, Merge, Split, Undo
from service.access import Person
from service.bodies import records_of
from service.documented import RecordsBody
from service.errors import Refused
from service.serving import Served, Serving

Wait = Annotated[float, QueryParameter(ge=0, le=60, description="Seconds to wait for the answer.")]
WAIT = 30.0


class Ticket(msgspec.Struct, frozen=True):
    """A command in the queue: `waiting`, `done` or `failed`, and its answer."""

    ticket: int
    state: Literal["waiting", "done", "failed"]
    answer: dict[str, Any] | None


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's word on two records, named as source:id."""

    a: str
    b: str
    verdict: Literal["same", "different"]
    note: str = ""


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two records, named as source:id."""

    a: str
    b: str


class Leaving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Records that leave a cluster."""

    records: tuple[str, ...]
    note: str = ""


class Joining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clusters that become one, each named by its id or by a record."""

    clusters: tuple[str, ...]
    note: str = ""


@post("/v1/records", operation_class=RecordsBody, scope="write", status_code=202, tags=["records"])
async def add_records(request: Request[Any, Any, Any], serving: Served, wait: Wait = 0) -> Response[Ticket]:
    """Fold records into the catalogue; a ticket tells when they are folded and can be found.

    The body is as for a lookup; records that name no source get the name of the token. They are durable when the answer
    comes, whatever happens to the service.
    """
    person: Person = request.state.person
    records = records_of(await request.body(), request.headers.get("content-type", ""), person.name)
    command = Fold(tuple(msgspec.Raw(encode_record(record)) for record in records))
    return await _asked(serving, command, person, wait)


@delete("/v1/records/{source:str}/{id:path}", scope="write", status_code=200, tags=["records"])
async def delete_record(
    request: Request[Any, Any, Any], source: FromPath[str], id: FromPath[str], serving: Served, wait: Wait = WAIT
) -> Response[Ticket]:
    """Delete a record: the same content stays deleted when it comes again, newer content brings it back."""
    command = Delete((f"{source}:{id.removeprefix('/')}",))
    return await _asked(serving, command, request.state.person, wait)


@get("/v1/tickets/{number:int}", tags=["records"])
async def ticket(number: FromPath[int], serving: Served, wait: Wait = 0) -> Ticket:
    """What became of a command."""
    return _ticket(await serving.writer.answered(number, wait))


@post("/v1/decisions", scope="review", status_code=200, tags=["review"])
async def decide(
    request: Request[Any, Any, Any], data: JSONBody[Decision], serving: Served, wait: Wait = WAIT
) -> Response[Ticket]:
    """Decide whether two records are the same work, for good; clusters are merged or split accordingly."""
    return await _asked(serving, Decide(data.a, data.b, data.verdict, data.note), request.state.person, wait)


@post("/v1/decisions/undo", scope="review", status_code=200, tags=["review"])
async def undo(
    request: Request[Any, Any, Any], data: JSONBody[Pair], serving: Served, wait: Wait = WAIT
) -> Response[Ticket]:
    """Take back what was decided of two records; 409 where something has come to depend on it."""
    return await _asked(serving, Undo(data.a, data.b), request.state.person, wait)


@post("/v1/clusters/{name:str}/split", scope="review", status_code=200, tags=["review"])
async def split(
    request: Request[Any, Any, Any], name: FromPath[str], data: JSONBody[Leaving], serving: Served, wait: Wait = WAIT
) -> Response[Ticket]:
    """Move records out of a cluster into one of their own, for good."""
    return await _asked(serving, Split(name, data.records, data.note), request.state.person, wait)


@post("/v1/clusters/merge", scope="review", status_code=200, tags=["review"])
async def merge(
    request: Request[Any, Any, Any], data: JSONBody[Joining], serving: Served, wait: Wait = WAIT
) -> Response[Ticket]:
    """Make clusters one, for good; the oldest id remains."""
    return await _asked(serving, Merge(data.clusters, data.note), request.state.person, wait)


async def _asked(serving: Serving, command: Command, person: Person, wait: float) -> Response[Ticket]:
    """Queue a command and wait for its answer: 200 when it is done, 202 while it waits, 409 where it cannot be done."""
    queued = await carried_out(serving, command, person, wait)
    return Response(_ticket(queued), status_code=202 if queued.state == "waiting" else 200)


async def carried_out(serving: Serving, command: Command, person: Person, wait: float) -> Queued:
    """What became of a command; raises Refused where it could not be carried out."""
    queued = await serving.writer.answered(serving.writer.enqueue(command, person.name), wait)
    if queued.state == "failed":
        message = msgspec.json.decode(queued.answer or b"{}").get("error", "it could not be done")
        raise Refused(404 if message.startswith("no ") else 409, message)
    return queued


def _ticket(queued: Queued) -> Ticket:
    answer = msgspec.json.decode(queued.answer, type=dict[str, Any]) if queued.answer else None
    return Ticket(queued.no, queued.state, answer)
