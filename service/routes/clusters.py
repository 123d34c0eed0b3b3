"""Routes that read the catalogue: clusters with their events, records, identifiers, statistics."""

from io import BytesIO
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.params import FromPath, QueryParameter

from bibfold.catalogue.views import ClusterData, EventData, Statistics, cluster_data, event_list, statistics
from bibfold.errors import NotFound
from bibfold.records.formats import writer
from bibfold.records.native import from_native
from service.bodies import accepted_format
from service.serving import Served

Limit = Annotated[int, QueryParameter(ge=1, le=1_000, description="Maximum number of entries.")]


class ClusterAnswer(ClusterData):
    """A cluster, and the id that was asked for: another one where that was merged into it."""

    asked: str


@get("/v1/clusters/{name:str}", tags=["clusters"], sync_to_thread=True)
def cluster(request: Request[Any, Any, Any], name: FromPath[str], serving: Served) -> Response[Any]:
    """A cluster: its canonical record with the provenance of each field, and its members.

    A merged id answers with the cluster that remains. `Accept` may ask for BibTeX, RIS or another format that bibfold
    writes, by its content type: then the answer is the canonical record alone.
    """
    with serving.catalogue.reading() as read:
        data = cluster_data(read, name)
    for media in _accepted(request):
        if format := accepted_format(media):
            out = BytesIO()
            writer(format)([from_native(data["canonical"], "bibfold", data["cluster"])], out)
            return Response(out.getvalue(), media_type=media)
    return Response(ClusterAnswer(**data, asked=name))


@get("/v1/clusters/{name:str}/events", tags=["clusters"], sync_to_thread=True)
def cluster_events(name: FromPath[str], serving: Served, limit: Limit = 50) -> list[EventData]:
    """What happened to a cluster and to those that were merged into it, newest first."""
    with serving.catalogue.reading() as read:
        return list(event_list(read, name, limit))


@get("/v1/records/{source:str}/{id:path}", tags=["records"], sync_to_thread=True)
def record(source: FromPath[str], id: FromPath[str], serving: Served) -> ClusterAnswer:
    """The cluster that holds a record, which is among its members as it was received."""
    key = f"{source}:{id.removeprefix('/')}"
    with serving.catalogue.reading() as read:
        if not read.stored([key]):
            raise NotFound(f"no record {key!r} here")
        return ClusterAnswer(**cluster_data(read, key), asked=key)


@get("/v1/stats", tags=["catalogue"], sync_to_thread=True)
def stats(serving: Served) -> Statistics:
    """How much the catalogue holds, and by which settings."""
    with serving.catalogue.reading() as read:
        return statistics(read)


def _accepted(request: Request[Any, Any, Any]) -> list[str]:
    """The content types that a request accepts, best first, up to where JSON is as good."""
    accepted = [str(media) for media in request.accept]
    return accepted[: accepted.index("application/json")] if "application/json" in accepted else accepted
