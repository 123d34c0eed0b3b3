"""The report pages of the commands that measure whole runs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bibfold.records.model import Record
from evaluation.comparisons import compare_pairs
from evaluation.pairs import Pair, closure, make_pair
from evaluation.replay.distinct import WrongCluster
from evaluation.replay.misses import CAUSES, Miss, worst_first
from evaluation.replay.replay import ReplayResult
from evaluation.replay.texts import (
    CAUSE_HEADER,
    MEASURES,
    NOISE_HEADER,
    cause_rows,
    count_rows,
    measure_rows,
    noise_rows,
    pair_rows,
)
from evaluation.report.page import Section, figure_html, pair_html, table_html
from evaluation.report.plots import bars
from lookup.matcher import matcher_of

WORST = 20
"""How many pairs of a kind are shown side by side."""

CHOICE = 1_000
"""From how many pairs these are chosen."""

SIZES = (1, 2, 3, 4, 5, 10, 20, 50, 100)
"""The lower bounds of the bars of cluster sizes."""


def replay_sections(result: ReplayResult, figures: Mapping[str, Any], records: Mapping[str, Record]) -> list[Section]:
    """The sections of a replay: measures, pairs, counts, cluster sizes, and errors side by side."""
    counted = result.counted
    sections = [
        Section("Precision and recall", table_html(MEASURES, measure_rows(figures)), _INTERVALS),
        Section("Pairs", table_html(("", "same", "different"), pair_rows(figures)), _SKIPPED),
        Section("Counts", table_html(("", ""), count_rows(figures))),
        Section("Cluster sizes", figure_html(_sizes_plot(result)), "How many clusters have so many records."),
    ]
    missed, wrong = striking(result)
    if missed:
        html = _side_by_side(result, missed, records, best=True)
        sections.append(
            Section("Missed pairs", html, f"{_HIGHEST} {_note(len(missed), counted.score.false_negatives)}")
        )
    if wrong:
        html = _side_by_side(result, wrong, records, best=False)
        sections.append(Section("Wrong pairs", html, f"{_LOWEST} {_note(len(wrong), counted.score.false_positives)}"))
    return sections


def misses_sections(misses: Sequence[Miss], records: Mapping[str, Record]) -> list[Section]:
    """The sections of missed pairs: counts by cause, then for each cause those that score highest, side by side."""
    sections = [Section("Why pairs were lost", table_html(CAUSE_HEADER, cause_rows(misses)))]
    if noise := noise_rows(misses):
        sections.append(Section("By kind of noise", table_html(NOISE_HEADER, noise)))
    for cause in CAUSES:
        chosen = worst_first(miss for miss in misses if miss.cause == cause)
        if chosen:
            rows = [(miss.a, miss.b, f"{miss.comparison.score:.3f}", miss.detail) for miss in chosen[:WORST]]
            pairs = [pair_html(records[miss.a], records[miss.b], miss.comparison) for miss in chosen[:WORST]]
            html = table_html(("a", "b", "score", "why"), rows) + "".join(pairs)
            sections.append(Section(cause.capitalize(), html, _note(len(chosen), len(chosen))))
    return sections


def itself_sections(figures: Mapping[str, Any], worst: Sequence[WrongCluster]) -> list[Section]:
    """The sections of a fold of distinct records: counts, sizes of the wrong clusters, the largest with evidence."""
    names = ("records", "canonical", "wrongly_merged", "share_wrongly_merged", "unsure", "dead_letters")
    rows = [(name.replace("_", " "), figures[name]) for name in names]
    sizes = {int(size): count for size, count in figures["cluster_sizes"].items()}
    groups = {"clusters": [float(count) for count in sizes.values()]}
    plot = bars(groups, [str(size) for size in sizes], x="records", y="clusters", title="Sizes of wrong clusters")
    sections = [Section("Wrongly merged", table_html(("", ""), rows)), Section("Cluster sizes", figure_html(plot))]
    for merge in worst:
        pairs = [pair_html(merge.founder, record, comparison) for record, comparison in merge.others[:3]]
        title = f"{merge.cluster}: {len(merge.others) + 1} records"
        sections.append(Section(title, "".join(pairs), "Its founder compared with the first records that joined it."))
    return sections


def striking(result: ReplayResult) -> tuple[list[Pair], list[Pair]]:
    """Missed pairs, at most one for every two clusters, and wrong pairs, at most one for every two works."""
    work = closure(result.truth.same)
    missed = {make_pair(*(result.clusters[key] for key in pair)): pair for pair in reversed(result.counted.missed)}
    wrong = {make_pair(*(work.get(key, key) for key in pair)): pair for pair in reversed(result.counted.wrong)}
    return sorted(missed.values())[:CHOICE], sorted(wrong.values())[:CHOICE]


def _side_by_side(result: ReplayResult, pairs: Sequence[Pair], records: Mapping[str, Record], *, best: bool) -> str:
    """The pairs that score highest, or lowest."""
    compared = compare_pairs(matcher_of(result.workspace.settings), records, pairs)
    order = np.argsort(-compared.score if best else compared.score, kind="stable")[:WORST].tolist()
    shown = [(pairs[at], compared.comparison(at)) for at in order]
    return "".join(pair_html(records[a], records[b], comparison) for (a, b), comparison in shown)


def _sizes_plot(result: ReplayResult) -> str:
    found = Counter(Counter(result.clusters.values()).values())
    groups = {"found": found}
    if result.truth.whole:
        works = closure(result.truth.same)
        true = Counter(Counter(works.get(key, key) for key in result.clusters).values())
        groups["true"] = true
    most = max(size for sizes in groups.values() for size in sizes)
    edges = [size for size in SIZES if size <= most]
    bounds = list(zip(edges, [*(size - 1 for size in edges[1:]), None], strict=True))
    labels = [str(low) if low == high else f"{low}+" if high is None else f"{low}–{high}" for low, high in bounds]
    counts = {
        name: [float(sum(n for size, n in sizes.items() if low <= size <= (high or most))) for low, high in bounds]
        for name, sizes in groups.items()
    }
    return bars(counts, labels, x="records in a cluster", y="clusters", title="Cluster sizes")


def _note(listed: int, count: int) -> str:
    return f"{min(listed, WORST)} of {count:,}."


_HIGHEST = "Those that score highest, at most one for every two clusters."
_LOWEST = "Those that score lowest, at most one for every two works."
_INTERVALS = "The interval is by bootstrap over the truth's works, since the pairs of one work are not independent."
_SKIPPED = (
    "Never compared: when the later record came, it was not compared with the cluster that held the earlier one. Not "
    "found again: a lookup after the run finds no cluster that is the same for one of the two."
)
