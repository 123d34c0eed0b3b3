"""Sweeps, distributions and recall as tables for a terminal and as sections of a report."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from evaluation.report.page import Section, beside_html, figure_html, table_html
from evaluation.report.plots import bars, lines
from evaluation.sweeps.distributions import LABELS, Distribution, shares, told
from evaluation.sweeps.known import Known
from evaluation.sweeps.retrieval import CUTS, Recall, Way
from evaluation.sweeps.sweep import Spot, Sweep
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
"""The three ways to count what was found."""

Rows = list[tuple[Any, ...]]
Found = Mapping[tuple[str, Way], Recall]


def pairs_line(known: Known) -> str:
    """How many pairs were looked at, and where they come from."""
    same = int(known.same.sum())
    line = f"{same:,} pairs of the same work, {len(known.same) - same:,} of different ones"
    if known.proposed:
        line += " (those that the index proposes and the truth does not hold: it names no different ones)"
    if known.unknown:
        line += f"; {len(known.unknown):,} records of the truth are not there"
    return line


def sweep_lines(sweeps: Mapping[str, Sweep]) -> list[str]:
    """A table for each metric, then the best of each."""
    found: list[str] = []
    for name, one in sweeps.items():
        found += [name, *table(SWEEP_HEADER, _spots(one)), ""]
    return [*found, *table(BEST_HEADER, _best(sweeps))]


def sweep_sections(sweeps: Mapping[str, Sweep], known: Known) -> list[Section]:
    """The best of each metric, F1 of all of them, and each by itself."""
    curves = {name: [(spot.threshold, spot.f1) for spot in one.spots] for name, one in sweeps.items()}
    together = figure_html(lines(curves, x="threshold", y="F1", title="F1 of each metric over the threshold"))
    note = (
        f"{pairs_line(known)}. Pairs that score at least the threshold are held to be the same. Set to: the "
        "threshold that the profile has; best: of those in the tables; finest: of all that there are."
    )
    return [Section("Sweet spots", table_html(BEST_HEADER, _best(sweeps)) + together, note)] + [
        Section(name, beside_html(table_html(SWEEP_HEADER, _spots(one)), _curves(name, one)))
        for name, one in sweeps.items()
    ]


def _curves(name: str, one: Sweep) -> str:
    curves = {
        "precision": [(spot.threshold, spot.precision) for spot in one.spots],
        "recall": [(spot.threshold, spot.recall) for spot in one.spots],
        "F1": [(spot.threshold, spot.f1) for spot in one.spots],
    }
    return figure_html(lines(curves, x="threshold", y="share", title=f"{name}: precision, recall and F1"))


def _spots(one: Sweep) -> Rows:
    return [(f"{spot.threshold:g}", spot.precision, spot.recall, spot.f1) for spot in one.spots]


def _best(sweeps: Mapping[str, Sweep]) -> Rows:
    return [
        (name, *_at(one.own), *_at(one.best), one.best.precision, one.best.recall, *_at(one.finest))
        for name, one in sweeps.items()
    ]


def _at(spot: Spot) -> tuple[str, float]:
    return f"{spot.threshold:.4g}", spot.f1


def distribution_lines(found: Mapping[str, Distribution]) -> list[str]:
    """A table for each metric, then how far duplicates and non-duplicates overlap."""
    made: list[str] = []
    for name, one in found.items():
        made += [name, *table(_classes(one), _ranges(one)), ""]
    return [*made, *table(OVERLAP_HEADER, _overlaps(found))]


def distribution_sections(found: Mapping[str, Distribution], known: Known) -> list[Section]:
    """How far duplicates and non-duplicates overlap by each metric, and the distributions of each."""
    note = (
        f"{pairs_line(known)}. Overlap: what the two distributions have in common over the ten ranges, from 0 to 1. "
        "Ordered rightly: how often a duplicate scores above a non-duplicate, ties counting half."
    )
    return [Section("Overlap", table_html(OVERLAP_HEADER, _overlaps(found)), note)] + [
        Section(name, beside_html(table_html(_classes(one), _ranges(one)), _histogram(name, one)))
        for name, one in found.items()
    ]


def _histogram(name: str, one: Distribution) -> str:
    groups = {word: shares(counts) for word, counts in _present(one).items()}
    return figure_html(bars(groups, LABELS, x="similarity", y="% of pairs", title=f"{name}: similarities"))


def _present(one: Distribution) -> dict[str, tuple[int, ...]]:
    both = {"duplicates": one.same, "non-duplicates": one.different}
    return {word: counts for word, counts in both.items() if sum(counts)}


def _classes(one: Distribution) -> tuple[str, ...]:
    return ("similarity", *_present(one))


def _ranges(one: Distribution) -> Rows:
    columns = [told(counts) for counts in _present(one).values()]
    widths = [max(map(len, column)) for column in columns]
    right = [[cell.rjust(width) for cell in column] for column, width in zip(columns, widths, strict=True)]
    return list(zip(LABELS, *right, strict=True))


def _overlaps(found: Mapping[str, Distribution]) -> Rows:
    return [(name, one.overlap, one.ordered) for name, one in found.items()]


def recall_lines(found: Found) -> list[str]:
    """Recall at every N, by engine and way, for each way of counting."""
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
        f"{engine}: {way.name}" if several else way.name: list(zip(CUTS, getattr(one, name), strict=True))
        for (engine, way), one in found.items()
    }


def _recalls(found: Found, name: str) -> Rows:
    return [
        (engine, way.name, *getattr(one, name), f"{one.candidates:10.1f}", f"{one.milliseconds:10.2f}")
        for (engine, way), one in found.items()
    ]


def recall_figures(found: Found) -> list[dict[str, Any]]:
    """Recall as plain data."""
    return [
        {
            "engine": engine,
            "found_by": way.name,
            **{
                name: dict(zip(map(str, CUTS), values, strict=True)) if isinstance(values, tuple) else values
                for name, values in msgspec.structs.asdict(one).items()
            },
        }
        for (engine, way), one in found.items()
    ]
