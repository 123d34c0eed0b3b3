"""Elasticsearch as a search engine: the index lives in the cluster and outlives us."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ClassVar, TypeVar

import msgspec
from elasticsearch import Elasticsearch as Client
from elasticsearch import JsonSerializer

from bibfold.engines import elasticsearch_wire as wire
from bibfold.engines.base import Change, Document, Hit, Query
from bibfold.engines.elasticsearch_errors import BUSY, errors_at, problem
from bibfold.engines.retry import make_patiently, patiently
from bibfold.engines.server_address import Address, address
from bibfold.engines.server_hits import Scored, least, settled, torn, unencodable, write_all
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


class _Json(JsonSerializer):
    """Reads the server's JSON faster than the client by itself."""

    def json_loads(self, data: bytes) -> Any:
        return msgspec.json.decode(data)


class Elasticsearch:
    """An engine on an Elasticsearch cluster."""

    persistent: ClassVar[bool] = True

    def __init__(self, place: str, environ: Mapping[str, str] = os.environ) -> None:
        self._address = address("elasticsearch", place, environ)
        self._client = _client(self._address)
        self._threads = ThreadPoolExecutor(IN_FLIGHT, "elasticsearch")

    def create(self, index: str) -> None:
        if self._ask(index, lambda: self._client.indices.exists(index=index)):
            raise EngineError(f"{index}: there is an index or alias of this name already")
        options = self._address.options
        body = wire.index_body(options.shards, options.replicas)

        def create() -> None:
            with errors_at(self._address, index):
                self._client.indices.create(index=index, **body)

        make_patiently(create, lambda: index in self.indexes(), options.patience)

    def drop(self, index: str) -> None:
        self._ask(index, lambda: self._client.indices.delete(index=index, ignore_unavailable=True))

    def indexes(self) -> list[str]:
        return sorted(self._ask("*", lambda: self._client.indices.get_alias(index="*").body))

    def publish(self, alias: str, index: str) -> None:
        actions: list[dict[str, Any]] = [
            {"remove": {"index": "*", "alias": alias, "must_exist": False}},
            {"add": {"index": index, "alias": alias}},
        ]
        self._ask(index, lambda: self._client.indices.update_aliases(actions=actions))

    def published(self, alias: str) -> str | None:
        try:
            return next(iter(self._ask(alias, lambda: self._client.indices.get_alias(name=alias).body)), None)
        except IndexMissing:
            return None

    def write(self, index: str, changes: Iterable[Change]) -> int:
        self._check(index)
        return write_all(changes, partial(self._write, index))

    def commit(self, index: str) -> None:
        self._ask(index, lambda: self._whole(index, self._client.indices.refresh(index=index).body))

    def search(self, index: str, queries: Sequence[Query], limit: int) -> list[list[Hit]]:
        asked = [wire.clauses(query) if limit > 0 else [] for query in queries]
        if not any(asked):
            self._check(index)
        places = [place for place, clauses in enumerate(asked) if clauses]
        best = self._search(index, [wire.best(asked[place], limit) for place in places])
        cuts = {place: cut for place, hits in zip(places, best, strict=True) if (cut := torn(hits, limit))}
        bodies = [wire.tied(asked[place], limit, least(cut, wire.FACTOR)) for place, cut in cuts.items()]
        tied = dict(zip(cuts, self._search(index, bodies), strict=True))
        found: list[list[Hit]] = [[] for _ in queries]
        for place, hits in zip(places, best, strict=True):
            found[place] = settled(hits, tied.get(place, ()), limit)
        return found

    def get(self, index: str, ids: Sequence[str]) -> list[Document | None]:
        self._check(index)
        wanted = [id for id in dict.fromkeys(ids) if id and not unencodable([id])]
        found = {}
        for start in range(0, len(wanted), PAGE):
            for document in self._ask(index, partial(self._get, index, wanted[start : start + PAGE])):
                found[document.id] = document
        return [found.get(id) for id in ids]

    def ids(self, index: str) -> Iterator[str]:
        self._check(index)
        return self._ids(index)

    def count(self, index: str) -> int:
        return int(self._ask(index, lambda: self._whole(index, self._client.count(index=index).body))["count"])

    def ready(self) -> bool:
        try:
            with errors_at(self._address, "cluster"):
                return bool(self._client.cluster.health()["status"] != "red")
        except EngineError:
            return False

    def version(self) -> str:
        with errors_at(self._address, "nodes"):
            nodes = self._client.nodes.info(metric="http").body["nodes"]
        return f"Elasticsearch {', '.join(sorted({node['version'] for node in nodes.values()}))}"

    def close(self) -> None:
        self._threads.shutdown()
        self._threads = ThreadPoolExecutor(IN_FLIGHT, "elasticsearch")
        self._client.close()
        self._client = _client(self._address)  # connects when asked again

    def _ask(self, index: str, call: Callable[[], T]) -> T:
        def once() -> T:
            with errors_at(self._address, index):
                return call()

        return patiently(once, self._address.options.patience)

    def _whole(self, index: str, answer: dict[str, Any]) -> dict[str, Any]:
        """The answer, if all shards gave it: Elasticsearch is content with some."""
        if failed := answer["_shards"]["failed"]:
            reason = f"{failed} of {answer['_shards']['total']} shards did not answer"
            raise problem(self._address, index, 503, {"error": reason})
        return answer

    def _check(self, index: str) -> None:
        """Make sure that the index is there: a bulk request would make one, without our mapping."""
        if not self._ask(index, lambda: self._client.indices.exists(index=index)):
            raise problem(self._address, index, 404, None)

    def _write(self, index: str, last: Mapping[str, Document | None]) -> dict[str, str]:
        """Bring the documents to this state; for each refused, why."""
        refused = {id: reason for id, one in last.items() if one is not None and (reason := wire.refusal(one))}
        lines = wire.operations({id: one for id, one in last.items() if id not in refused})
        return refused | self._ask(index, partial(self._send, index, lines)) if lines else refused

    def _send(self, index: str, lines: list[Any]) -> dict[str, str]:
        """Send changes; for each refused, why. Where not the document is at fault, it is an error of all."""
        failures = wire.failures(self._client.bulk(index=index, operations=lines).body)
        for result in failures.values():
            if result["status"] in (403, 404, *BUSY):
                raise problem(self._address, index, result["status"], result)
        return {id: wire.reason(result["error"]) for id, result in failures.items()}

    def _search(self, index: str, bodies: Sequence[dict[str, Any]]) -> list[list[Scored]]:
        parts = [bodies[start : start + SEARCHES] for start in range(0, len(bodies), SEARCHES)]
        ask = partial(self._search_part, index)
        answers = map(ask, parts) if len(parts) == 1 else self._threads.map(ask, parts)
        return [hits for answer in answers for hits in answer]

    def _search_part(self, index: str, bodies: Sequence[dict[str, Any]]) -> list[list[Scored]]:
        return self._ask(index, partial(self._search_once, index, wire.lines(bodies)))

    def _search_once(self, index: str, lines: list[Any]) -> list[list[Scored]]:
        answer = self._client.msearch(index=index, searches=lines, search_type="dfs_query_then_fetch").body
        for response in answer["responses"]:
            if "error" in response:
                raise problem(self._address, index, response["status"], response)
        return [wire.hits(response) for response in answer["responses"]]

    def _get(self, index: str, ids: Sequence[str]) -> list[Document]:
        answer = self._client.mget(index=index, ids=ids, realtime=False).body
        for document in answer["docs"]:
            if "error" in document:
                missing = document["error"]["type"] == "index_not_found_exception"
                raise problem(self._address, index, 404 if missing else 503, document)
        return wire.documents(answer)

    def _ids(self, index: str) -> Iterator[str]:
        after: list[str] | None = None
        while page := self._ask(index, partial(self._page_of_ids, index, after)):
            yield from page
            after = page[-1:]

    def _page_of_ids(self, index: str, after: list[str] | None) -> list[str]:
        """The next ids in their order, which is kept between pages whichever node answers."""
        asked = wire.page_of_ids(PAGE_OF_IDS, after)
        answer = self._client.search(index=index, allow_partial_search_results=False, **asked).body
        return [hit["sort"][0] for hit in answer["hits"]["hits"]]


def _client(address: Address) -> Client:
    """The client; it neither retries nor looks for nodes by itself."""
    secrets = address.secrets
    access: dict[str, Any] = {"ca_certs": secrets.ca_file} if secrets.ca_file else {}
    if secrets.api_key:
        access["api_key"] = secrets.api_key
    elif secrets.user:
        access["basic_auth"] = (secrets.user, secrets.password)
    return Client(
        list(address.nodes),
        request_timeout=address.options.timeout,
        max_retries=0,
        retry_on_timeout=False,
        serializer=_Json(),
        **access,
    )
