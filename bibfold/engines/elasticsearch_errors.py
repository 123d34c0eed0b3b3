"""The errors of Elasticsearch and OpenSearch in our words, with what to do."""

from collections.abc import Mapping
from typing import Any

import msgspec

from bibfold.engines.server_address import Address
from bibfold.errors import EngineError, EngineUnavailable, IndexMissing

BUSY = (429, 502, 503, 504)
MAX_CLAUSES = "indices.query.bool.max_clause_count"


class Server(msgspec.Struct, frozen=True):
    """Whom an error speaks of."""

    product: str
    address: Address

    def __str__(self) -> str:
        return f"{self.product} at {self.address}"

    def variable(self, name: str) -> str:
        """The variable that a secret is taken from."""
        return f"BIBFOLD_{self.product.upper()}_{name}"


def error_for(server: Server, index: str, status: int, body: Any) -> EngineError:
    """The error for an answer with this status; the body, where it is the server's own, tells the reason."""
    kind, reason = _cause(body.get("error")) if isinstance(body, Mapping) else ("", None)
    if status == 404:
        return IndexMissing(f"{index}: no such index at {server.address}, and nothing is published under this name")
    if kind == "cluster_block_exception" and status != 503:
        return EngineError(
            f"{index} at {server.address} may not be written to: {reason}; if the disk is full, make room, and the "
            "block goes by itself, else set index.blocks.read_only_allow_delete to null"
        )
    if status in BUSY:
        return EngineUnavailable(f"{server} is busy or not ready ({status}): {reason}")
    if status == 406:
        return wrong_product(server, reason)
    if status in (401, 403):
        return EngineError(
            f"{server} refuses access to {index} ({status}); set {server.variable('USER')} and "
            f"{server.variable('PASSWORD')}{_or_api_key(server)} to those of a user who has the right"
        )
    if "maxClauseCount" in str(reason):
        return EngineError(
            f"{server}, {index}: a query has more terms than the server takes: {reason}; raise {MAX_CLAUSES} in the "
            "server's settings, or give Elasticsearch more memory, which decides there"
        )
    return EngineError(f"{server}, {index} ({status}): {kind}: {reason}")


def wrong_product(server: Server, reason: object) -> EngineError:
    """The error where another product answers."""
    return EngineError(f"{server.address}: there is no {server.product} here: {reason}; correct the address")


def untrusted(server: Server, reason: object) -> EngineError:
    """The error where the certificate is not trusted."""
    return EngineError(f"{server}: no trusted connection: {reason}; set {server.variable('CA_FILE')}")


def unreachable(server: Server, reason: str) -> EngineUnavailable:
    """The error where there is no answer; the reason is shown without the addresses of objects."""
    shown = reason.partition(" object at ")[0]
    return EngineUnavailable(f"{server} does not answer: {shown}; start it, or correct the address")


def _cause(error: Any) -> tuple[str, Any]:
    """The kind and the reason of an error; of one that shards had, that of the first."""
    if not isinstance(error, Mapping):
        return "", error
    first = next(iter(error.get("root_cause", ())), error)
    return first.get("type", ""), first.get("reason")


def _or_api_key(server: Server) -> str:
    return f", or {server.variable('API_KEY')}," if server.product == "Elasticsearch" else ""
