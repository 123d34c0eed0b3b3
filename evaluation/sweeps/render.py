"""Sweeps, distributions and recall as tables for a terminal and as sections of a report."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from evaluation.report.page import Section, beside_html, figure_html, table_html
from evaluation.report.plots import bars, lines
from evaluation.sweeps.distributions import LABELS, Distribution, counts_with_shares, percentages
from evaluation.sweeps.labelled_pairs import LabelledPairs
from evaluation.sweeps.retrieval import CUTS, Recall, SearchMethod
from evaluation.sweeps.sweep import Sweep, ThresholdResult
from evaluation.tables import table

SWEEP_HEADER = ("threshold", "precision", "recall", "F1")
BEST_HEADER = ("metric", "set to", "F1", "best at", "F1", "precision", "recall", "finest at", "F1")
OVERLAP_HEADER = ("metric", "overlap", "ordered rightly")
RECALL_HEADER = ("engine", "found by", *(f"@{cut}" for cut in CUTS), "candidates", "ms a query")
COUNTED = {
    "either": "Pairs of which either record finds the other",
    "later": "Pairs of which the later record finds the earlier",
    "partner": "Records that find another record of their work",
}
"""The three ways to count recall, each with its caption."""

Rows = list[tuple[Any, ...]]
Found = Mapping[tuple[str, SearchMethod], Recall]


def pairs_line(pairs: LabelledPairs) -> str:
    """How many pairs were scored, and where they come from."""
    same = int(pairs.same.sum())
    line = f"{same:,} pairs of the same work, {len(pairs.same) - same:,} of different ones"
    if pairs.proposed:
        line += " (those that the index proposes and the truth does not hold: it names no different ones)"
    if pairs.unknown:
        line += f"; {len(pairs.unknown):,} records of the truth are not there"
    return line


def sweep_lines(sweeps: Mapping[str, Sweep]) -> list[str]:
    """A table for each metric, then the best threshold of each."""
    found: list[str] = []
    for name, sweep in sweeps.items():
        found += [name, *table(SWEEP_HEADER, _threshold_rows(sweep)), ""]
    return [*found, *table(BEST_HEADER, _best_rows(sweeps))]


def sweep_sections(sweeps: Mapping[str, Sweep], pairs: LabelledPairs) -> list[Section]:
    """The best of each metric, F1 of all of them, and each by itself."""
    curves = {name: [(result.threshold, result.f1) for result in sweep.spots] for name, sweep in sweeps.items()}
    together = figure_html(lines(curves, x="threshold", y="F1", title="F1 of each metric over the threshold"))
    note = (
        f"{pairs_line(pairs)}. Pairs that score at least the threshold are called the same. Set to: the profile's own "
        "threshold; best: the best of those in the tables; finest: the best of all thresholds."
    )
    return [Section("Best thresholds", table_html(BEST_HEADER, _best_rows(sweeps)) + together, note)] + [
        Section(name, beside_html(table_html(SWEEP_HEADER, _threshold_rows(sweep)), _curves(name, sweep)))
        for name, sweep in sweeps.items()
    ]


def _curves(name: str, sweep: Sweep) -> str:
    curves = {
        "precision": [(result.threshold, result.precision) for result in sweep.spots],
        "recall": [(result.threshold, result.recall) for result in sweep.spots],
        "F1": [(result.threshold, result.f1) for result in sweep.spots],
    }
    return figure_html(lines(curves, x="threshold", y="share", title=f"{name}: precision, recall and F1"))


def _threshold_rows(sweep: Sweep) -> Rows:
    return [(f"{result.threshold:g}", result.precision, result.recall, result.f1) for result in sweep.spots]


def _best_rows(sweeps: Mapping[str, Sweep]) -> Rows:
    return [
        (
            name,
            *_threshold_cells(sweep.own),
            *_threshold_cells(sweep.best),
            sweep.best.precision,
            sweep.best.recall,
            *_threshold_cells(sweep.finest),
        )
        for name, sweep in sweeps.items()
    ]


def _threshold_cells(result: ThresholdResult) -> tuple[str, float]:
    return f"{result.threshold:.4g}", result.f1


def distribution_lines(found: Mapping[str, Distribution]) -> list[str]:
    """A table for each metric, then how far duplicates and non-duplicates overlap."""
    made: list[str] = []
    for name, distribution in found.items():
        made += [name, *table(_classes(distribution), _ranges(distribution)), ""]
    return [*made, *table(OVERLAP_HEADER, _overlaps(found))]


def distribution_sections(found: Mapping[str, Distribution], pairs: LabelledPairs) -> list[Section]:
    """How far duplicates and non-duplicates overlap by each metric, and the distributions of each."""
    note = (
        f"{pairs_line(pairs)}. Overlap: what the two distributions have in common over the ten ranges, from 0 to 1. "
        "Ordered rightly: how often a duplicate scores above a non-duplicate, ties counting half."
    )
    return [Section("Overlap", table_html(OVERLAP_HEADER, _overlaps(found)), note)] + [
        Section(
            name, beside_html(table_html(_classes(distribution), _ranges(distribution)), _histogram(name, distribution))
        )
        for name, distribution in found.items()
    ]


def _histogram(name: str, distribution: Distribution) -> str:
    groups = {word: percentages(counts) for word, counts in _present(distribution).items()}
    return figure_html(bars(groups, LABELS, x="similarity", y="% of pairs", title=f"{name}: similarities"))


def _present(distribution: Distribution) -> dict[str, tuple[int, ...]]:
    both = {"duplicates": distribution.same, "non-duplicates": distribution.different}
    return {word: counts for word, counts in both.items() if sum(counts)}


def _classes(distribution: Distribution) -> tuple[str, ...]:
    return ("similarity", *_present(distribution))


def _ranges(distribution: Distribution) -> Rows:
    columns = [counts_with_shares(counts) for counts in _present(distribution).values()]
    widths = [max(map(len, column)) for column in columns]
    right = [[cell.rjust(width) for cell in column] for column, width in zip(columns, widths, strict=True)]
    return list(zip(LABELS, *right, strict=True))


def _overlaps(found: Mapping[str, Distribution]) -> Rows:
    return [(name, distribution.overlap, distribution.ordered) for name, distribution in found.items()]


def recall_lines(found: Found) -> list[str]:
    """Recall at every N by engine and search method, for each way of counting."""
    made: list[str] = []
    for name, words in COUNTED.items():
        made += [words, *table(RECALL_HEADER, _recalls(found, name)), ""]
    return made[:-1]


def recall_sections(found: Found) -> list[Section]:
    """Recall at every N as lines and as a table, for each way of counting."""
    several = len({engine for engine, _ in found}) > 1
    return [
        Section(
            words,
            figure_html(
                lines(_recall_curves(found, name, several), x="candidates looked at", y="recall", title=words, log=True)
            )
            + table_html(RECALL_HEADER, _recalls(found, name)),
        )
        for name, words in COUNTED.items()
    ]


def _recall_curves(found: Found, name: str, several: bool) -> dict[str, Sequence[tuple[float, float]]]:
    return {
        f"{engine}: {method.name}" if several else method.name: list(zip(CUTS, getattr(recall, name), strict=True))
        for (engine, method), recall in found.items()
    }


def _recalls(found: Found, name: str) -> Rows:
    return [
        (engine, method.name, *getattr(recall, name), f"{recall.candidates:10.1f}", f"{recall.milliseconds:10.2f}")
        for (engine, method), recall in found.items()
    ]


def recall_figures(found: Found) -> list[dict[str, Any]]:
    """Recall as plain data."""
    return [
        {
            "engine": engine,
            "found_by": method.name,
            **{
                name: dict(zip(map(str, CUTS), values, strict=True)) if isinstance(values, tuple) else values
                for name, values in msgspec.structs.asdict(recall).items()
            },
        }
        for (engine, method), recall in found.items()
    ]
