"""Prints how far the clusters of `bibfold dedupe` depend on the order of its input.

Each set is folded in the order of its file and in shuffled orders. A record counts as moved where the members of its
cluster are not those that it has in the file's order. `python -m benchmarks.order --sets stroke --orders 2` for a quick
look; `--no-settle` leaves out the last pass, and shows what the fold alone decides.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bibfold.records.formats.files import read_files
from bibfold.records.model import DeadLetter, Record
from bibfold.workspace import Layers
from evaluation.benchmark.measure import truth_of
from evaluation.benchmark.sets import data_folders, find
from evaluation.metrics.counting import count_pairs, members_of
from evaluation.truth import Truth, read_result
from ingest.dedupe import dedupe

SETS = ("dblp-acm", "stroke", "cytology-screening", "diabetes", "cora")

HEAD = """\
| set | order | moved records | share | precision | recall | F1 | seconds |
|---|---|---|---|---|---|---|---|"""


class Folded(NamedTuple):
    """A run over one order: for each record the members of its cluster, and how good the clusters are."""

    together: Mapping[str, frozenset[str]]
    cells: Sequence[str]


def main(arguments: Sequence[str] = ()) -> None:
    """Fold every set in every order, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--orders", type=int, default=5, help="How many shuffled orders.")
    parser.add_argument("--profile", default="bibfold")
    parser.add_argument("--no-settle", action="store_true")
    asked = parser.parse_args(arguments)
    layers: Layers = [{"profile": asked.profile, "settle": not asked.no_settle}]
    print(HEAD, flush=True)
    for name in asked.sets:
        folder = find(name, data_folders(os.environ.get("BIBFOLD_DATA")))
        if folder is None:
            print(f"{name}: not found (BIBFOLD_DATA); left out")
            continue
        _measure(name, folder, asked.orders, layers)


def _measure(name: str, folder: Path, orders: int, layers: Layers) -> None:
    items = list(read_files([str(folder / "records.jsonl.gz")]))
    truth = truth_of(folder)
    first = _folded(items, truth, layers)
    _show(name, "file", 0, first)
    for seed in range(1, orders + 1):
        shuffled = list(items)
        random.Random(seed).shuffle(shuffled)
        folded = _folded(shuffled, truth, layers)
        moved = sum(folded.together[key] != members for key, members in first.together.items())
        _show(name, f"seed {seed}", moved, folded)


def _folded(items: Sequence[Record | DeadLetter], truth: Truth, layers: Layers) -> Folded:
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        dedupe(items, Path(scratch), layers)
        clusters = dict(read_result(f"{scratch}/clusters.csv"))
    seconds = time.perf_counter() - began
    score = count_pairs(truth, clusters).score
    together = {key: frozenset(keys) for keys in members_of(clusters).values() for key in keys}
    return Folded(
        together, [f"{figure:.4f}" for figure in (score.precision, score.recall, score.f1)] + [f"{seconds:.1f}"]
    )


def _show(name: str, order: str, moved: int, folded: Folded) -> None:
    share = f"{100 * moved / len(folded.together):.2f} %"
    print(f"| {' | '.join((name, order, str(moved), share, *folded.cells))} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
