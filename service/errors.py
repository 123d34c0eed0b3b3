"""What goes wrong as answers: one shape for every route, {"error": {"code", "message", "request"}}."""

import logging
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from bibfold.errors import (
    BibfoldError,
    CatalogueError,
    CatalogueLocked,
    EngineError,
    InputError,
    NotFound,
    RecordError,
    Retired,
    SettingsError,
)
from service.lookups import Busy

_log = logging.getLogger("bibfold.service")

RETRY_AFTER: Final = {"retry-after": "1"}

CODES: Final = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "timeout",
    409: "conflict",
    413: "too_large",
    415: "unsupported_media_type",
    421: "misdirected",
    422: "unprocessable",
    429: "too_many_requests",
    500: "internal_error",
    503: "unavailable",
}


class ErrorDetail(msgspec.Struct, frozen=True):
    """What went wrong: a code for programs, a sentence for people, and the request's id in the log."""

    code: str
    message: str
    request: str


class ErrorBody(msgspec.Struct, frozen=True):
    """The body of every answer that is an error."""

    error: ErrorDetail


class Refused(BibfoldError):
    """A request that is refused with a status of its own."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


STATUS: Final[tuple[tuple[type[Exception], int], ...]] = (
    (Retired, 410),
    (NotFound, 404),
    (Busy, 503),
    (CatalogueLocked, 503),
    (EngineError, 503),
    (CatalogueError, 503),
    (SettingsError, 409),
    (RecordError, 400),
    (InputError, 400),
    (BibfoldError, 400),
)
"""The status of each error of ours; the first that fits counts."""


def encoded(status: int, message: str, request: str) -> bytes:
    """The body of an error."""
    return msgspec.json.encode(ErrorBody(ErrorDetail(CODES.get(status, "error"), message, request)))


def answered(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    status, message, headers = outcome(error)
    identifier = str(request.scope.get("state", {}).get("request_id", ""))
    if status == 500:
        _log.error("request %s failed", identifier, exc_info=error)
    return Response(
        encoded(status, message, identifier), status_code=status, media_type="application/json", headers=headers
    )


def outcome(error: Exception) -> tuple[int, str, dict[str, str]]:
    """Status, message and headers for an error."""
    if isinstance(error, Refused):
        return error.status, str(error), RETRY_AFTER if error.status in (429, 503) else {}
    for kind, status in STATUS:
        if isinstance(error, kind):
            return status, str(error), RETRY_AFTER if status == 503 else {}
    if isinstance(error, ValidationException):
        found: Any = error.extra if isinstance(error.extra, list) else []
        reasons = "; ".join(f"{item.get('key', 'request')}: {item.get('message', '')}" for item in found)
        return 400, reasons or error.detail, {}
    if isinstance(error, HTTPException):
        return error.status_code, error.detail, dict(error.headers or {})
    return 500, "this is a fault of bibfold's, not of the request; the service's log says more", {}
