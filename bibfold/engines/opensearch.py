"""OpenSearch as a search engine, by its official client."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from math import inf
from typing import Any

import msgspec
import opensearchpy

from bibfold.engines.elasticsearch_engine import IN_FLIGHT, ClusterEngine
from bibfold.engines.elasticsearch_errors import Server, error_for, unreachable, untrusted, wrong_product
from bibfold.engines.elasticsearch_wire import LEGACY, OPENSEARCH_3, Scoring
from bibfold.engines.server_address import Address, address


class OpenSearch(ClusterEngine):
    """An engine on an OpenSearch cluster, which is asked as Elasticsearch is."""

    def __init__(self, place: str, environ: Mapping[str, str] = os.environ, outage: float = inf) -> None:
        super().__init__(OpenSearchClient(address("opensearch", place, environ, outage)))


class OpenSearchClient:
    """The official client, and what its errors mean."""

    def __init__(self, address: Address) -> None:
        self.server = Server("OpenSearch", address)
        self.api = _connect(address)

    def scoring(self) -> Scoring:
        return LEGACY if self._major < 3 else OPENSEARCH_3

    def health(self, seconds: float) -> str:
        return str(self.api.cluster.health(request_timeout=seconds)["status"])

    def probe(self, seconds: float) -> None:
        with self.errors_at("cluster"):
            try:
                self.api.info(request_timeout=seconds)
            except opensearchpy.ConnectionError:
                raise
            except opensearchpy.TransportError:
                return  # whatever it answered, it is there

    @contextmanager
    def errors_at(self, index: str) -> Iterator[None]:
        try:
            yield
        except opensearchpy.SSLError as error:
            raise untrusted(self.server, error.error) from error
        except opensearchpy.ConnectionError as error:
            raise unreachable(self.server, f"{type(error).__name__}: {error.error}") from error
        except opensearchpy.TransportError as error:
            raise error_for(self.server, index, int(error.status_code), error.info) from error
        except opensearchpy.SerializationError as error:
            raise wrong_product(self.server, "its answer is not JSON") from error

    def close(self) -> None:
        self.api.close()

    @cached_property
    def _major(self) -> int:
        version = self.api.info().get("version", {})
        if version.get("distribution") != "opensearch":
            raise wrong_product(self.server, f"its version is {version.get('number', 'missing')}")
        return int(version["number"].partition(".")[0])


class _Json(opensearchpy.JSONSerializer):
    """Reads the server's JSON faster than the client by itself."""

    def loads(self, data: str) -> Any:
        return msgspec.json.decode(data)


def _connect(address: Address) -> opensearchpy.OpenSearch:
    """The client; it neither retries nor looks for nodes by itself."""
    secrets = address.secrets
    access: dict[str, Any] = {"ca_certs": secrets.ca_file} if secrets.ca_file else {}
    if secrets.user:
        access["http_auth"] = (secrets.user, secrets.password)
    return opensearchpy.OpenSearch(
        list(address.nodes),
        timeout=address.options.timeout,
        max_retries=0,
        pool_maxsize=4 * IN_FLIGHT,
        serializer=_Json(),
        **access,
    )
