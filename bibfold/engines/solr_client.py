"""Connections to Solr: kept alive, shared by threads, and with errors that say what to do."""

import json
from typing import Any
from urllib.parse import urlencode

import msgspec
import urllib3

from bibfold.engines.retry import patiently
from bibfold.engines.server_address import Address
from bibfold.errors import EngineError, EngineUnavailable, IndexMissing

CONNECTIONS = 4
"""So many requests are under way at once; more would only queue in the server."""

BUSY = (429, 502, 503, 504)
JSON = {"Content-Type": "application/json"}


class Answer(msgspec.Struct, frozen=True):
    """An answer of Solr's, in the form that pysolr reads."""

    content: bytes
    status_code: int = 200
    headers: dict[str, str] = {}


class Client:
    """Talks to the nodes of one Solr, and turns to another where one is away.

    It is also the session of pysolr, whose own is half as fast and whose errors do not tell the status.
    """

    def __init__(self, address: Address) -> None:
        secrets, options = address.secrets, address.options
        self.address = address
        self._turn = 0
        self._headers = urllib3.make_headers(basic_auth=f"{secrets.user}:{secrets.password}") if secrets.user else {}
        self._pool = urllib3.PoolManager(
            num_pools=2 * len(address.nodes),
            maxsize=2 * CONNECTIONS,
            retries=False,
            timeout=options.timeout,
            ca_certs=secrets.ca_file or None,
        )

    @property
    def node(self) -> str:
        """The node that is asked now."""
        return self.address.nodes[self._turn % len(self.address.nodes)]

    def admin(self, path: str, body: bytes | None = None, patience: float | None = None, **params: Any) -> Any:
        """Ask one of Solr's own pages; a body is posted."""
        text = f"admin/{path}?{urlencode({**params, 'wt': 'json'})}"
        headers = {"Content-Type": "application/octet-stream"}
        return msgspec.json.decode(self._ask("GET" if body is None else "POST", text, body, headers, patience))

    def ask(self, index: str, handler: str, message: Any) -> bytes:
        """Post a message to an index."""
        body = msgspec.json.encode(message)
        return self._ask("POST", f"{index}/{handler}", body, JSON, None)

    def post(self, url: str, data: bytes, headers: dict[str, str], **others: Any) -> Answer:
        """What pysolr asks of a session; it is told the index for its url, the node is for us to choose."""
        return Answer(self._ask("POST", url, data, headers, None))

    def close(self) -> None:
        """Let go of the connections."""
        self._pool.clear()

    def _ask(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], patience: float | None
    ) -> bytes:
        if patience is None:
            patience = self.address.options.patience
        return patiently(lambda: self._once(method, path, body, headers), patience)

    def _once(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        node = self.node
        try:
            answer = self._pool.request(method, f"{node}/{path}", body=body, headers={**self._headers, **headers})
        except urllib3.exceptions.SSLError as error:
            raise EngineError(f"Solr at {node}: no trusted connection: {error}; set BIBFOLD_SOLR_CA_FILE") from error
        except urllib3.exceptions.HTTPError as error:
            self._turn += 1
            raise EngineUnavailable(
                f"Solr at {node} does not answer: {_cause(error)}; start it, or mend the address"
            ) from error
        if answer.status == 200:
            return answer.data
        raise problem(node, path.partition("/")[0].partition("?")[0], answer.status, answer.data)


def problem(node: str, index: str, status: int, body: bytes) -> EngineError:
    """The error for an answer that is not the one asked for."""
    reason = message(body)
    if status == 404:
        return IndexMissing(f"{index}: no such index at {node}, and nothing is published under this name")
    if status in BUSY:
        return EngineUnavailable(f"Solr at {node} is busy or not ready ({status}): {reason}")
    if status in (401, 403):
        return EngineError(f"Solr at {node} refuses access ({status}); set BIBFOLD_SOLR_USER and BIBFOLD_SOLR_PASSWORD")
    return EngineError(f"Solr at {node}, {index} ({status}): {reason}")


def message(body: bytes) -> str:
    """What an error's body says, if it is Solr's own."""
    try:
        text: str = json.loads(body)["error"]["msg"]
    except (ValueError, KeyError, TypeError):
        return "no reason given"
    return text


def _cause(error: BaseException) -> str:
    """The error in words, without the addresses of objects."""
    return f"{type(error).__name__}: {error}".partition(" object at ")[0]
