"""Elasticsearch as a search engine, by its official client."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from math import inf
from typing import Any

import elasticsearch
import msgspec

from bibfold.engines.elasticsearch_engine import ClusterEngine
from bibfold.engines.elasticsearch_errors import Server, error_for, unreachable, untrusted, wrong_product
from bibfold.engines.elasticsearch_wire import LEGACY, Scoring
from bibfold.engines.server_address import Address, address


class Elasticsearch(ClusterEngine):
    """An engine on an Elasticsearch cluster."""

    def __init__(self, place: str, environ: Mapping[str, str] = os.environ, outage: float = inf) -> None:
        super().__init__(ElasticsearchClient(address("elasticsearch", place, environ, outage)))


class ElasticsearchClient:
    """The official client, and what its errors mean."""

    def __init__(self, address: Address) -> None:
        self.server = Server("Elasticsearch", address)
        self.api = _connect(address)

    def scoring(self) -> Scoring:
        return LEGACY

    def health(self, seconds: float) -> str:
        return str(self.api.options(request_timeout=seconds).cluster.health()["status"])

    def probe(self, seconds: float) -> None:
        with self.errors_at("cluster"), suppress(elasticsearch.ApiError, elasticsearch.UnsupportedProductError):
            self.api.options(request_timeout=seconds).info()

    @contextmanager
    def errors_at(self, index: str) -> Iterator[None]:
        try:
            yield
        except elasticsearch.UnsupportedProductError as error:
            raise wrong_product(self.server, error.message) from error
        except elasticsearch.ApiError as error:
            raise error_for(self.server, index, error.meta.status, error.body) from error
        except elasticsearch.SSLError as error:
            raise untrusted(self.server, error.message) from error
        except elasticsearch.TransportError as error:
            raise unreachable(self.server, f"{type(error).__name__}: {error.message}") from error

    def close(self) -> None:
        self.api.close()
        self.api = _connect(self.server.address)  # a closed client cannot be asked again


class _Json(elasticsearch.JsonSerializer):
    """Reads the server's JSON faster than the client by itself."""

    def json_loads(self, data: bytes) -> Any:
        return msgspec.json.decode(data)


def _connect(address: Address) -> elasticsearch.Elasticsearch:
    """The client; it neither retries nor looks for nodes by itself."""
    secrets = address.secrets
    access: dict[str, Any] = {"ca_certs": secrets.ca_file} if secrets.ca_file else {}
    if secrets.api_key:
        access["api_key"] = secrets.api_key
    elif secrets.user:
        access["basic_auth"] = (secrets.user, secrets.password)
    return elasticsearch.Elasticsearch(
        list(address.nodes),
        request_timeout=address.options.timeout,
        max_retries=0,
        retry_on_timeout=False,
        serializer=_Json(),
        **access,
    )
