"""Talks to a Solr: asks another node where one is away, with errors that say what to do."""

import json
import ssl
import time
from base64 import b64encode
from http.client import HTTPException
from typing import Any
from urllib.parse import urlencode

import msgspec
import pysolr

from bibfold.engines.asking import SILENCE, Asking
from bibfold.engines.retry import with_retry
from bibfold.engines.server_address import Address, Secrets
from bibfold.engines.solr_connections import Connections
from bibfold.errors import EngineError, EngineUnavailable, IndexMissing

BUSY = (429, 502, 503, 504)
FULL = "No space left on device"
JSON = {"Content-Type": "application/json"}
BYTES = {"Content-Type": "application/octet-stream"}
PRESENCE = "admin/info/system?wt=json"

ELSEWHERE = ("distributed update", "distribute commit", "refused connection", "Connection refused", "registered leader")
"""By these a node tells, as an error of its own, that it cannot reach another."""


class Refused(EngineError):
    """What was sent is at fault, not the server."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where} (400): {reason}")
        self.reason = reason


class Client:
    """Talks to the nodes of one Solr, and turns to another where one is away."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._turn = 0
        self._headers = _authorization(address.secrets)
        self._connections = Connections(address.options.timeout, address.secrets.ca_file)
        self._probing = Connections(min(SILENCE, address.options.timeout), address.secrets.ca_file)
        self.asking = Asking(address.options.patience, self._probe_presence)

    @property
    def node(self) -> str:
        """The node that is asked now."""
        return self.address.nodes[self._turn % len(self.address.nodes)]

    def admin(self, path: str, body: bytes | None = None, patience: float | None = None, **params: Any) -> Any:
        """Ask one of Solr's own pages; a body is posted."""
        page = f"admin/{path}?{urlencode({**params, 'wt': 'json'})}"
        answer = self.request("GET" if body is None else "POST", page, body, BYTES, patience)
        try:
            return msgspec.json.decode(answer)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise EngineError(
                f"{self.node} answers, but not as Solr does; correct the address, which usually ends in /solr"
            ) from error

    def ask(self, index: str, handler: str, message: Any) -> bytes:
        """Post a message to an index."""
        return self.request("POST", f"{index}/{handler}", msgspec.json.encode(message), JSON)

    def ask_once(self, index: str, handler: str, message: Any) -> bytes:
        """Post a message to an index; where the server is away, that is for the caller to outlast."""
        return self._request_once("POST", f"{index}/{handler}", msgspec.json.encode(message), JSON)

    def probe(self) -> None:
        """Ask the server whether it is ready; an error where it does not say so at once."""
        self._request_once("GET", PRESENCE, None, {}, quickly=True)

    def request(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], patience: float | None = None
    ) -> bytes:
        """The body of the answer, asked for until there is one or the patience ends."""
        limit = self.address.options.patience if patience is None else patience
        return with_retry(lambda: self._request_once(method, path, body, headers), limit)

    def close(self) -> None:
        """Let go of the connections."""
        self._connections.close()
        self._probing.close()

    def _probe_presence(self) -> None:
        """Any answer will do: one that is busy or not ready is there."""
        try:
            self.probe()
        except EngineError as error:
            if isinstance(error.__cause__, (OSError, HTTPException)):
                raise

    def _request_once(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], *, quickly: bool = False
    ) -> bytes:
        """The body of the answer; one that is asked for `quickly` has no time to be late."""
        node, since = self.node, time.monotonic()
        where, headers = f"{node}/{path}", {**self._headers, **headers}
        try:
            if quickly:
                status, content = self._probing.ask(method, where, body, headers)
            else:
                status, content = self._connections.ask(method, where, body, headers, self._probe_presence)
        except ssl.SSLError as error:
            raise EngineError(f"Solr at {node}: no trusted connection: {error}; set BIBFOLD_SOLR_CA_FILE") from error
        except (OSError, HTTPException) as error:
            self._turn_from(node)
            unavailable = EngineUnavailable(
                f"Solr at {node} does not answer: {type(error).__name__}: {error}; start it, or correct the address"
            )
            unavailable.since = since
            raise unavailable from error
        except EngineUnavailable as error:
            error.since = since
            raise
        if status == 200:
            return content
        if status in BUSY:
            self._turn_from(node)
        raise error_for(node, path.partition("/")[0].partition("?")[0], status, content)

    def _turn_from(self, node: str) -> None:
        """Ask the next node from now on, if none of the other threads has turned to it already."""
        if self.node == node:
            self._turn += 1


class Core(pysolr.Solr):  # type: ignore[misc]  # pysolr is not typed
    """A core or collection for pysolr to write to: over our connections, to the node that answers, with our errors.

    pysolr's own errors tell neither the status nor what to do.
    """

    def __init__(self, client: Client, name: str) -> None:
        super().__init__(name, encoder=_Encoder)
        self._client = client

    def _send_request(
        self, method: str, path: str = "", body: str = "", headers: dict[str, str] | None = None, files: None = None
    ) -> str:
        """What pysolr calls for each request, and its own SolrCloud overrides, too, to choose a node."""
        return self._client.request(method.upper(), f"{self.url}/{path}", body.encode(), headers or {}).decode()


class _Encoder:
    """JSON for pysolr."""

    @staticmethod
    def encode(message: object) -> str:
        return msgspec.json.encode(message).decode()


def error_for(node: str, index: str, status: int, body: bytes) -> EngineError:
    """The error for an answer that is not the one asked for."""
    reason = message(body)
    if status == 404:
        return IndexMissing(f"{index}: no such index at {node}, and nothing is published under this name")
    if status in BUSY or (status == 500 and any(sign in reason for sign in ELSEWHERE)):
        return EngineUnavailable(f"Solr at {node} is busy or not ready ({status}): {reason}")
    if status == 400:
        return Refused(f"Solr at {node}, {index}", reason)
    if status == 403 and "read-only" in reason:
        return EngineError(
            f"{index} at {node} may not be written to: {reason}; set the collection's property readOnly to false"
        )
    if FULL in reason:
        return EngineError(f"{index} at {node} may not be written to: {reason}; make room on the server's disk")
    if status in (401, 403):
        return EngineError(
            f"Solr at {node} refuses access to {index} ({status}); set BIBFOLD_SOLR_USER and BIBFOLD_SOLR_PASSWORD "
            "to those of a user who has the right"
        )
    return EngineError(f"Solr at {node}, {index} ({status}): {reason}")


def message(body: bytes) -> str:
    """What an error's body says, if it is Solr's own."""
    try:
        text: str = json.loads(body)["error"]["msg"]
    except (ValueError, KeyError, TypeError):
        return "no reason given"
    return text


def _authorization(secrets: Secrets) -> dict[str, str]:
    if not secrets.user:
        return {}
    return {"Authorization": f"Basic {b64encode(f'{secrets.user}:{secrets.password}'.encode()).decode()}"}
