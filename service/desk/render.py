"""Pages as HTML: templates whose values are always text, never markup, and the session that each belongs to."""

from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Request, Response
from litestar.datastructures import Cookie
from litestar.enums import MediaType

from service.access import COOKIE, LOCAL, SESSION_SECONDS, Access, Session
from service.desk.differences import marked

_TEMPLATES: Final = Environment(
    loader=PackageLoader("service.desk"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _as_text(value: Any) -> str:
    """A field's value as one text."""
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


_TEMPLATES.globals |= {"marked": marked, "as_text": _as_text}


def root_of(request: Request[Any, Any, Any]) -> str:
    """The path that the service is served under; empty for the root."""
    return str(request.scope.get("root_path", "")).rstrip("/")


def session_of(request: Request[Any, Any, Any]) -> Session | None:
    """The session that a browser has; where the service is open, one is begun for whoever comes."""
    access: Access = request.app.state.access
    session = access.session(request.cookies.get(COOKIE, ""))
    return session or (access.begin_session(LOCAL) if access.open() else None)


def page(request: Request[Any, Any, Any], name: str, status: int = 200, **values: Any) -> Response[str]:
    """A page of the desk; a browser without a session is given one."""
    access: Access = request.app.state.access
    session = session_of(request)
    html = _TEMPLATES.get_template(f"{name}.html").render(
        root=root_of(request),
        page=name,
        person=session.person.name if session else "",
        scopes=session.person.scopes if session else frozenset(),
        form_secret=access.form_secret(session) if session else "",
        **values,
    )
    cookies = [session_cookie(request, session)] if session and session.id != request.cookies.get(COOKIE) else []
    return Response(html, status_code=status, media_type=MediaType.HTML, cookies=cookies)


def session_cookie(request: Request[Any, Any, Any], session: Session) -> Cookie:
    """The cookie of a session: out of reach of scripts, and not sent along from other sites."""
    return Cookie(
        COOKIE,
        value=session.id,
        path=root_of(request) or "/",
        max_age=SESSION_SECONDS,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
