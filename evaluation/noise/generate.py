"""Makes noisy duplicates and near misses of clean records, with their truth, one record at a time."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from gzip import GzipFile
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from bibfold.records.model import Record
from bibfold.records.native import encode
from evaluation.noise.mix import MIX, NEAR_MISSES, Mix, spoilt

SOURCE = "noise"
"""The source of the records that are made here."""

ONE_MORE = 0.3
"""How likely a record that has a duplicate has one more."""


class Plan(msgspec.Struct, frozen=True):
    """How much is made: the share of records with duplicates, with a near miss, and the most copies of one."""

    rate: float = 0.3
    near_misses: float = 0.1
    most: int = 3
    seed: int = 0
    keep_identifiers: bool = False
    mix: Mix = msgspec.field(default_factory=lambda: MIX)


class Made(msgspec.Struct, frozen=True):
    """A record that was made, how, and whether it is the same work as the one that it was made of."""

    record: Record
    kinds: tuple[str, ...]
    same: bool


class Counts(msgspec.Struct):
    """What was written."""

    records: int = 0
    duplicates: int = 0
    near_misses: int = 0
    same: int = 0
    different: int = 0
    kinds: dict[str, int] = {}


def made_of(record: Record, plan: Plan) -> Iterator[Made]:
    """The duplicates and near misses of a record; which ones depends on it and the seed alone."""
    dice = Random(blake2b(f"{plan.seed} {record.key}".encode(errors="surrogatepass"), digest_size=16).digest())
    number = 0
    if dice.random() < plan.rate:
        number = 1
        while number < plan.most and dice.random() < ONE_MORE:
            number += 1
    for at in range(1, number + 1):
        noisy, kinds = spoilt(record, plan.mix, dice)
        identifiers = noisy.identifiers if plan.keep_identifiers else {}
        yield Made(_named(replace(noisy, identifiers=identifiers), record, str(at), kinds), kinds, True)
    if dice.random() < plan.near_misses:
        for kind in dice.sample(list(NEAR_MISSES), len(NEAR_MISSES)):
            if near := NEAR_MISSES[kind](record, dice):
                yield Made(_named(near, record, kind, (kind,)), (kind,), False)
                break


def _named(made: Record, record: Record, ending: str, kinds: tuple[str, ...]) -> Record:
    """The record under a name of its own, with what was done to it."""
    extra = {**record.extra, "noise": list(kinds), "noise_of": record.key}
    return replace(made, source=SOURCE, id=f"{record.key}:{ending}", extra=extra)


def generate(
    records: Iterable[Record], folder: Path, plan: Plan, progress: Callable[[int], Any] = lambda done: None
) -> Counts:
    """Write `records.jsonl.gz`, `truth.csv.gz` (labelled pairs, with kinds) and `clusters.csv.gz` (every record)."""
    counts = Counts()
    kinds: Counter[str] = Counter()
    with ExitStack() as stack:
        lines = _compressed(stack, folder / "records.jsonl.gz")
        pairs = _rows(stack, folder / "truth.csv.gz", ("a", "b", "label", "kinds"))
        clusters = _rows(stack, folder / "clusters.csv.gz", ("cluster", "source", "id"))
        for record in records:
            made = list(made_of(record, plan))
            for one in (record, *(one.record for one in made)):
                lines.write(encode(one) + b"\n")
            clusters.writerows(_memberships(record, made))
            for row in _pairs(record, made):
                pairs.writerow(row)
                counts.same += row[2] == "same"
                counts.different += row[2] == "different"
            kinds.update(kind for one in made for kind in one.kinds)
            counts.records += 1 + len(made)
            counts.duplicates += sum(one.same for one in made)
            counts.near_misses += sum(not one.same for one in made)
            progress(counts.records)
    counts.kinds = {kind: kinds[kind] for kind in sorted(kinds)}
    return counts


def _memberships(record: Record, made: list[Made]) -> Iterator[tuple[str, str, str]]:
    yield record.key, record.source, record.id
    for one in made:
        yield record.key if one.same else one.record.key, one.record.source, one.record.id


def _pairs(record: Record, made: list[Made]) -> Iterator[tuple[str, str, str, str]]:
    """All pairs of one work, and the near misses with each of its records."""
    work = [Made(record, (), True), *(one for one in made if one.same)]
    for one, other in combinations(work, 2):
        yield one.record.key, other.record.key, "same", "+".join(dict.fromkeys(one.kinds + other.kinds))
    for near in made:
        if not near.same:
            for one in work:
                yield one.record.key, near.record.key, "different", "+".join(near.kinds + one.kinds)


def _rows(stack: ExitStack, path: Path, header: tuple[str, ...]) -> Any:
    text = io.TextIOWrapper(_compressed(stack, path), encoding="utf-8", newline="", errors="surrogatepass")
    rows = csv.writer(stack.enter_context(text), lineterminator="\n")
    rows.writerow(header)
    return rows


def _compressed(stack: ExitStack, path: Path) -> GzipFile:
    """A compressed file that holds neither its name nor the time: the same content is the same file."""
    file = stack.enter_context(path.open("wb"))
    return stack.enter_context(GzipFile(filename="", mode="wb", compresslevel=5, fileobj=file, mtime=0))
