"""The regression gate: compares benchmark runs with a baseline and names the pairs on which quality was lost."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from bibfold.errors import InputError
from bibfold.lines import whole_lines
from bibfold.records.model import Record
from evaluation.pairs import Pair
from evaluation.replay.run_comparison import PairChanges, pair_changes
from evaluation.runs import EvaluationRun

TOLERANCE = 0.002
"""How far F1 may fall, or the share of wrongly merged records rise, without counting as a loss."""

SHOWN = 10
"""How many pairs of a kind are listed."""

Name = tuple[str, str]
"""The name of a set and of the variant that it is measured with."""

Fetch = Callable[[str, set[str]], Mapping[str, Record]]
"""Reads the records with these keys from a set."""


class Change(msgspec.Struct, frozen=True):
    """A run compared with its baseline; `change` is positive where quality rose, negative where it fell."""

    name: Name
    measure: str
    before: float
    now: float
    change: float
    found: PairChanges
    wrong: PairChanges


def read_baseline(path: Path) -> dict[Name, EvaluationRun]:
    """Runs by set and variant, from what `bibfold evaluate benchmark --json` printed, compressed or not."""
    try:
        runs = [msgspec.json.decode(line, type=EvaluationRun) for line in whole_lines(str(path)) if line.strip()]
        found = {name_of(run): run for run in runs}
    except (msgspec.DecodeError, KeyError) as error:
        raise InputError(
            f"{path}: is no baseline: {error}; write one with `bibfold evaluate benchmark --json > {path}`"
        ) from error
    if not found:
        raise InputError(f"{path}: holds no runs; write some with `bibfold evaluate benchmark --json > {path}`")
    return found


def name_of(run: EvaluationRun) -> Name:
    """The set and the variant of a run."""
    return run.settings["set"], run.settings["way"]


def compare_to_baseline(before: EvaluationRun, now: EvaluationRun) -> Change:
    """Compare a run with its baseline, which must be from the same data."""
    name = name_of(now)
    if any(_prints(before)[what] != _prints(now).get(what) for what in _prints(before)):
        raise InputError(
            f"{name[0]}: the baseline was made from other data; take the same data, or write a new baseline with "
            "`bibfold evaluate benchmark --json`"
        )
    measure, sign = ("F1", 1) if "f1" in now.figures else ("wrongly merged", -1)
    figure = "f1" if sign > 0 else "share_wrongly_merged"
    was, found = before.figures[figure], now.figures[figure]
    return Change(
        name,
        measure,
        was,
        found,
        sign * (found - was),
        pair_changes(set(before.missed), set(now.missed)),
        pair_changes(set(before.wrong), set(now.wrong)),
    )


def losses(changes: Sequence[Change], tolerance: float = TOLERANCE) -> list[Change]:
    """The changes that lose more than is tolerated."""
    return [change for change in changes if change.change < -tolerance]


def change_lines(changes: Sequence[Change], fetch: Fetch, tolerance: float = TOLERANCE) -> Iterator[str]:
    """A line for every change, and for each loss the pairs that are newly missed or wrong, with their titles."""
    for change in changes:
        lost = change.change < -tolerance
        verdict = f"LOST, more than {tolerance:g}" if lost else "better" if change.change > tolerance else "held"
        figures = f"{change.measure} {change.before:.4f} before, {change.now:.4f} now"
        yield f"{' with '.join(change.name)}: {figures}: {verdict}"
        if lost:
            shown = [("missed now", change.found.worse), ("wrong now", change.wrong.worse)]
            keys = {key for _, pairs in shown for pair in pairs[:SHOWN] for key in pair}
            records = fetch(change.name[0], keys)
            for label, pairs in shown:
                yield from _pair_lines(label, pairs, records)


def _pair_lines(label: str, pairs: Sequence[Pair], records: Mapping[str, Record]) -> Iterator[str]:
    for pair in pairs[:SHOWN]:
        yield f"  {label}: " + " ~ ".join(f"{key} “{records[key].title[:70]}”" for key in pair)
    if len(pairs) > SHOWN:
        yield f"  … and {len(pairs) - SHOWN:,} more {label}"


def _prints(run: EvaluationRun) -> dict[str, str]:
    return {what: data["fingerprint"] for what, data in run.data.items()}
