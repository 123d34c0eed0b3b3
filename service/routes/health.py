"""Routes for those who watch the service: is it alive, and can it answer."""

import asyncio

from litestar import Response, get

from bibfold.catalogue.queue import count_waiting
from bibfold.records.model import Record
from service.serving import Served

_PROBE = Record(source="probe", id="1", identifiers={"doi": ("10.1000/probe",)})


@get("/healthz", tags=["health"], scope=None, sync_to_thread=False)
def alive() -> dict[str, str]:
    """Whether the process is alive."""
    return {"status": "ok"}


@get("/readyz", tags=["health"], scope=None)
async def ready(serving: Served) -> dict[str, str]:
    """Whether a lookup is answered now; 503 with the reason where it is not."""
    await asyncio.wrap_future(serving.lookups.ask([_PROBE], lambda answer: answer.decision))
    return {"status": "ok"}


@get("/metrics", tags=["health"], sync_to_thread=True)
def metrics(serving: Served) -> Response[bytes]:
    """Figures for Prometheus: requests, how long they took, what waits."""
    with serving.catalogue.reading() as read:
        queued = count_waiting(read)
    return Response(serving.metrics.text(serving.lookups.waiting, queued), media_type="text/plain; version=0.0.4")
