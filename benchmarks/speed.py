"""Prints how fast bibfold folds, ingests and looks up, each beside what it is measured against."""

import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from bibfold.engines.base import Engine, Put, Query, Terms
from bibfold.engines.tantivy import Tantivy
from bibfold.records.formats.files import read_files
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from evaluation.benchmark.sets import data_folders, find
from indexer.documents import document
from lookup.answers import answers
from lookup.matcher import Matcher
from lookup.profiles import BIBFOLD
from lookup.retrieve import Retrieval

BIBFOLD_COMMAND = [sys.executable, "-m", "bibfold.cli"]
QUESTIONS = 2_000
INGESTED = 50_000


def main() -> None:
    """Run every measurement; the large ones need the arXiv set."""
    start_up()
    arxiv = find("arxiv", data_folders(os.environ.get("BIBFOLD_DATA")))
    if arxiv is None:
        print("arxiv set not found (BIBFOLD_DATA): dedupe, ingest and lookup are not measured")
        return
    with tempfile.TemporaryDirectory() as scratch:
        dedupe(arxiv / "records.jsonl.gz", Path(scratch))
        ingest(arxiv / "records.jsonl.gz", Path(scratch))
        lookup(arxiv / "records.jsonl.gz", Path(scratch))


def start_up() -> None:
    """How long `bibfold --help` takes, best of five."""
    best = min(
        _seconds(lambda: subprocess.run([*BIBFOLD_COMMAND, "--help"], capture_output=True, check=True))
        for _ in range(5)
    )
    print(f"bibfold --help: {best:.2f} s")


def dedupe(records: Path, scratch: Path) -> None:
    """`bibfold dedupe` of all records, default settings."""
    subprocess.run(
        [*BIBFOLD_COMMAND, "dedupe", str(records), "--out", str(scratch / "folded")], check=True, capture_output=True
    )
    summary = json.loads((scratch / "folded" / "summary.json").read_text())
    rate = summary["records"] / summary["seconds"]
    print(
        f"dedupe: {summary['records']} records in {summary['seconds']:.1f} s, {rate:.0f} records/s, "
        f"peak memory {summary['peak_memory_mb']} MB, {summary['duplicates'] / summary['records']:.3%} merged"
    )


def ingest(records: Path, scratch: Path) -> None:
    """`bibfold ingest` into SQLite and tantivy, durable."""
    part = scratch / "part.jsonl"
    with gzip.open(records, "rb") as lines, part.open("wb") as out:
        out.writelines(islice(lines, INGESTED))
    command = [*BIBFOLD_COMMAND, "ingest", str(part), "--catalogue", str(scratch / "catalogue")]
    seconds = _seconds(lambda: subprocess.run(command, check=True, capture_output=True))
    print(f"ingest: {INGESTED} records in {seconds:.1f} s, {INGESTED / seconds:.0f} records/s")


def lookup(records: Path, scratch: Path) -> None:
    """Lookups one at a time against an index of all records, and the bare engine with the same queries."""
    settings = KeySettings()
    engine = Tantivy(str(scratch / "index"))
    engine.create("all")
    questions: list[Record] = []
    built = _seconds(lambda: engine.write("all", _puts(records, settings, questions)))
    built += _seconds(lambda: engine.commit("all"))
    print(f"index: {engine.count('all') / built:.0f} documents/s with their keys")
    matcher = Matcher(BIBFOLD, Retrieval(searched=BIBFOLD.searched))
    queries = [keys(prepare(record), settings) for record in questions]
    for _ in range(2):
        bare = [_seconds(lambda terms=terms: _bare(engine, terms, matcher.retrieval)) for terms in queries]
        whole = [_seconds(lambda record=record: answers(matcher, engine, "all", [record])) for record in questions]
    quantiles = statistics.quantiles(whole, n=100)
    print(
        f"lookup: p50 {quantiles[49] * 1000:.2f} ms, p99 {quantiles[98] * 1000:.2f} ms, "
        f"{len(whole) / sum(whole):.0f}/s one at a time; bare engine {len(bare) / sum(bare):.0f}/s; "
        f"ratio {sum(bare) / sum(whole):.2f}"
    )
    engine.close()


def _bare(engine: Engine, terms: Terms, retrieval: Retrieval) -> None:
    engine.search("all", [Query({name: terms[name] for name in retrieval.searched})], retrieval.top_n)
    if terms["identifier"]:
        engine.search("all", [Query({"identifier": terms["identifier"]})], retrieval.top_n)


def _puts(records: Path, settings: KeySettings, questions: list[Record]) -> Iterator[Put]:
    for number, record in enumerate(read_files([str(records)])):
        assert isinstance(record, Record)
        if number % 293 == 0 and len(questions) < QUESTIONS:
            questions.append(record)
        yield Put(document(number, record, settings))


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
