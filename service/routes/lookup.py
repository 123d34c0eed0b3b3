"""POST /v1/lookup: decision, cluster, candidates and evidence for one record or many."""

import asyncio
import time
from functools import partial
from typing import Any

import msgspec
from litestar import Request, post
from litestar.params import FromQuery

from lookup.answers import AnswerData, answer_data
from service.bodies import records_of
from service.documented import RecordsBody
from service.serving import Served


class LookedUp(msgspec.Struct, frozen=True):
    """The answer for each record, in order, and how many milliseconds they took together."""

    answers: list[AnswerData]
    milliseconds: float


@post("/v1/lookup", operation_class=RecordsBody, status_code=200, tags=["lookup"])
async def look_up(request: Request[Any, Any, Any], serving: Served, explain: FromQuery[bool] = False) -> LookedUp:
    """Look up one record, or up to 1,000: the decision, the cluster, and the candidates with their evidence.

    The body is JSON (a record or a list of records) or any format that bibfold reads, by its content type. Evidence is
    given for candidates that are the same or unsure; with `explain=true` for all of them.
    """
    started = time.monotonic()
    records = records_of(await request.body(), request.headers.get("content-type", ""))
    answers = await asyncio.wrap_future(serving.lookups.ask(records, partial(answer_data, explain=explain)))
    return LookedUp(answers, round(1000 * (time.monotonic() - started), 3))
