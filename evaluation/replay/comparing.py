"""Sets two runs against each other: figures that changed, pairs that got better or worse, and whether by chance."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from scipy.stats import binomtest

from bibfold.errors import InputError
from evaluation.pairs import Key, closure
from evaluation.runs import Run

UNTOLD = ("seconds", "intervals")
"""Figures that differ between equal runs, or that belong to others."""


class Paired(msgspec.Struct, frozen=True):
    """Pairs that got better and worse from one run to the other, and how likely chance does as much.

    `p` is McNemar's exact test, two-sided: if neither run were better, each pair on which they differ would be
    as likely to fall either way. Pairs of one work often fall together, so that `p_by_works` counts all pairs that
    share records as one, by what most of them do; it is the one to believe where the two disagree.
    """

    better: list[Key]
    worse: list[Key]
    p: float
    p_by_works: float


class Compared(msgspec.Struct, frozen=True):
    """What changed: figures by name with both values, settings likewise, true pairs, and wrong pairs."""

    figures: list[tuple[str, Any, Any]]
    settings: list[tuple[str, Any, Any]]
    found: Paired
    wrong: Paired


def compared(one: Run, other: Run, *, force: bool = False) -> Compared:
    """Compare two runs of one kind over the same data; `force` lets the data differ."""
    if one.kind != other.kind:
        raise InputError(f"the runs are of two kinds, {one.kind} and {other.kind}; compare two of one kind")
    if not force and (apart := _data_apart(one, other)):
        raise InputError(
            f"the runs were made from different data: {'; '.join(apart)}; pairs of different data cannot be "
            "compared one by one; --force compares them nevertheless"
        )
    for run in (one, other):
        if run.figures.get("false_positives", 0) > len(run.wrong):
            raise InputError(
                f"a run has {run.figures['false_positives']:,} wrong pairs and lists {len(run.wrong):,} of them; "
                "too many to compare pair by pair; take stricter thresholds or fewer records"
            )
    return Compared(
        _changed(one.figures, other.figures),
        _changed(one.settings, other.settings),
        paired(set(one.missed), set(other.missed)),
        paired(set(one.wrong), set(other.wrong)),
    )


def paired(errors: set[Key], errors_then: set[Key]) -> Paired:
    """Errors of one run against those of the other."""
    better, worse = sorted(errors - errors_then), sorted(errors_then - errors)
    work = closure([*better, *worse])
    balance = Counter(work[one] for one, _ in better)
    balance.subtract(work[one] for one, _ in worse)
    works = sum(count > 0 for count in balance.values()), sum(count < 0 for count in balance.values())
    return Paired(better, worse, _by_chance(len(better), len(worse)), _by_chance(*works))


def _by_chance(better: int, worse: int) -> float:
    return float(binomtest(better, better + worse).pvalue) if better + worse else 1.0


def _data_apart(one: Run, other: Run) -> list[str]:
    prints = [{name: _fingerprint(data) for name, data in run.data.items()} for run in (one, other)]
    return [
        f"{name} {prints[0].get(name, 'none')} and {prints[1].get(name, 'none')}"
        for name in dict.fromkeys([*prints[0], *prints[1]])
        if prints[0].get(name) != prints[1].get(name)
    ]


def _fingerprint(data: Any) -> Any:
    return data.get("fingerprint") if isinstance(data, Mapping) else data


def _changed(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    one, other = dict(flat(ours)), dict(flat(theirs))
    names = dict.fromkeys([*one, *other])
    return [(name, one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)]


def flat(figures: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Nested figures as one list, each under the names that lead to it."""
    for name, value in figures.items():
        if name in UNTOLD:
            continue
        if isinstance(value, Mapping):
            yield from flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value
