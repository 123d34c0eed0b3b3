"""The benchmark as tables and as a page."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.benchmark.sets import SETS
from evaluation.report.page import Section, figure_html, table_html
from evaluation.report.plots import bars
from evaluation.runs import Run

Rows = list[tuple[Any, ...]]

HEADER = (
    "set", "task", "records", "profile", "precision", "recall", "F1", "95 % of F1", "B-cubed F1", "unsure", "seconds",
    "records/s",
)  # fmt: skip
UNSURE_HEADER = ("links, unsure ones too", "profile", "precision", "recall", "F1")
DISTINCT_HEADER = ("set", "task", "records", "profile", "wrongly merged", "share", "unsure", "seconds", "records/s")


def tables(runs: Sequence[Run]) -> list[tuple[str, Sequence[str], Rows]]:
    """Those tables that the runs fill, each with what it is, its header and its rows."""
    known = [run for run in runs if "f1" in run.figures]
    found = [
        ("Known pairs", HEADER, [_known(run) for run in known]),
        (
            "Links, unsure ones too",
            UNSURE_HEADER,
            [_unsure(run) for run in known if run.figures["unsure"] and "with_unsure" in run.figures],
        ),
        ("Distinct records", DISTINCT_HEADER, [_distinct(run) for run in runs if "f1" not in run.figures]),
    ]
    return [one for one in found if one[2]]


def sections(runs: Sequence[Run], absent: Sequence[str]) -> list[Section]:
    """The tables, and F1 of each set as bars."""
    notes = {
        "Known pairs": "Pairs that are unsure are not merged, and count as missed. Intervals by bootstrap over works.",
        "Distinct records": "Each record is another work, so that every merge is an error.",
    }
    found = [Section(title, table_html(header, rows), notes.get(title, "")) for title, header, rows in tables(runs)]
    known = [run for run in runs if "f1" in run.figures]
    if known:
        found.insert(1, Section("F1 by set", figure_html(_plot(known))))
    if absent:
        found.append(Section("Not there", f"<p>{', '.join(absent)}</p>", "These sets were passed over."))
    return found


def _plot(runs: Sequence[Run]) -> str:
    sets = list(dict.fromkeys(run.settings["set"] for run in runs))
    every = {(run.settings["way"], run.settings["set"]): run.figures["f1"] for run in runs}
    ways = dict.fromkeys(way for way, _ in every)
    groups = {way: [every.get((way, name), 0.0) for name in sets] for way in ways}
    return bars(groups, sets, x="set", y="F1", title="F1 by set and profile")


def _known(run: Run) -> tuple[Any, ...]:
    figures = run.figures
    low, high = figures["intervals"]["f1"]
    cubed = figures["clusters"]["b_cubed"]["f1"] if "clusters" in figures else None
    return (*_what(run), *_shares(figures), f"{low:.4f}–{high:.4f}", cubed, figures["unsure"], *_speed(figures))


def _unsure(run: Run) -> tuple[Any, ...]:
    return run.settings["set"], run.settings["way"], *_shares(run.figures["with_unsure"])


def _distinct(run: Run) -> tuple[Any, ...]:
    figures = run.figures
    share = f"{figures['share_wrongly_merged']:.2%}"
    return (*_what(run), figures["wrongly_merged"], share, figures["unsure"], *_speed(figures))


def _what(run: Run) -> tuple[Any, ...]:
    name = run.settings["set"]
    return name, SETS[name].about, run.figures["records"], run.settings["way"]


def _shares(figures: Mapping[str, Any]) -> tuple[float, ...]:
    return tuple(figures[share] for share in ("precision", "recall", "f1"))


def _speed(figures: Mapping[str, Any]) -> tuple[str, int]:
    return f"{figures['seconds']:.1f}", round(figures["records_per_second"])
