"""Runs the real dedupe, link or fold over one data set with one metric, and measures what comes of it."""

import csv
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from evaluation.pairs import Key, closure, pair
from evaluation.records import fingerprint
from evaluation.replay.figures import cluster_figures, pair_figures, score_data
from evaluation.replay.replay import stripped
from evaluation.replay.same_to_itself import merged
from evaluation.runs import Run, settings_data, this_version
from evaluation.truth import Truth, read_result, read_truth
from ingest.dedupe import dedupe
from ingest.link import link
from ingest.run import Watcher
from lookup.profiles import BIBFOLD, MENDELEY, PROFILES

PAPERS_WAY: Final = {"identifiers": False, "canonical": "founder", "bridge": "join-best"}
"""How the paper folds: by metadata alone, the first record of a cluster stands for it."""

THRESHOLDS: Final = (0.4, 0.5)
"""Where the paper's own metric is tried: its system's threshold, and that of its experiments."""

USUAL: Final = (BIBFOLD.name, MENDELEY.name)
"""The metrics that are measured unless others are asked for."""

Told = Callable[[int], Any]


class Way(msgspec.Struct, frozen=True):
    """A metric as it is measured: its profile, and the settings that go with it."""

    name: str
    profile: str
    layer: Mapping[str, Any]


class Outcome(msgspec.Struct, frozen=True):
    """What a run over a set found: figures, missed and wrong pairs; `read` is how many records it had."""

    read: int
    figures: dict[str, Any]
    missed: Sequence[Key] = ()
    wrong: Sequence[Key] = ()


def ways(profiles: Sequence[str] = USUAL) -> list[Way]:
    """The ways in which these profiles are measured: the paper's fold as it does, its own metric at two thresholds."""
    found = []
    for name in profiles:
        if name == MENDELEY.name:
            found += [
                Way(f"{name} at {at}", name, {"profile": name, "same": at, "unsure": at, **PAPERS_WAY})
                for at in THRESHOLDS
            ]
        else:
            found.append(Way(name, name, {"profile": name, **({} if name == BIBFOLD.name else PAPERS_WAY)}))
    return found


WAYS: Final = {way.name: way for way in ways(tuple(PROFILES))}
"""Every way by name."""


def measure(one: DataSet, folder: Path, way: Way, layers: Layers = (), *, seed: int = 0, told: Told = print) -> Run:
    """Run over a set once; `layers` are settings that hold for all ways."""
    every = [*layers, way.layer]
    began = time.monotonic()
    outcome = _TASKS[one.task](one, folder, every, seed, told)
    seconds = time.monotonic() - began
    speed = {"seconds": round(seconds, 2), "records_per_second": round(outcome.read / seconds, 1)}
    settings = {"set": one.name, "way": way.name, **settings_data(every, SETTINGS), "seed": seed}
    figures = {"records": outcome.read, **outcome.figures, **speed}
    return Run(
        "benchmark",
        this_version(),
        settings,
        _data(one, folder, outcome.read),
        figures,
        list(outcome.missed),
        list(outcome.wrong),
    )


SETTINGS: Final = ("engine", "profile", "same", "unsure", "top_n", "retriever", "identifiers", "canonical", "bridge")


def items(one: DataSet, folder: Path) -> Iterator[Record | DeadLetter]:
    """The records of a set, as it wants them."""
    every = read_files([str(folder / "records.jsonl.gz")])
    return islice(stripped(every) if one.bare else every, one.first)


def truth_of(folder: Path) -> Truth:
    """What is known of a set's pairs, of judged records only where not all are."""
    judged = folder / "judged.txt.gz"
    return read_truth(str(folder / "gold.csv.gz"), str(judged) if judged.exists() else None)


def _dedupe(one: DataSet, folder: Path, layers: Layers, seed: int, told: Told) -> Outcome:
    with TemporaryDirectory(prefix="bibfold-") as place:
        summary = dedupe(items(one, folder), Path(place), layers, Watcher(progress=told))
        clusters = dict(read_result(f"{place}/clusters.csv"))
    truth = truth_of(folder)
    counted = count_pairs(truth, clusters)
    figures = {
        "canonical": summary.canonical,
        "unsure": summary.unsure,
        **pair_figures(counted, seed),
        "clusters": cluster_figures(cells(clusters, closure(truth.same)), seed),
    }
    return _outcome(summary.records, figures, counted)


def _link(one: DataSet, folder: Path, layers: Layers, seed: int, told: Told) -> Outcome:
    def side(source: str) -> Iterator[Record | DeadLetter]:
        return (item for item in items(one, folder) if isinstance(item, DeadLetter) or item.source == source)

    left, right = one.sides
    with TemporaryDirectory(prefix="bibfold-") as place:
        summary = link(side(left), side(right), Path(place), layers, one_to_one=one.one_to_one)
        same, every = _links(Path(place, "links.csv"))
    told(summary.left + summary.right)
    truth = truth_of(folder)
    counted = count_links(truth, same)
    figures = {
        "links": summary.links,
        "unsure": summary.unsure,
        **pair_figures(counted, seed),
        "with_unsure": score_data(count_links(truth, every).score),
    }
    return _outcome(summary.left + summary.right, figures, counted)


def _distinct(one: DataSet, folder: Path, layers: Layers, seed: int, told: Told) -> Outcome:
    found = merged(items(one, folder), layers, Watcher(progress=told), worst=0)
    names = ("canonical", "unsure", "wrongly_merged", "share_wrongly_merged", "false_positives")
    return Outcome(found.figures["records"], {name: found.figures[name] for name in names}, (), found.wrong)


_TASKS: Final = {"dedupe": _dedupe, "link": _link, "distinct": _distinct}


def _outcome(read: int, figures: dict[str, Any], counted: Counted) -> Outcome:
    return Outcome(read, figures, counted.missed, counted.wrong)


def _links(path: Path) -> tuple[set[Key], set[Key]]:
    """The links called the same, and those with the unsure ones."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = [(pair(row["a"], row["b"]), row["decision"]) for row in csv.DictReader(file)]
    return {two for two, decision in rows if decision == "same"}, {two for two, _ in rows}


def _data(one: DataSet, folder: Path, read: int) -> dict[str, Any]:
    names = {"records": "records.jsonl.gz", "truth": "gold.csv.gz", "judged": "judged.txt.gz"}
    there = {what: folder / name for what, name in names.items() if (folder / name).exists()}
    data: dict[str, Any] = {what: {"fingerprint": fingerprint(str(path))} for what, path in there.items()}
    data["records"]["count"] = read
    return data
