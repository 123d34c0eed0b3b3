"""Signing in and out: a browser that shows a token is given a session in its place."""

from typing import Any

from litestar import Request, Response, get, post
from litestar.response import Redirect

from service.access import COOKIE, Access
from service.desk.pages import HIDDEN, Form, check_form
from service.desk.render import page, root_of, session_cookie


@get("/login", **HIDDEN, scope=None, sync_to_thread=False)
def login_page(request: Request[Any, Any, Any]) -> Response[str]:
    """A field for a token."""
    return page(request, "login", problem="")


@post("/login", **HIDDEN, scope=None, sync_to_thread=True)
def login(request: Request[Any, Any, Any], data: Form) -> Response[Any]:
    """Begin a session, or ask again."""
    access: Access = request.app.state.access
    person = access.by_token(data.get("token", "").strip())
    if person is None:
        return page(request, "login", status=403, problem="No token is like this one; was it revoked?")
    session = access.begin_session(person)
    return Redirect(f"{root_of(request)}/", status_code=303, cookies=[session_cookie(request, session)])


@post("/logout", **HIDDEN, scope=None, sync_to_thread=False)
def logout(request: Request[Any, Any, Any], data: Form) -> Redirect:
    """End a session."""
    check_form(request, data)
    request.app.state.access.end_session(request.cookies.get(COOKIE, ""))
    return Redirect(f"{root_of(request)}/", status_code=303)
