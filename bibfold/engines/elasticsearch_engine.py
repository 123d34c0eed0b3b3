"""The engine on an Elasticsearch or OpenSearch cluster: the index lives in the cluster and outlives us."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, ClassVar, Protocol, TypeVar

from bibfold.engines import elasticsearch_wire as wire
from bibfold.engines.asking import SILENCE, Asking
from bibfold.engines.base import Change, Document, Hit, Query
from bibfold.engines.elasticsearch_errors import BUSY, Server, error_for
from bibfold.engines.retry import create_with_retry
from bibfold.engines.server_hits import ServerHit, lowest_score, ordered_hits, tied_score, unencodable, write_batches
from bibfold.errors import EngineError, IndexMissing

PAGE = 1_000
"""So many documents are asked for by id at once."""

PAGE_OF_IDS = 20_000
"""So many ids are listed at once."""

SEARCHES = 100
"""So many queries are asked in one request."""

IN_FLIGHT = 3
"""So many requests of a batch are under way at once: while we read one answer the server works on the next."""

T = TypeVar("T")


class Client(Protocol):
    """The official client of Elasticsearch or of OpenSearch, which have the same methods, and what its errors mean."""

    server: Server
    api: Any
    """The client itself; bodies are handed to it as `body`, which both take."""

    def scoring(self) -> wire.Scoring:
        """How the server scores; it is asked at most once."""

    def health(self, seconds: float) -> str:
        """The cluster's status, which it has so many seconds to say."""

    def probe(self, seconds: float) -> None:
        """Raise EngineUnavailable where the server gives no answer, good or bad, in so many seconds."""

    def errors_at(self, index: str) -> AbstractContextManager[None]:
        """Turn what the client raises into an error that says what to do."""

    def close(self) -> None:
        """Let go of the connections; it connects when asked again."""


