"""Prints how fast every engine takes and finds the same records, and how much of its bare client's rate is left.

`python -m benchmarks.engines --records 20000 --queries 500` for a quick look. A server is the one whose address is in
`BIBFOLD_SOLR_URL`, `BIBFOLD_SOLRCLOUD_URL` or `BIBFOLD_ELASTICSEARCH_URL`, else one is started from Java and Maven.
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

from benchmarks.bare import LIMIT, Bare, BareElasticsearch, BareSolr, BareTantivy
from bibfold.engines import open_engine
from bibfold.engines.base import Document, Engine, Put, Query
from bibfold.records.keys import KeySettings
from bibfold.records.native import decode
from evaluation.benchmark.sets import find
from evaluation.options import data_folders
from indexer.documents import document
from tests.servers import launch
from tests.servers.java import FAST, CannotStart

NAMES = ("memory", "tantivy", "solr", "solrcloud", "elasticsearch")
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

    one: float
    batch: float
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
    asked = parser.parse_args(arguments)
    arxiv = find("arxiv", data_folders())
    if arxiv is None:
        print("arxiv set not found (BIBFOLD_DATA): the engines are not measured")
        return
    documents = list(islice(_read(arxiv / "records.jsonl.gz"), asked.records))
    step = max(1, len(documents) // asked.queries)
    queries = [Query({"title": one.terms["title"]}) for one in documents[::step]][: asked.queries]
    gc.freeze()
    print(f"{len(documents)} records, {len(queries)} queries by title for the best {LIMIT}\n\n{HEAD}", flush=True)
    for name in asked.engines:
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

    def ask(some: Sequence[Query]) -> object:
        return engine.search(index, some, LIMIT)

    try:
        engine.create(index)
        indexed = _seconds(partial(_take, engine, index, documents))
        if bare is None:
            return _line(name, len(documents) / indexed, "–", _rates([(ask, queries)])[0], None, "–")
        size = f"{bare.size(index) / len(documents):.0f}"
        engine.create(f"{index}-bare")
        made = [bare.document(one) for one in documents]
        ratio = f"{_seconds(partial(bare.write, f'{index}-bare', made)) / indexed:.2f}"
        ways: list[tuple[Ask, Sequence[Any]]] = [(partial(bare.ask, index), list(map(bare.request, queries)))]
        theirs, ours = _rates([*ways, (ask, queries)])
        return _line(name, len(documents) / indexed, ratio, ours, theirs, size)
    finally:
        for one in (index, f"{index}-bare"):
            engine.drop(one)
        engine.close()


def _found(name: str, folder: Path) -> tuple[str, Bare | None]:
    """The engine's address, and its bare client."""
    if name == "memory":
        return name, None
    if name == "tantivy":
        return f"tantivy:{folder}", BareTantivy(folder)
    url = os.environ.get(f"BIBFOLD_{name.upper()}_URL") or launch.url_of(name, os.getpid(), FAST)
    return (f"{name}:{url}", BareElasticsearch(url)) if name == "elasticsearch" else (f"solr:{url}", BareSolr(url))


def _take(engine: Engine, index: str, documents: Sequence[Document]) -> None:
    engine.write(index, map(Put, documents))
    engine.commit(index)


def _rates(ways: Sequence[tuple[Ask, Sequence[Any]]]) -> list[Rates]:
    """The best rates of each way, by turns, so that what else the machine does falls on all."""
    rounds = [[_once(ask, asked) for ask, asked in ways] for _ in range(WARM_UP + ROUNDS)][WARM_UP:]
    return [_best([one[way] for one in rounds]) for way in range(len(ways))]


def _best(rounds: Sequence[Rates]) -> Rates:
    best = max(rounds, key=lambda one: one.one)
    return best._replace(batch=max(one.batch for one in rounds))


def _once(ask: Ask, asked: Sequence[Any]) -> Rates:
    single = [_seconds(partial(ask, [one])) for one in asked]
    cpu = time.process_time()
    together = _seconds(partial(ask, asked))
    cpu = time.process_time() - cpu
    quantiles = statistics.quantiles(single, n=100)
    return Rates(len(asked) / sum(single), len(asked) / together, quantiles[49], quantiles[98], cpu / together)


def _line(name: str, index: float, index_ratio: str, ours: Rates, theirs: Rates | None, size: str) -> str:
    cells = [name, f"{index:.0f}", index_ratio, f"{ours.one:.0f}", f"{ours.one / theirs.one:.2f}" if theirs else "–"]
    cells += [f"{ours.p50 * 1000:.2f}", f"{ours.p99 * 1000:.2f}"]
    cells += [f"{ours.batch:.0f}", f"{ours.batch / theirs.batch:.2f}" if theirs else "–"]
    cells += [f"{ours.batch / ours.one:.1f}", f"{ours.cores:.2f}", size]
    return f"| {' | '.join(cells)} |"


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main(sys.argv[1:])
