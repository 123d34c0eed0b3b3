"""The engines' clients by themselves, asked what bibfold asks: what bibfold's own layers are measured against."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from threading import local
from typing import Any, Protocol
from urllib.parse import urlsplit

import tantivy
from elasticsearch import Elasticsearch
from opensearchpy import OpenSearch

from bibfold.engines import elasticsearch_engine, elasticsearch_wire, solr, solr_wire
from bibfold.engines.base import FIELDS, FILLER, Document, Query, reach
from bibfold.engines.server_hits import BATCH, fields
from bibfold.engines.tantivy_index import WRITER_MEMORY
from bibfold.records.native import encode

LIMIT = 10


class Bare(Protocol):
    """A client without bibfold: requests are made beforehand, answers are left as the client gives them."""

    def request(self, query: Query) -> Any:
        """A query as the engine is asked it."""

    def document(self, document: Document) -> Any:
        """A document as the client takes it."""

    def ask(self, index: str, requests: Sequence[Any]) -> None:
        """Get the answers to all requests, in the way that bibfold does for so many."""

    def write(self, index: str, documents: Sequence[Any]) -> None:
        """Write and commit all documents."""

    def size(self, index: str) -> int:
        """How many bytes the index takes on disk."""


class BareTantivy:
    """tantivy's own Python binding, on the folder of bibfold's index."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[str, Any] = {}

    def request(self, query: Query) -> Any:
        return [(field, term) for field in FIELDS for term in query.terms.get(field, ())]

    def document(self, document: Document) -> Any:
        made = tantivy.Document()
        made.add_text("id", document.id)
        for field in FIELDS:
            for term in document.terms.get(field) or (FILLER,):
                made.add_text(field, term)
        made.add_bytes("record", encode(document.record))
        return made

    def ask(self, index: str, requests: Sequence[Any]) -> None:
        opened = self._opened(index)
        schema, searcher = opened.schema, opened.searcher()
        for request in requests:
            terms = [tantivy.Query.term_query(schema, field, term, "basic") for field, term in request]
            query = tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])
            for _, address in searcher.search(query, reach(LIMIT), count=False).hits[:LIMIT]:
                searcher.doc(address).get_first("record")

    def write(self, index: str, documents: Sequence[Any]) -> None:
        writer = self._opened(index).writer(WRITER_MEMORY, 1)
        for document in documents:
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()

    def size(self, index: str) -> int:
        return sum(file.stat().st_size for file in (self._folder / index).iterdir())

    def _opened(self, index: str) -> Any:
        if index not in self._open:
            self._open[index] = tantivy.Index.open(str(self._folder / index))
        return self._open[index]


class BareCluster:
    """The official client of Elasticsearch or OpenSearch, as it comes."""

    def __init__(self, client: Elasticsearch | OpenSearch) -> None:
        self._client: Any = client
        self._threads = ThreadPoolExecutor(elasticsearch_engine.IN_FLIGHT)

    def request(self, query: Query) -> Any:
        return elasticsearch_wire.searches([elasticsearch_wire.best_search(elasticsearch_wire.clauses(query), LIMIT)])

    def document(self, document: Document) -> Any:
        return elasticsearch_wire.operations({document.id: document})

    def ask(self, index: str, requests: Sequence[Any]) -> None:
        def search(part: Sequence[bytes]) -> None:
            self._client.msearch(index=index, body=b"".join(part), search_type="dfs_query_then_fetch")

        if len(requests) == 1:
            search(requests)
        else:
            list(self._threads.map(search, _parts(requests, elasticsearch_engine.SEARCHES)))

    def write(self, index: str, documents: Sequence[Any]) -> None:
        for part in _parts(documents, BATCH):
            self._client.bulk(index=index, body=b"".join(part))
        self._client.indices.refresh(index=index)

    def size(self, index: str) -> int:
        self._client.indices.flush(index=index)
        return int(self._client.indices.stats(index=index, metric="store")["_all"]["total"]["store"]["size_in_bytes"])


class BareSolr:
    """The standard library's HTTP and JSON, over connections that are kept alive: less work than pysolr's."""

    def __init__(self, url: str) -> None:
        self._place = urlsplit(url)
        self._mine = local()
        self._threads = ThreadPoolExecutor(solr.IN_FLIGHT)

    def request(self, query: Query) -> Any:
        return json.dumps(solr_wire.best_search(solr_wire.clauses(query), LIMIT)).encode()

    def document(self, document: Document) -> Any:
        return fields(document)

    def ask(self, index: str, requests: Sequence[Any]) -> None:
        def search(request: bytes) -> Any:
            return self._post(f"{index}/select", request)

        if len(requests) == 1:
            search(requests[0])
        else:
            list(self._threads.map(search, requests))

    def write(self, index: str, documents: Sequence[Any]) -> None:
        for part in _parts(documents, BATCH):
            self._post(f"{index}/update", json.dumps(part).encode())
        self._post(f"{index}/update?commit=true", b"{}")

    def size(self, index: str) -> int:
        cores = self._post("admin/cores?action=STATUS", b"")["status"]
        return sum(core["index"]["sizeInBytes"] for name, core in cores.items() if name.startswith(index))

    def _post(self, path: str, body: bytes) -> Any:
        if not hasattr(self._mine, "connection"):
            self._mine.connection = HTTPConnection(self._place.netloc)
        connection = self._mine.connection
        connection.request("POST", f"{self._place.path}/{path}", body, {"Content-Type": "application/json"})
        return json.loads(connection.getresponse().read())


def _parts(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (items[start : start + size] for start in range(0, len(items), size))
