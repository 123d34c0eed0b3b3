"""Runs dedupe, link or the fold on one data set with one profile, and measures the result."""

import csv
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from bibfold.records.formats.files import read_files
from bibfold.records.model import DeadLetter, Record
from bibfold.workspace import Layers
from evaluation.benchmark.sets import DataSet
from evaluation.metrics.clusters import cells
from evaluation.metrics.counting import Counted, count_links, count_pairs
from evaluation.pairs import Pair, closure, make_pair
from evaluation.progress import OnProgress, no_progress
from evaluation.records import fingerprint, without_identifiers
from evaluation.replay.distinct import fold_distinct
from evaluation.replay.figures import cluster_figures, pair_figures, score_data
from evaluation.runs import EvaluationRun, settings_data, this_version
from evaluation.truth import Truth, read_result, read_truth
from ingest.dedupe import dedupe
from ingest.link import link
from ingest.observer import Observer
from lookup.profiles import BIBFOLD, MENDELEY, PROFILES

PAPER_SETTINGS: Final = {"identifiers": False, "canonical": "founder", "bridge": "join-best", "settle": False}
"""The paper's way to fold: by metadata alone, in the order of arrival; the first record of a cluster represents it."""

THRESHOLDS: Final = (0.4, 0.5)
"""The thresholds of the paper's own metric: its system's, and that of its experiments."""

DEFAULT_PROFILES: Final = (BIBFOLD.name, MENDELEY.name)
"""The profiles that are measured by default."""


class Variant(msgspec.Struct, frozen=True):
    """A profile with the settings that it is measured with."""

    name: str
    profile: str
    layer: Mapping[str, Any]


class Outcome(msgspec.Struct, frozen=True):
    """The result on a set: the number of records read, the figures, and the missed and wrong pairs."""

    read: int
    figures: dict[str, Any]
    missed: Sequence[Pair] = ()
    wrong: Sequence[Pair] = ()


def variants(profiles: Sequence[str] = DEFAULT_PROFILES) -> list[Variant]:
    """The variants of these profiles: the paper's fold as the paper does, `mendeley` at two thresholds."""
    found = []
    for name in profiles:
        if name == MENDELEY.name:
            found += [
                Variant(f"{name} at {at}", name, {"profile": name, "same": at, "unsure": at, **PAPER_SETTINGS})
                for at in THRESHOLDS
            ]
        else:
            found.append(Variant(name, name, {"profile": name, **({} if name == BIBFOLD.name else PAPER_SETTINGS)}))
    return found


VARIANTS: Final = {variant.name: variant for variant in variants(tuple(PROFILES))}
"""Every variant by name."""


def measure(
    data_set: DataSet,
    folder: Path,
    variant: Variant,
    layers: Layers = (),
    *,
    seed: int = 0,
    on_progress: OnProgress = no_progress,
) -> EvaluationRun:
    """Measure a set with a variant; `layers` are settings that hold for all variants."""
    every = [*layers, variant.layer]
    began = time.monotonic()
    outcome = _TASKS[data_set.task](data_set, folder, every, seed, on_progress)
    seconds = time.monotonic() - began
    speed = {"seconds": round(seconds, 2), "records_per_second": round(outcome.read / seconds, 1)}
    settings = {"set": data_set.name, "way": variant.name, **settings_data(every, SETTINGS), "seed": seed}
    figures = {"records": outcome.read, **outcome.figures, **speed}
    return EvaluationRun(
        "benchmark",
        this_version(),
        settings,
        _data(data_set, folder, outcome.read),
        figures,
        list(outcome.missed),
        list(outcome.wrong),
    )


SETTINGS: Final = (
    "engine",
    "profile",
    "same",
    "unsure",
    "top_n",
    "retriever",
    "identifiers",
    "canonical",
    "bridge",
    "settle",
)


def items(data_set: DataSet, folder: Path) -> Iterator[Record | DeadLetter]:
    """The records of a set: without identifiers if it is bare, and no more than its limit."""
    every = read_files([str(folder / "records.jsonl.gz")])
    return islice(without_identifiers(every) if data_set.bare else every, data_set.first)


def truth_of(folder: Path) -> Truth:
    """The truth of a set, restricted to judged records where it lists them."""
    judged = folder / "judged.txt.gz"
    return read_truth(str(folder / "gold.csv.gz"), str(judged) if judged.exists() else None)


def _dedupe(data_set: DataSet, folder: Path, layers: Layers, seed: int, on_progress: OnProgress) -> Outcome:
    with TemporaryDirectory(prefix="bibfold-") as folder_name:
        summary = dedupe(items(data_set, folder), Path(folder_name), layers, Observer(progress=on_progress))
        clusters = dict(read_result(f"{folder_name}/clusters.csv"))
    truth = truth_of(folder)
    counted = count_pairs(truth, clusters)
    figures = {
        "canonical": summary.canonical,
        "unsure": summary.unsure,
        **pair_figures(counted, seed),
        "clusters": cluster_figures(cells(clusters, closure(truth.same)), seed),
    }
    return _outcome(summary.records, figures, counted)


def _link(data_set: DataSet, folder: Path, layers: Layers, seed: int, on_progress: OnProgress) -> Outcome:
    def side(source: str) -> Iterator[Record | DeadLetter]:
        return (item for item in items(data_set, folder) if isinstance(item, DeadLetter) or item.source == source)

    left, right = data_set.sides
    with TemporaryDirectory(prefix="bibfold-") as folder_name:
        summary = link(side(left), side(right), Path(folder_name), layers, one_to_one=data_set.one_to_one)
        same, every = _links(Path(folder_name, "links.csv"))
    on_progress(summary.left + summary.right)
    truth = truth_of(folder)
    counted = count_links(truth, same)
    figures = {
        "links": summary.links,
        "unsure": summary.unsure,
        **pair_figures(counted, seed),
        "with_unsure": score_data(count_links(truth, every).score),
    }
    return _outcome(summary.left + summary.right, figures, counted)


def _distinct(data_set: DataSet, folder: Path, layers: Layers, seed: int, on_progress: OnProgress) -> Outcome:
    found = fold_distinct(items(data_set, folder), layers, Observer(progress=on_progress), worst=0)
    names = ("canonical", "unsure", "wrongly_merged", "share_wrongly_merged", "false_positives")
    return Outcome(found.figures["records"], {name: found.figures[name] for name in names}, (), found.wrong)


_TASKS: Final = {"dedupe": _dedupe, "link": _link, "distinct": _distinct}


def _outcome(read: int, figures: dict[str, Any], counted: Counted) -> Outcome:
    return Outcome(read, figures, counted.missed, counted.wrong)


def _links(path: Path) -> tuple[set[Pair], set[Pair]]:
    """The links called the same, and those with the unsure ones."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = [(make_pair(row["a"], row["b"]), row["decision"]) for row in csv.DictReader(file)]
    return {pair for pair, decision in rows if decision == "same"}, {pair for pair, _ in rows}


def _data(data_set: DataSet, folder: Path, read: int) -> dict[str, Any]:
    names = {"records": "records.jsonl.gz", "truth": "gold.csv.gz", "judged": "judged.txt.gz"}
    there = {what: folder / name for what, name in names.items() if (folder / name).exists()}
    data: dict[str, Any] = {what: {"fingerprint": fingerprint(str(path))} for what, path in there.items()}
    data["records"]["count"] = read
    return data
