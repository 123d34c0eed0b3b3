"""Who asks, and whether they may: tokens in a header or in the reconciliation address, sessions of browsers."""

import hmac
import time
from collections.abc import Callable
from secrets import token_bytes, token_urlsafe
from threading import Lock
from typing import Any, Final

import msgspec
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from bibfold.catalogue.asking import SCOPES, Scope, Token, digest, standing_tokens
from bibfold.catalogue.store import Catalogue
from service.errors import Refused

COOKIE: Final = "bibfold_session"
FRESH: Final = 2.0
"""For so many seconds tokens are remembered: a revoked one is refused soon after."""

SESSION_SECONDS: Final = 12 * 3600
MOST_SESSIONS: Final = 10_000


class Person(msgspec.Struct, frozen=True):
    """Who asks: the name that decisions are recorded under, and what they may do."""

    name: str
    scopes: frozenset[Scope]


LOCAL: Final = Person("local", frozenset(SCOPES))
"""Who uses a service on the loopback address for which no token was made."""


class Session(msgspec.Struct, frozen=True):
    """A browser's session; a form is taken only with its secret."""

    id: str
    person: Person
    until: float


class Access:
    """Knows the tokens of a catalogue and the sessions of browsers."""

    def __init__(self, catalogue: Catalogue, clock: Callable[[], float] = time.monotonic) -> None:
        self._catalogue = catalogue
        self._clock = clock
        self._secret = token_bytes(32)
        self._lock = Lock()
        self._sessions: dict[str, Session] = {}
        self._tokens: list[Token] = []
        self._read_at = -FRESH

    def open(self) -> bool:
        """Whether no token was made, so that whoever reaches the service may use it."""
        return not self._standing()

    def by_token(self, secret: str) -> Person | None:
        """Who has a token; every token is compared, so that the time taken says nothing."""
        given, found = digest(secret), None
        for token in self._standing():
            if hmac.compare_digest(token.digest, given):
                found = token
        return Person(found.name, frozenset({"read", found.scope})) if found else None

    def begin_session(self, person: Person) -> Session:
        """Let a browser in."""
        session = Session(token_urlsafe(32), person, self._clock() + SESSION_SECONDS)
        with self._lock:
            if len(self._sessions) >= MOST_SESSIONS:
                self._sessions.pop(next(iter(self._sessions)))
            self._sessions[session.id] = session
        return session

    def session(self, id: str) -> Session | None:
        """The session of a cookie, if it stands."""
        session = self._sessions.get(id)
        return session if session and session.until > self._clock() else None

    def end_session(self, id: str) -> None:
        """Forget a session."""
        with self._lock:
            self._sessions.pop(id, None)

    def form_secret(self, session: Session) -> str:
        """What a form of this session must carry."""
        return hmac.digest(self._secret, session.id.encode(), "sha256").hex()

    def check_form(self, session: Session, given: str) -> None:
        """Refuse a form that another page made the browser send."""
        if not hmac.compare_digest(self.form_secret(session).encode(), given.encode(errors="replace")):
            raise Refused(403, "this form is out of date, or was not made here; open the page again")

    def _standing(self) -> list[Token]:
        if self._clock() - self._read_at >= FRESH:
            with self._catalogue.reading() as read:
                self._tokens = standing_tokens(read)
            self._read_at = self._clock()
        return self._tokens


def person_of(connection: ASGIConnection[Any, Any, Any, Any], access: Access) -> Person | None:
    """Who sends a request: by token, by session, or anybody where the service is open."""
    scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
    if scheme:
        return access.by_token(secret.strip()) if scheme.lower() == "bearer" else None
    session = access.session(connection.cookies.get(COOKIE, ""))
    if session:
        return session.person
    return LOCAL if access.open() else None


def allowed(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse a request that its sender may not make; a route names what it needs, `read` by default."""
    needed = handler.opt.get("scope", "read")
    if needed is None:
        return
    person = person_of(connection, connection.app.state.access)
    if person is None:
        raise Refused(401, "a token is needed: send it as `Authorization: Bearer TOKEN`")
    if needed not in person.scopes:
        raise Refused(403, f"the token {person.name!r} may not do this: it needs the scope {needed!r}")
    connection.state["person"] = person
