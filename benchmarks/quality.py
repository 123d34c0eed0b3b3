"""Prints precision, recall and F1 of the real commands on the public data sets, and what they merge wrongly."""

import csv
import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.data import find
from bibfold.engines.base import Document, Put, Query
from bibfold.engines.memory import Memory
from bibfold.records.keys import KeySettings, keys
from bibfold.records.native import decode
from bibfold.records.prepare import prepare
from evaluation.pairs import Key, Score, pair, score
from evaluation.truth import read_pairs

COMMAND = [sys.executable, "-m", "bibfold.cli"]
DEDUPED = ("stroke", "cytology-screening", "diabetes", "cora")
LINKED = {
    "dblp-acm": ("dblp", "acm", "--one-to-one"),
    "arxiv-revisions": ("arxiv-2019", "arxiv-2020", "--one-to-one"),
    "dblp-scholar": ("dblp", "scholar", "--one-to-many"),
}
THRESHOLDS = ("0.4", "0.5", "0.6", "0.7")
"""Where the profile `mendeley` is tried: the paper's own and its neighbours."""


def main() -> None:
    """Every set that is there; those of different works alone show only wrong merges."""
    for name in DEDUPED:
        if folder := find(name):
            _print(f"dedupe {name}", score(_deduped(folder), read_pairs(str(folder / "gold.csv.gz"))))
    for name, (left, right, way) in LINKED.items():
        if folder := find(name):
            _linked(folder, left, right, way)
    if folder := find("dblp-acm"):
        print(f"candidates dblp-acm: recall at 10 {_found_at(folder, 10):.4f}")
    for name in ("acl", "arxiv"):
        if folder := find(name):
            _wrongly_merged(folder, stripped=False)
            _wrongly_merged(folder, stripped=True)


def _linked(folder: Path, left: str, right: str, way: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        for source in (left, right):
            chosen = (line for line in _lines(folder) if json.loads(line)["source"] == source)
            Path(place, f"{source}.jsonl").write_bytes(b"".join(chosen))
        files = [f"{place}/{left}.jsonl", f"{place}/{right}.jsonl"]
        truth = read_pairs(str(folder / "gold.csv.gz"))
        _run("link", *files, way, "--out", f"{place}/out")
        same, every = _links(Path(place, "out", "links.csv"), _judged(folder))
        _print(f"link {folder.name}", score(same, truth))
        _print(f"link {folder.name}, unsure links too", score(every, truth))
        if folder.name == "dblp-acm":
            for at in THRESHOLDS:
                _run("link", *files, "--profile", "mendeley", "--same", at, "--unsure", at, "--out", f"{place}/{at}")
                _print(f"link {folder.name}, mendeley at {at}", score(read_pairs(f"{place}/{at}/links.csv"), truth))


def _links(path: Path, judged: set[str]) -> tuple[set[Key], set[Key]]:
    """The links called the same, and all of them; of judged records only, where not all are."""
    with path.open(newline="", encoding="utf-8") as file:
        rows: list[Mapping[str, str]] = [row for row in csv.DictReader(file) if not judged or row["a"] in judged]
    same = {pair(row["a"], row["b"]) for row in rows if row["decision"] == "same"}
    return same, {pair(row["a"], row["b"]) for row in rows}


def _judged(folder: Path) -> set[str]:
    path = folder / "judged.txt.gz"
    if not path.exists():
        return set()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {line.strip() for line in lines}


def _deduped(folder: Path) -> set[Key]:
    with tempfile.TemporaryDirectory() as place:
        _run("dedupe", str(folder / "records.jsonl.gz"), "--out", place)
        return read_pairs(f"{place}/clusters.csv")


def _wrongly_merged(folder: Path, *, stripped: bool) -> None:
    """Each record of the set is another work, so that every merge is an error."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "records.jsonl")
        with path.open("wb") as file:
            for line in _lines(folder):
                record = json.loads(line)
                if stripped:
                    record.pop("identifiers", None)
                file.write(json.dumps(record).encode() + b"\n")
        _run("dedupe", str(path), "--out", f"{place}/out")
        summary = json.loads(Path(place, "out", "summary.json").read_bytes())
    merged = summary["duplicates"] / summary["records"]
    unsure = summary["unsure"] / summary["records"]
    how = "without" if stripped else "with"
    print(f"dedupe {folder.name} {how} identifiers: {merged:.2%} wrongly merged, {unsure:.2%} unsure pairs a record")


def _found_at(folder: Path, limit: int) -> float:
    """The share of true pairs whose right record is among the best candidates by title bigrams of its left one."""
    records = {record.key: record for record in map(decode, _lines(folder))}
    terms = {key: {"title": keys(prepare(record), KeySettings())["title"]} for key, record in records.items()}
    truth = {one: other for two in read_pairs(str(folder / "gold.csv.gz")) for one, other in (two, two[::-1])}
    engine = Memory()
    engine.create("all")
    engine.write("all", (Put(Document(key, terms[key], records[key])) for key in records if key.startswith("acm:")))
    engine.commit("all")
    asked = [key for key in truth if not key.startswith("acm:")]
    hits = engine.search("all", [Query(terms[key]) for key in asked], limit)
    return sum(any(hit.id == truth[key] for hit in found) for key, found in zip(asked, hits, strict=True)) / len(asked)


def _lines(folder: Path) -> Iterator[bytes]:
    with gzip.open(folder / "records.jsonl.gz", "rb") as lines:
        yield from lines


def _run(*words: str) -> None:
    subprocess.run([*COMMAND, *words], check=True, capture_output=True)


def _print(what: str, found: Score) -> None:
    print(f"{what}: precision {found.precision:.4f}, recall {found.recall:.4f}, F1 {found.f1:.4f}", flush=True)


if __name__ == "__main__":
    main()
