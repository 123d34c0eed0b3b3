"""Compares two runs: figures that changed, pairs that got better or worse, and whether chance explains it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from scipy.stats import binomtest

from bibfold.errors import InputError
from evaluation.pairs import Pair, closure
from evaluation.runs import EvaluationRun

NOT_COMPARED = ("seconds", "intervals")
"""Figures that differ between equal runs, or that follow from others."""


class PairChanges(msgspec.Struct, frozen=True):
    """Pairs that one run gets right and the other wrong, and how likely chance alone makes such a difference.

    `p` is McNemar's exact test, two-sided: if neither run were better, each pair on which they differ would be
    equally likely to favour either. Pairs of one work tend to change together, so `p_by_works` counts all pairs that
    share records as one, by the majority of them; trust it where the two disagree.
    """

    better: list[Pair]
    worse: list[Pair]
    p: float
    p_by_works: float


class RunComparison(msgspec.Struct, frozen=True):
    """The figures and settings that changed, each with both values, and the changes of true and of wrong pairs."""

    figures: list[tuple[str, Any, Any]]
    settings: list[tuple[str, Any, Any]]
    found: PairChanges
    wrong: PairChanges


def compare_runs(before: EvaluationRun, after: EvaluationRun, *, force: bool = False) -> RunComparison:
    """Compare two runs of one kind over the same data; `force` lets the data differ."""
    if before.kind != after.kind:
        raise InputError(f"the runs are of two kinds, {before.kind} and {after.kind}; compare two of one kind")
    if not force and (apart := _data_apart(before, after)):
        raise InputError(
            f"the runs were made from different data: {'; '.join(apart)}; pairs of different data cannot be "
            "compared one by one; --force compares them nevertheless"
        )
    for run in (before, after):
        if run.figures.get("false_positives", 0) > len(run.wrong):
            raise InputError(
                f"a run has {run.figures['false_positives']:,} wrong pairs and lists {len(run.wrong):,} of them; "
                "too many to compare pair by pair; take stricter thresholds or fewer records"
            )
    return RunComparison(
        _changed(before.figures, after.figures),
        _changed(before.settings, after.settings),
        pair_changes(set(before.missed), set(after.missed)),
        pair_changes(set(before.wrong), set(after.wrong)),
    )


def pair_changes(errors_before: set[Pair], errors_after: set[Pair]) -> PairChanges:
    """Compare the errors of two runs."""
    better, worse = sorted(errors_before - errors_after), sorted(errors_after - errors_before)
    work = closure([*better, *worse])
    balance = Counter(work[a] for a, _ in better)
    balance.subtract(work[a] for a, _ in worse)
    works = sum(count > 0 for count in balance.values()), sum(count < 0 for count in balance.values())
    return PairChanges(better, worse, _by_chance(len(better), len(worse)), _by_chance(*works))


def _by_chance(better: int, worse: int) -> float:
    return float(binomtest(better, better + worse).pvalue) if better + worse else 1.0


def _data_apart(before: EvaluationRun, after: EvaluationRun) -> list[str]:
    prints = [{name: _fingerprint(data) for name, data in run.data.items()} for run in (before, after)]
    return [
        f"{name} {prints[0].get(name, 'none')} and {prints[1].get(name, 'none')}"
        for name in dict.fromkeys([*prints[0], *prints[1]])
        if prints[0].get(name) != prints[1].get(name)
    ]


def _fingerprint(data: Any) -> Any:
    return data.get("fingerprint") if isinstance(data, Mapping) else data


def _changed(figures_before: Mapping[str, Any], figures_after: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    before, after = dict(flat(figures_before)), dict(flat(figures_after))
    names = dict.fromkeys([*before, *after])
    return [(name, before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)]


def flat(figures: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Nested figures as a flat list, each under its dotted name."""
    for name, value in figures.items():
        if name in NOT_COMPARED:
            continue
        if isinstance(value, Mapping):
            yield from flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value
