"""The application: its routes, with what stands around all of them."""

from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from litestar import Litestar, Request, Response, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.response import Redirect
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp, ControllerRouterHandler

from service.access import Access, allowed
from service.desk import pages, review, sessions
from service.desk.render import page, root_of
from service.errors import answered, outcome
from service.guard import Guard
from service.routes import changes, clusters, health, lookup, reconcile, reviews, search
from service.serving import Serving

HEADINGS: Final = {401: "Sign in first", 403: "Not allowed", 404: "Not found", 503: "Not available now"}


def application(serving: Serving, access: Access) -> ASGIApp:
    """The service of a catalogue, as an ASGI application."""
    static = create_static_files_router(
        "/static", [Path(__file__).parent / "desk" / "static"], opt={"scope": None}, include_in_schema=False
    )
    app = Litestar(
        route_handlers=[*ROUTES, static],
        dependencies={"serving": Provide(lambda: serving, sync_to_thread=False)},
        guards=[allowed],
        state=State({"access": access}),
        exception_handlers={Exception: _failed, HTTPException: _failed},
        openapi_config=OpenAPIConfig(
            title="bibfold",
            version=version("bibfold"),
            description="Looks bibliographic records up in a catalogue of folded records.",
            render_plugins=[JsonRenderPlugin()],
        ),
        request_max_body_size=None,
    )
    options = serving.options
    return Guard(app, frozenset(options.hosts), options.limits, serving.metrics)


@get("/openapi.json", include_in_schema=False, scope=None, sync_to_thread=False)
def openapi_document(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """The OpenAPI document."""
    return Response(request.app.openapi_schema.to_schema())


ROUTES: Final[tuple[ControllerRouterHandler, ...]] = (
    lookup.look_up,
    clusters.cluster,
    clusters.cluster_events,
    clusters.record,
    clusters.stats,
    changes.add_records,
    changes.delete_record,
    changes.ticket,
    changes.decide,
    changes.undo,
    changes.split,
    changes.merge,
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
    health.metrics,
    reviews.reviews,
    openapi_document,
    review.queue_page,
    review.review,
    review.split,
    review.merge,
    pages.lookup_page,
    pages.lookup_pasted,
    pages.cluster_page,
    pages.overview_page,
    pages.docs_page,
    pages.evaluation_page,
    pages.report,
    sessions.login_page,
    sessions.login,
    sessions.logout,
)
"""Every route of the service, but for the static files."""


def _failed(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """An error as JSON; for a browser that wants a page, as a page."""
    wants_page = request.accept.best_match(["application/json", "text/html"]) == "text/html"
    if not wants_page or request.url.path.startswith(("/v1/", "/reconcile")):
        return answered(request, error)
    status, message, _ = outcome(error)
    if status == 401:
        return Redirect(f"{root_of(request)}/login", status_code=303)
    return page(request, "error", status=status, heading=HEADINGS.get(status, "That did not work"), message=message)
