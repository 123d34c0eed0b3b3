"""Renders the benchmark as tables and as sections of a report."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.benchmark.sets import SETS
from evaluation.report.page import Section, figure_html, table_html
from evaluation.report.plots import bars
from evaluation.runs import EvaluationRun

Rows = list[tuple[Any, ...]]

HEADER = (
    "set", "task", "records", "profile", "precision", "recall", "F1", "95 % of F1", "B-cubed F1", "unsure", "seconds",
    "records/s",
)  # fmt: skip
UNSURE_HEADER = ("links, unsure ones too", "profile", "precision", "recall", "F1")
DISTINCT_HEADER = ("set", "task", "records", "profile", "wrongly merged", "share", "unsure", "seconds", "records/s")


def tables(runs: Sequence[EvaluationRun]) -> list[tuple[str, Sequence[str], Rows]]:
    """The tables that are not empty: title, header and rows of each."""
    labelled = [run for run in runs if "f1" in run.figures]
    found = [
        ("Labelled pairs", HEADER, [_labelled_row(run) for run in labelled]),
        (
            "Links, unsure ones too",
            UNSURE_HEADER,
            [_unsure_row(run) for run in labelled if run.figures["unsure"] and "with_unsure" in run.figures],
        ),
        ("Distinct records", DISTINCT_HEADER, [_distinct_row(run) for run in runs if "f1" not in run.figures]),
    ]
    return [table for table in found if table[2]]


def sections(runs: Sequence[EvaluationRun], absent: Sequence[str]) -> list[Section]:
    """The tables, and F1 of each set as bars."""
    notes = {
        "Labelled pairs": "Unsure pairs are not merged and count as missed. Intervals by bootstrap over works.",
        "Distinct records": "Each record is another work, so that every merge is an error.",
    }
    found = [Section(title, table_html(header, rows), notes.get(title, "")) for title, header, rows in tables(runs)]
    labelled = [run for run in runs if "f1" in run.figures]
    if labelled:
        found.insert(1, Section("F1 by set", figure_html(_plot(labelled))))
    if absent:
        found.append(Section("Not found", f"<p>{', '.join(absent)}</p>", "These sets were skipped."))
    return found


def _plot(runs: Sequence[EvaluationRun]) -> str:
    sets = list(dict.fromkeys(run.settings["set"] for run in runs))
    every = {(run.settings["way"], run.settings["set"]): run.figures["f1"] for run in runs}
    variants = dict.fromkeys(variant for variant, _ in every)
    groups = {variant: [every.get((variant, name), 0.0) for name in sets] for variant in variants}
    return bars(groups, sets, x="set", y="F1", title="F1 by set and profile")


def _labelled_row(run: EvaluationRun) -> tuple[Any, ...]:
    figures = run.figures
    low, high = figures["intervals"]["f1"]
    cubed = figures["clusters"]["b_cubed"]["f1"] if "clusters" in figures else None
    return (*_what(run), *_shares(figures), f"{low:.4f}–{high:.4f}", cubed, figures["unsure"], *_speed(figures))


def _unsure_row(run: EvaluationRun) -> tuple[Any, ...]:
    return run.settings["set"], run.settings["way"], *_shares(run.figures["with_unsure"])


def _distinct_row(run: EvaluationRun) -> tuple[Any, ...]:
    figures = run.figures
    share = f"{figures['share_wrongly_merged']:.2%}"
    return (*_what(run), figures["wrongly_merged"], share, figures["unsure"], *_speed(figures))


def _what(run: EvaluationRun) -> tuple[Any, ...]:
    name = run.settings["set"]
    return name, SETS[name].about, run.figures["records"], run.settings["way"]


def _shares(figures: Mapping[str, Any]) -> tuple[float, ...]:
    return tuple(figures[share] for share in ("precision", "recall", "f1"))


def _speed(figures: Mapping[str, Any]) -> tuple[str, int]:
    return f"{figures['seconds']:.1f}", round(figures["records_per_second"])
