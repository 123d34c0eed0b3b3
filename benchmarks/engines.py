"""Prints how fast every engine takes and finds the same records, and how much of its bare client's rate is left.

`python -m benchmarks.engines --records 20000 --queries 500` for a quick look. A server is the one whose address is in
`BIBFOLD_SOLR_URL`, `BIBFOLD_SOLRCLOUD_URL`, `BIBFOLD_ELASTICSEARCH_URL` or `BIBFOLD_OPENSEARCH_URL`, else it is started
from Java and Maven.
"""

import argparse
import gc
import gzip
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

from elasticsearch import Elasticsearch
from opensearchpy import OpenSearch

from benchmarks.bare import LIMIT, Bare, BareCluster, BareSolr, BareTantivy
from bibfold.engines import open_engine
from bibfold.engines.base import Document, Engine, Put, Query
from bibfold.engines.elasticsearch_engine import IN_FLIGHT
from bibfold.records.keys import KeySettings
from bibfold.records.native import decode
from evaluation.benchmark.sets import data_folders, find
from indexer.documents import document
from tests.servers import launch
from tests.servers.java import FAST, CannotStart

NAMES = ("memory", "tantivy", "solr", "solrcloud", "elasticsearch", "opensearch")
WARM_UP = 2
ROUNDS = 2
"""Each rate is the better of two, ours and the bare client's by turns, after two that are not counted."""

HEAD = """\
| engine | index, documents/s | of bare | one by one/s | of bare | p50, ms | p99, ms | batched/s | of bare | \
batched : one by one | our cores | bytes a record |
|---|---|---|---|---|---|---|---|---|---|---|---|"""

Ask = Callable[[Sequence[Any]], object]


class Rates(NamedTuple):
    """What was measured of one way to ask an engine."""

    single: float
    batched: float
    p50: float
    p99: float
    cores: float
    """How much of the processor's cores this process took while it asked in batches; the rest is the server's."""


def main(arguments: Sequence[str] = ()) -> None:
    """Measure the engines one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--queries", type=int, default=5_000)
    parser.add_argument("--engines", nargs="+", choices=NAMES, default=NAMES)
    options = parser.parse_args(arguments)
    arxiv = find("arxiv", data_folders(os.environ.get("BIBFOLD_DATA")))
    if arxiv is None:
        print("arxiv set not found (BIBFOLD_DATA): the engines are not measured")
        return
    documents = list(islice(_read(arxiv / "records.jsonl.gz"), options.records))
    step = max(1, len(documents) // options.queries)
    queries = [Query({"title": document.terms["title"]}) for document in documents[::step]][: options.queries]
    gc.freeze()
    print(f"{len(documents)} records, {len(queries)} queries by title for the best {LIMIT}\n\n{HEAD}", flush=True)
    for name in options.engines:
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(_row(name, Path(folder), documents, queries), flush=True)
            except CannotStart as error:
                print(f"{name}: {error}", flush=True)
    launch.stop(os.getpid())


def _read(records: Path) -> Iterator[Document]:
    settings = KeySettings()
    with gzip.open(records, "rb") as lines:
        for number, line in enumerate(lines):
            yield document(number, decode(line), settings)


def _row(name: str, folder: Path, documents: Sequence[Document], queries: Sequence[Query]) -> str:
    address, bare = _found(name, folder)
    engine, index = open_engine(address), f"bench-{token_hex(4)}"

    def ask(queries: Sequence[Query]) -> object:
        return engine.search(index, queries, LIMIT)

    try:
        engine.create(index)
        indexed = _seconds(partial(_index, engine, index, documents))
        if bare is None:
            return _line(name, len(documents) / indexed, "–", _rates([(ask, queries)])[0], None, "–")
        size = f"{bare.size(index) / len(documents):.0f}"
        engine.create(f"{index}-bare")
        made = [bare.document(document) for document in documents]
        ratio = f"{_seconds(partial(bare.write, f'{index}-bare', made)) / indexed:.2f}"
        ways: list[tuple[Ask, Sequence[Any]]] = [(partial(bare.ask, index), list(map(bare.request, queries)))]
        theirs, ours = _rates([*ways, (ask, queries)])
        return _line(name, len(documents) / indexed, ratio, ours, theirs, size)
    finally:
        engine.drop(index)
        engine.drop(f"{index}-bare")
        engine.close()


def _found(name: str, folder: Path) -> tuple[str, Bare | None]:
    """The engine's address, and its bare client."""
    if name == "memory":
        return name, None
    if name == "tantivy":
        return f"tantivy:{folder}", BareTantivy(folder)
    url = os.environ.get(f"BIBFOLD_{name.upper()}_URL") or launch.url_of(name, os.getpid(), FAST)
    if name == "elasticsearch":
        return f"{name}:{url}", BareCluster(Elasticsearch(url, request_timeout=60))
    if name == "opensearch":
        return f"{name}:{url}", BareCluster(OpenSearch(url, timeout=60, pool_maxsize=IN_FLIGHT))
    return f"solr:{url}", BareSolr(url)


def _index(engine: Engine, index: str, documents: Sequence[Document]) -> None:
    engine.write(index, map(Put, documents))
    engine.commit(index)


def _rates(ways: Sequence[tuple[Ask, Sequence[Any]]]) -> list[Rates]:
    """The best rates of each way, by turns, so that what else the machine does falls on all."""
    rounds = [[_once(ask, requests) for ask, requests in ways] for _ in range(WARM_UP + ROUNDS)][WARM_UP:]
    return [_best([rates[way] for rates in rounds]) for way in range(len(ways))]


def _best(rounds: Sequence[Rates]) -> Rates:
    best = max(rounds, key=lambda rates: rates.single)
    return best._replace(batched=max(rates.batched for rates in rounds))


def _once(ask: Ask, requests: Sequence[Any]) -> Rates:
    single = [_seconds(partial(ask, [request])) for request in requests]
    cpu = time.process_time()
    together = _seconds(partial(ask, requests))
    cpu = time.process_time() - cpu
    quantiles = statistics.quantiles(single, n=100)
    return Rates(len(requests) / sum(single), len(requests) / together, quantiles[49], quantiles[98], cpu / together)


def _line(name: str, index: float, index_ratio: str, ours: Rates, theirs: Rates | None, size: str) -> str:
    cells = [
        name,
        f"{index:.0f}",
        index_ratio,
        f"{ours.single:.0f}",
        f"{ours.single / theirs.single:.2f}" if theirs else "–",
    ]
    cells += [f"{ours.p50 * 1000:.2f}", f"{ours.p99 * 1000:.2f}"]
    cells += [f"{ours.batched:.0f}", f"{ours.batched / theirs.batched:.2f}" if theirs else "–"]
    cells += [f"{ours.batched / ours.single:.1f}", f"{ours.cores:.2f}", size]
    return f"| {' | '.join(cells)} |"


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main(sys.argv[1:])
