"""Prints how fast the embedded engines search and take the arXiv titles."""

import gc
import gzip
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks.data import find
from bibfold.engines.base import Document, Engine, Put, Query
from bibfold.engines.memory import Memory
from bibfold.engines.tantivy import Tantivy
from bibfold.records.native import decode
from bibfold.text import bigrams, stopwords, tokens

BATCH = 20_000
LIMIT = 10
ASKED = 2_000


def main() -> None:
    """All records, or as many as the first argument says."""
    arxiv = find("arxiv")
    if arxiv is None:
        print("arxiv set not found (BIBFOLD_DATA): the engines are not measured")
        return
    documents = list(islice(_read(arxiv / "records.jsonl.gz"), int(sys.argv[1]) if sys.argv[1:] else None))
    gc.freeze()
    before = _peak()
    bulk(Memory(), documents)
    print(f"peak memory beyond the documents: {_peak() - before:.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        embedded(Tantivy(folder), documents)


def bulk(engine: Engine, documents: Sequence[Document]) -> None:
    """Search each batch in what came before it, then take it: how a bulk run goes through its records."""
    engine.create("all")
    searching = writing = 0.0
    for start in range(0, len(documents), BATCH):
        batch = documents[start : start + BATCH]
        queries = [Query(document.terms) for document in batch]
        searching += _seconds(partial(engine.search, "all", queries, LIMIT))
        writing += _seconds(partial(_take, engine, batch))
    print(
        f"memory: {len(documents)} records in {searching + writing:.1f} s: "
        f"search {len(documents) / searching:.0f}/s, write {len(documents) / writing:.0f}/s"
    )


def embedded(engine: Engine, documents: Sequence[Document]) -> None:
    """Index all, then search one at a time and all at once."""
    engine.create("all")
    writing = _seconds(partial(_take, engine, documents))
    queries = [Query(document.terms) for document in documents[:: max(1, len(documents) // ASKED)]]
    engine.search("all", queries, LIMIT)
    single = [_seconds(partial(engine.search, "all", [query], LIMIT)) for query in queries]
    together = _seconds(partial(engine.search, "all", queries, LIMIT))
    print(
        f"tantivy: write {len(documents) / writing:.0f}/s; search p50 {statistics.median(single) * 1000:.2f} ms, "
        f"p99 {statistics.quantiles(single, n=100)[98] * 1000:.2f} ms, {len(queries) / together:.0f}/s together"
    )
    engine.close()


def _read(records: Path) -> Iterator[Document]:
    stops = stopwords("en")
    with gzip.open(records, "rb") as lines:
        for number, line in enumerate(lines):
            record = decode(line)
            yield Document(f"c{number}", {"title": bigrams(tokens(record.title), stops)}, record)


def _take(engine: Engine, documents: Sequence[Document]) -> None:
    engine.write("all", map(Put, documents))
    engine.commit("all")


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000


if __name__ == "__main__":
    main()
