"""The regression gate: holds runs of the benchmark against a baseline and says on which pairs quality was lost."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from bibfold.errors import InputError
from bibfold.lines import whole_lines
from bibfold.records.model import Record
from evaluation.pairs import Key
from evaluation.replay.comparing import Paired, paired
from evaluation.runs import Run

TOLERANCE = 0.002
"""By how much F1 may fall, or the share that is wrongly merged rise, before it is a loss."""

SHOWN = 10
"""How many pairs of a kind a message names."""

Name = tuple[str, str]
"""A set and the way in which it is measured."""

Fetch = Callable[[str, set[str]], Mapping[str, Record]]
"""The records of these keys in a set."""


class Change(msgspec.Struct, frozen=True):
    """A run beside its baseline; `change` is what quality gained, less than 0 where it was lost."""

    name: Name
    measure: str
    before: float
    now: float
    change: float
    found: Paired
    wrong: Paired


def read_baseline(path: Path) -> dict[Name, Run]:
    """Runs by set and way, from what `bibfold evaluate benchmark --json` printed, compressed or not."""
    try:
        runs = [msgspec.json.decode(line, type=Run) for line in whole_lines(str(path)) if line.strip()]
        found = {name_of(run): run for run in runs}
    except (msgspec.DecodeError, KeyError) as error:
        raise InputError(
            f"{path}: is no baseline: {error}; write one with `bibfold evaluate benchmark --json > {path}`"
        ) from error
    if not found:
        raise InputError(f"{path}: holds no runs; write some with `bibfold evaluate benchmark --json > {path}`")
    return found


def name_of(run: Run) -> Name:
    """The set and the way of a run."""
    return run.settings["set"], run.settings["way"]


def held(before: Run, now: Run) -> Change:
    """A run beside its baseline, which must be over the same data."""
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
        paired(set(before.missed), set(now.missed)),
        paired(set(before.wrong), set(now.wrong)),
    )


def losses(changes: Sequence[Change], tolerance: float = TOLERANCE) -> list[Change]:
    """Where more was lost than is tolerated."""
    return [change for change in changes if change.change < -tolerance]


def change_lines(changes: Sequence[Change], fetch: Fetch, tolerance: float = TOLERANCE) -> Iterator[str]:
    """Every change in a line, and with a loss the pairs that it is made of, with their titles."""
    for change in changes:
        lost = change.change < -tolerance
        verdict = f"LOST, more than {tolerance:g}" if lost else "better" if change.change > tolerance else "held"
        figures = f"{change.measure} {change.before:.4f} before, {change.now:.4f} now"
        yield f"{' with '.join(change.name)}: {figures}: {verdict}"
        if lost:
            shown = [("missed now", change.found.worse), ("wrong now", change.wrong.worse)]
            wanted = {key for _, pairs in shown for two in pairs[:SHOWN] for key in two}
            records = fetch(change.name[0], wanted)
            for label, pairs in shown:
                yield from _pair_lines(label, pairs, records)


def _pair_lines(label: str, pairs: Sequence[Key], records: Mapping[str, Record]) -> Iterator[str]:
    for two in pairs[:SHOWN]:
        yield f"  {label}: " + " ~ ".join(f"{key} “{records[key].title[:70]}”" for key in two)
    if len(pairs) > SHOWN:
        yield f"  … and {len(pairs) - SHOWN:,} more {label}"


def _prints(run: Run) -> dict[str, str]:
    return {what: data["fingerprint"] for what, data in run.data.items()}
