"""Prints how `bibfold dedupe` grows with its input, beside splink where a Python that has it is named.

The work: the first N arXiv records without identifiers, each tenth with a misspelt, shortened or cut copy; clusters are
measured against which is whose copy. `python -m benchmarks.scale --sizes 50000` for a quick look. With
`--splink FOLDER/bin/python` (a virtual environment with splink 5, duckdb, pyarrow and pandas) the same files go through
splink in the same run, both timed from reading to clusters written.
"""

import argparse
import csv
import gzip
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from evaluation.benchmark.sets import data_folders, find
from evaluation.pairs import Score

SIZES = (50_000, 200_000, 500_000)
COPIED = 0.1
SPLINK = Path(__file__).with_name("splink_dedupe.py")

HEAD = """\
| program | records | wall, s | processor, s | us a record | records/s | peak memory, MB | precision | recall | F1 |
|---|---|---|---|---|---|---|---|---|---|"""


class Measured(NamedTuple):
    """One program's run over one size."""

    records: int
    wall: float
    processor: float
    memory: float
    score: Score


def main(arguments: Sequence[str] = ()) -> None:
    """Measure every size, then say how the processor time of bibfold grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--splink", help="The Python of an environment that has splink.")
    asked = parser.parse_args(arguments)
    arxiv = find("arxiv", data_folders(os.environ.get("BIBFOLD_DATA")))
    if arxiv is None:
        print("arxiv set not found (BIBFOLD_DATA): growth is not measured")
        return
    print(HEAD, flush=True)
    grown = []
    for size in asked.sizes:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            truth = make_noisy(arxiv / "records.jsonl.gz", size, folder)
            grown.append(_show("bibfold", _bibfold(folder, truth)))
            if asked.splink:
                _show("splink", _splink(asked.splink, folder, truth))
    for small, large in itertools.pairwise(grown):
        exponent = math.log(large.processor / small.processor) / math.log(large.records / small.records)
        print(f"growth exponent of processor time, {small.records:,} to {large.records:,} records: {exponent:.2f}")


def make_noisy(records: Path, size: int, folder: Path) -> set[tuple[str, str]]:
    """Write the first records without identifiers, each tenth with a noisy copy; which two are the same."""
    chance = random.Random(7)
    truth = set()
    with gzip.open(records, "rb") as lines, gzip.open(folder / "records.jsonl.gz", "wt", compresslevel=1) as out:
        for number, line in enumerate(itertools.islice(lines, size)):
            data = json.loads(line)
            kept = {"authors": data.get("authors", []), "year": data.get("year")}
            out.write(json.dumps({"source": "r", "id": f"r{number}", "title": data["title"], **kept}) + "\n")
            if chance.random() < COPIED:
                title = _noisy(data["title"], chance)
                out.write(json.dumps({"source": "d", "id": f"d{number}", "title": title, **kept}) + "\n")
                truth.add((f"r:r{number}", f"d:d{number}"))
    return truth


def _noisy(title: str, chance: random.Random) -> str:
    """A title that lacks a word, lacks a letter, is cut, or is as it was."""
    words, kind = title.split(), chance.random()
    if kind < 0.3 and len(words) > 3:
        words.pop(chance.randrange(len(words)))
    elif kind < 0.7:
        at = chance.randrange(len(words))
        letter = chance.randrange(len(words[at]))
        words[at] = words[at][:letter] + words[at][letter + 1 :]
    elif kind < 0.85:
        words = words[: max(3, len(words) * 2 // 3)]
    return " ".join(words)


def _bibfold(folder: Path, truth: set[tuple[str, str]]) -> Measured:
    command = [sys.executable, "-m", "bibfold.cli", "dedupe", "records.jsonl.gz", "--out", "folded"]
    return _measured(command, folder, "folded/clusters.csv", truth)


def _splink(python: str, folder: Path, truth: set[tuple[str, str]]) -> Measured:
    return _measured([python, str(SPLINK), "records.jsonl.gz", "splink.csv"], folder, "splink.csv", truth)


def _measured(command: Sequence[str], folder: Path, clusters: str, truth: set[tuple[str, str]]) -> Measured:
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} failed with status {process.returncode}")
    wall = time.perf_counter() - started
    memory = usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
    cluster_of = _cluster_of(folder / clusters)
    right = sum(cluster_of[one] == cluster_of[other] for one, other in truth)
    found = sum(size * (size - 1) // 2 for size in Counter(cluster_of.values()).values())
    return Measured(
        len(cluster_of),
        wall,
        usage.ru_utime + usage.ru_stime,
        memory,
        Score(right, found - right, len(truth) - right),
    )


def _cluster_of(path: Path) -> dict[str, str]:
    with path.open(newline="", encoding="utf-8") as file:
        return {f"{row['source']}:{row['id']}": row["cluster"] for row in csv.DictReader(file)}


def _show(program: str, measured: Measured) -> Measured:
    cells = [
        program,
        f"{measured.records:,}",
        f"{measured.wall:.1f}",
        f"{measured.processor:.1f}",
        f"{measured.processor / measured.records * 1e6:.0f}",
        f"{measured.records / measured.wall:,.0f}",
        f"{measured.memory:,.0f}",
        f"{measured.score.precision:.3f}",
        f"{measured.score.recall:.3f}",
        f"{measured.score.f1:.3f}",
    ]
    print(f"| {' | '.join(cells)} |", flush=True)
    return measured


if __name__ == "__main__":
    main(sys.argv[1:])
