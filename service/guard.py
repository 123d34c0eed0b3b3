"""What every request must pass before any route sees it: its host and origin, its size, its pace; and what every
answer carries: an id, and headers that keep a browser from doing more than it should."""

import asyncio
import re
import time
from secrets import token_hex
from typing import Any, Final

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.errors import Refused, encoded
from service.metrics import Metrics
from service.rates import Rates

HEADERS: Final = (
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
TOKEN_PATH: Final = "/reconcile/t/"
"""What comes before a token in the reconciliation address."""

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one request may take: bytes of its body, seconds to send it, seconds for the answer."""

    body: int = 16_000_000
    sending: float = 30.0
    answering: float = 60.0
    rate: float = 0.0
    """Requests a second from one address, several seconds' worth at once; 0 for any number."""


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], limits: Limits, metrics: Metrics) -> None:
        self._app = app
        self._hosts = hosts
        self._limits = limits
        self._metrics = metrics
        self._rates = Rates(limits.rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"")
        identifier = given.decode() if _REQUEST_ID.fullmatch(given) else token_hex(8)
        scope.setdefault("state", {})["request_id"] = identifier
        answer = _Answer(send, identifier)
        started = time.monotonic()
        try:
            await self._passed(scope, receive, answer, headers)
        finally:
            self._metrics.answered(scope["method"], answer.status, time.monotonic() - started)

    async def _passed(self, scope: HTTPScope, receive: Receive, answer: "_Answer", headers: dict[bytes, bytes]) -> None:
        client = scope["client"][0] if scope["client"] else ""
        if not self._rates.allow(client):
            await answer.refuse(429, f"more than {self._limits.rate:g} requests a second; wait a moment")
            return
        if refusal := self._refusal(scope["method"], headers):
            await answer.refuse(*refusal)
            return
        if scope["path"].startswith(TOKEN_PATH):
            _take_token(scope)
        body = _Body(receive, self._limits)
        try:
            async with asyncio.timeout(self._limits.sending + self._limits.answering):
                await self._app(scope, body.receive, answer.send)
        except TimeoutError:
            await answer.refuse(503, "the answer took too long; ask for less, or try again")

    def _refusal(self, method: str, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        """Why a request is refused by its headers alone, if it is."""
        host = headers.get(b"host", b"").decode("latin-1").lower()
        name = host.rpartition(":")[0] if re.search(r":\d+$", host) else host
        if self._hosts and name not in self._hosts:
            return 421, f"host {name!r} is not served here"
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        if method not in _SAFE and origin and origin.partition("://")[2] != host:
            return 403, f"requests from pages of {origin!r} are refused"
        if headers.get(b"content-encoding", b"identity") != b"identity":
            return 415, "the body is compressed; send it as it is"
        length = headers.get(b"content-length", b"0")
        if not length.isdigit():
            return 400, "Content-Length is not a number"
        if int(length) > self._limits.body:
            return 413, f"the body is larger than {self._limits.body} bytes"
        return None


def _take_token(scope: HTTPScope) -> None:
    """Read a token in the reconciliation address as if it had come in a header: OpenRefine sends none."""
    secret, slash, rest = scope["path"].removeprefix(TOKEN_PATH).partition("/")
    root = f"{TOKEN_PATH}{secret}"
    scope["path"] = f"/reconcile{slash}{rest}"
    scope["raw_path"] = scope["path"].encode()
    others = [header for header in scope["headers"] if header[0] != b"authorization"]
    scope["headers"] = [*others, (b"authorization", f"Bearer {secret}".encode())]
    scope["state"]["reconcile"] = root


class _Body:
    """Hands a request's body on, no larger and no slower than the limits allow."""

    def __init__(self, receive: Receive, limits: Limits) -> None:
        self._receive = receive
        self._limits = limits
        self._size = 0
        self._whole = False

    async def receive(self) -> Any:
        """The next part of the body; once it is whole, word that the client has gone."""
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout(self._limits.sending):
                message: Any = await self._receive()
        except TimeoutError:
            raise Refused(408, f"the body did not arrive within {self._limits.sending:g} seconds") from None
        if message["type"] == "http.request":
            self._size += len(message.get("body", b""))
            self._whole = not message.get("more_body", False)
            if self._size > self._limits.body:
                raise Refused(413, f"the body is larger than {self._limits.body} bytes")
        return message


class _Answer:
    """Sends an answer with the headers that all have, unless one is under way already."""

    def __init__(self, send: Send, identifier: str) -> None:
        self._send = send
        self._identifier = identifier
        self.status = 0

    async def send(self, message: Message) -> None:
        """Send a part of an answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = list(message["headers"])
            names = {name.lower() for name, _ in own}
            headers = [*own, (b"x-request-id", self._identifier.encode())]
            headers += [header for header in HEADERS if header[0] not in names]
            await self._send({**message, "headers": headers})
        else:
            await self._send(message)

    async def refuse(self, status: int, message: str) -> None:
        """Answer with an error."""
        if self.status:
            return
        body = encoded(status, message, self._identifier)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if status in (429, 503):
            headers.append((b"retry-after", b"1"))
        start: Any = {"type": "http.response.start", "status": status, "headers": headers}
        await self.send(start)
        end: Any = {"type": "http.response.body", "body": body, "more_body": False}
        await self.send(end)
