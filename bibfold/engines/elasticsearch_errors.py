"""Elasticsearch's errors in our words, with what to do."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import elasticsearch

from bibfold.engines.server_address import Address
from bibfold.errors import EngineError, EngineUnavailable, IndexMissing

BUSY = (429, 502, 503, 504)


@contextmanager
def errors_at(address: Address, index: str) -> Iterator[None]:
    """Turn what the client raises into an error that says what to do."""
    try:
        yield
    except elasticsearch.UnsupportedProductError as error:
        raise _stranger(address, error.message) from error
    except elasticsearch.ApiError as error:
        raise problem(address, index, error.meta.status, error.body) from error
    except elasticsearch.SSLError as error:
        raise EngineError(
            f"Elasticsearch at {address}: no trusted connection: {error.message}; set BIBFOLD_ELASTICSEARCH_CA_FILE"
        ) from error
    except elasticsearch.TransportError as error:
        raise EngineUnavailable(
            f"Elasticsearch at {address} does not answer: {_cause(error)}; start it, or mend the address"
        ) from error


def problem(address: Address, index: str, status: int, body: Any) -> EngineError:
    """The error for an answer with this status; the body, where it is Elasticsearch's own, tells the reason."""
    error: Any = body.get("error") if isinstance(body, Mapping) else None
    kind, reason = (error.get("type"), error.get("reason")) if isinstance(error, Mapping) else ("", error)
    if status == 404:
        return IndexMissing(f"{index}: no such index at {address}, and nothing is published under this name")
    if kind == "cluster_block_exception" and status != 503:
        return EngineError(
            f"{index} at {address} may not be written to: {reason}; if the disk is full, make room, and the block "
            "goes by itself, else set index.blocks.read_only_allow_delete to null"
        )
    if status in BUSY:
        return EngineUnavailable(f"Elasticsearch at {address} is busy or not ready ({status}): {reason}")
    if status == 406:
        return _stranger(address, reason)
    if status in (401, 403):
        return EngineError(
            f"Elasticsearch at {address} refuses access to {index} ({status}); set BIBFOLD_ELASTICSEARCH_API_KEY, or "
            "BIBFOLD_ELASTICSEARCH_USER and BIBFOLD_ELASTICSEARCH_PASSWORD, to those of a user who has the right"
        )
    return EngineError(f"Elasticsearch at {address}, {index} ({status}): {kind}: {reason}")


def _stranger(address: Address, reason: object) -> EngineError:
    return EngineError(
        f"{address}: there is no Elasticsearch here: {reason}; mend the address (OpenSearch is not supported)"
    )


def _cause(error: elasticsearch.TransportError) -> str:
    """The error in words, without the addresses of objects."""
    return f"{type(error).__name__}: {error.message}".partition(" object at ")[0]
