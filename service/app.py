"""The application: its routes, with what stands around all of them."""

from importlib.metadata import version
from typing import Any

from litestar import Litestar, Request, Response, get
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.types import ASGIApp

from service.errors import EXCEPTION_HANDLERS
from service.guard import Guard
from service.routes import clusters, health, lookup, reconcile, search
from service.serving import Serving


def application(serving: Serving) -> ASGIApp:
    """The service of a catalogue, as an ASGI application."""
    app = Litestar(
        route_handlers=[
            lookup.look_up,
            clusters.cluster,
            clusters.cluster_events,
            clusters.record,
            clusters.stats,
            search.search,
            search.identifier,
            reconcile.manifest,
            reconcile.reconcile,
            reconcile.suggest_entity,
            reconcile.suggest_property,
            reconcile.suggest_type,
            reconcile.propose,
            reconcile.preview,
            health.alive,
            health.ready,
            openapi_document,
        ],
        dependencies={"serving": Provide(lambda: serving, sync_to_thread=False)},
        exception_handlers=EXCEPTION_HANDLERS,
        openapi_config=OpenAPIConfig(
            title="bibfold",
            version=version("bibfold"),
            description="Looks bibliographic records up in a catalogue of folded records.",
            enabled_endpoints=set(),
        ),
        request_max_body_size=None,
    )
    options = serving.options
    return Guard(app, frozenset(options.hosts), options.limits)  # type: ignore[return-value, arg-type]


@get("/openapi.json", include_in_schema=False, sync_to_thread=False)
def openapi_document(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """The OpenAPI document."""
    return Response(request.app.openapi_schema.to_schema())