class ClusterEngine:
    """An engine on the cluster that its client talks to."""

    persistent: ClassVar[bool] = True

    def __init__(self, client: Client) -> None:
        self._client = client
        self._server = client.server
        self._options = client.server.address.options
        quick = min(SILENCE, self._options.timeout)
        self._asking = Asking(self._options.patience, partial(client.probe, quick))
        self._quick = quick

    def create(self, index: str) -> None:
        scoring = self._ask(index, self._client.scoring)
        if self._ask(index, lambda: self._client.api.indices.exists(index=index)):
            raise EngineError(f"{index}: there is an index or alias of this name already")
        body = wire.index_body(self._options.shards, self._options.replicas, scoring)

        def create() -> None:
            with self._client.errors_at(index):
                self._client.api.indices.create(index=index, body=body)

        create_with_retry(create, lambda: index in self.indexes(), self._options.patience)

    def drop(self, index: str) -> None:
        self._ask(index, lambda: self._client.api.indices.delete(index=index, ignore_unavailable=True))

    def indexes(self) -> list[str]:
        return sorted(self._ask("*", lambda: self._client.api.indices.get_alias(index="*")))

    def publish(self, alias: str, index: str) -> None:
        actions: list[dict[str, Any]] = [
            {"remove": {"index": "*", "alias": alias, "must_exist": False}},
            {"add": {"index": index, "alias": alias}},
        ]
        self._ask(index, lambda: self._client.api.indices.update_aliases(body={"actions": actions}))

    def published(self, alias: str) -> str | None:
        try:
            return next(iter(self._ask(alias, lambda: self._client.api.indices.get_alias(name=alias))), None)
        except IndexMissing:
            return None

    def write(self, index: str, changes: Iterable[Change]) -> int:
        self._check(index)
        return write_batches(changes, partial(self._write, index))

    def commit(self, index: str) -> None:
        self._ask(index, lambda: self._whole(index, self._client.api.indices.refresh(index=index)))

    def search(self, index: str, queries: Sequence[Query], limit: int) -> list[list[Hit]]:
        asked = [wire.clauses(query) if limit > 0 else [] for query in queries]
        if not any(asked):
            self._check(index)
            return [[] for _ in queries]
        factor = self._ask(index, self._client.scoring).factor
        places = [place for place, clauses in enumerate(asked) if clauses]
        best = self._search(index, [wire.best_search(asked[place], limit) for place in places])
        cuts = {place: cut for place, hits in zip(places, best, strict=True) if (cut := tied_score(hits, limit))}
        bodies = [wire.tied_search(asked[place], limit, lowest_score(cut, factor)) for place, cut in cuts.items()]
        tied = dict(zip(cuts, self._search(index, bodies), strict=True))
        found: list[list[Hit]] = [[] for _ in queries]
        for place, hits in zip(places, best, strict=True):
            found[place] = ordered_hits(hits, tied.get(place, ()), limit)
        return found

    def get(self, index: str, ids: Sequence[str]) -> list[Document | None]:
        self._check(index)
        sendable = [id for id in dict.fromkeys(ids) if id and not unencodable([id])]
        found = {}
        for start in range(0, len(sendable), PAGE):
            for document in self._ask(index, partial(self._get, index, sendable[start : start + PAGE])):
                found[document.id] = document
        return [found.get(id) for id in ids]

    def ids(self, index: str) -> Iterator[str]:
        self._check(index)
        return self._ids(index)

    def count(self, index: str) -> int:
        return int(self._ask(index, lambda: self._whole(index, self._client.api.count(index=index)))["count"])

    def damage(self, index: str) -> Iterable[str]:
        self._check(index)
        return ()

    def ready(self) -> bool:
        try:
            with self._client.errors_at("cluster"):
                return self._client.health(self._quick) != "red"
        except EngineError:
            return False

    def version(self) -> str:
        nodes = self._ask("nodes", lambda: self._client.api.nodes.info(metric="http"), patience=0)["nodes"]
        return f"{self._server.product} {', '.join(sorted({node['version'] for node in nodes.values()}))}"

    def close(self) -> None:
        self._client.close()

    def _ask(self, index: str, call: Callable[[], T], patience: float | None = None) -> T:
        def once() -> T:
            with self._client.errors_at(index):
                return call()

        return self._asking.one(once, patience)

    def _whole(self, index: str, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer, if all shards gave it: the server is content with some."""
        if failed := answer["_shards"]["failed"]:
            reason = f"{failed} of {answer['_shards']['total']} shards did not answer"
            raise error_for(self._server, index, 503, {"error": reason})
        return answer

    def _check(self, index: str) -> None:
        """Make sure that the index is there: a bulk request would make one, without our mapping."""
        if not self._ask(index, lambda: self._client.api.indices.exists(index=index)):
            raise error_for(self._server, index, 404, None)

    def _write(self, index: str, last: Mapping[str, Document | None]) -> dict[str, str]:
        """Bring the documents to this state; for each refused, why."""
        refused = {id: reason for id, document in last.items() if document and (reason := wire.refusal(document))}
        lines = wire.operations({id: document for id, document in last.items() if id not in refused})
        return refused | self._ask(index, partial(self._send, index, lines)) if lines else refused

    def _send(self, index: str, lines: bytes) -> dict[str, str]:
        """Send changes; for each refused, why. Where not the document is at fault, it is an error of all."""
        failures = wire.failures(self._client.api.bulk(index=index, body=lines))
        for result in failures.values():
            if result["status"] in (403, 404, *BUSY):
                raise error_for(self._server, index, result["status"], result)
        return {id: wire.reason(result["error"]) for id, result in failures.items()}

    def _search(self, index: str, bodies: Sequence[dict[str, Any]]) -> list[list[ServerHit]]:
        parts = [bodies[start : start + SEARCHES] for start in range(0, len(bodies), SEARCHES)]
        answers = self._asking.many(partial(self._search_part, index), parts, IN_FLIGHT)
        return [hits for answer in answers for hits in answer]

    def _search_part(self, index: str, bodies: Sequence[dict[str, Any]]) -> list[list[ServerHit]]:
        lines = wire.searches(bodies)
        with self._client.errors_at(index):
            answer = self._client.api.msearch(index=index, body=lines, search_type="dfs_query_then_fetch")
        for response in answer["responses"]:
            if "error" in response:
                raise error_for(self._server, index, response["status"], response)
        return [wire.hits(response, self._client.scoring().factor) for response in answer["responses"]]

    def _get(self, index: str, ids: Sequence[str]) -> list[Document]:
        answer = self._client.api.mget(index=index, body={"ids": ids}, realtime=False)
        for document in answer["docs"]:
            if "error" in document:
                missing = document["error"]["type"] == "index_not_found_exception"
                raise error_for(self._server, index, 404 if missing else 503, document)
        return wire.documents(answer)

    def _ids(self, index: str) -> Iterator[str]:
        after: list[str] | None = None
        while page := self._ask(index, partial(self._page_of_ids, index, after)):
            yield from page
            after = page[-1:]

    def _page_of_ids(self, index: str, after: list[str] | None) -> list[str]:
        """The next ids in their order, which is kept between pages whichever node answers."""
        body = wire.page_of_ids(PAGE_OF_IDS, after)
        answer = self._client.api.search(index=index, allow_partial_search_results=False, body=body)
        return [hit["sort"][0] for hit in answer["hits"]["hits"]]
