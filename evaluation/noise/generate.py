"""Generates noisy duplicates and near misses of clean records, with their truth, one record at a time."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator
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
from evaluation.noise.mix import MIX, NEAR_MISSES, Mix, add_noise
from evaluation.progress import OnProgress, no_progress

SOURCE = "noise"
"""The source of generated records."""

ANOTHER_COPY = 0.3
"""The probability that a record with a duplicate gets one more."""


class NoisePlan(msgspec.Struct, frozen=True):
    """What to generate: the shares of records with duplicates and with a near miss, and how many copies of a record.

    A record with a duplicate gets one more with the probability `another`, at most `most`. The noise of each is applied
    so many `times`.
    """

    rate: float = 0.3
    near_misses: float = 0.1
    most: int = 3
    seed: int = 0
    keep_identifiers: bool = False
    mix: Mix = msgspec.field(default_factory=lambda: MIX)
    another: float = ANOTHER_COPY
    times: int = 1


class DerivedRecord(msgspec.Struct, frozen=True):
    """A generated record, its kinds of noise, and whether it is the same work as its original."""

    record: Record
    kinds: tuple[str, ...]
    same: bool


class Counts(msgspec.Struct):
    """The numbers of records, pairs and kinds of noise written."""

    records: int = 0
    duplicates: int = 0
    near_misses: int = 0
    same: int = 0
    different: int = 0
    kinds: dict[str, int] = {}


def derive(record: Record, plan: NoisePlan) -> Iterator[DerivedRecord]:
    """The duplicates and near misses of a record; they depend on the record and the seed alone."""
    rng = Random(blake2b(f"{plan.seed} {record.key}".encode(errors="surrogatepass"), digest_size=16).digest())
    number = 0
    if rng.random() < plan.rate:
        number = 1
        while number < plan.most and rng.random() < plan.another:
            number += 1
    for at in range(1, number + 1):
        noisy, kinds = add_noise(record, plan.mix, rng)
        for _ in range(1, plan.times):
            noisy, more = add_noise(noisy, plan.mix, rng)
            kinds = tuple(dict.fromkeys(kinds + more))
        identifiers = noisy.identifiers if plan.keep_identifiers else {}
        yield DerivedRecord(_named(replace(noisy, identifiers=identifiers), record, str(at), kinds), kinds, True)
    if rng.random() < plan.near_misses:
        for kind in rng.sample(list(NEAR_MISSES), len(NEAR_MISSES)):
            if near := NEAR_MISSES[kind](record, rng):
                yield DerivedRecord(_named(near, record, kind, (kind,)), (kind,), False)
                break


def _named(made: Record, record: Record, ending: str, kinds: tuple[str, ...]) -> Record:
    """The record under its own key, with its original and kinds of noise in `extra`."""
    extra = {**record.extra, "noise": list(kinds), "noise_of": record.key}
    return replace(made, source=SOURCE, id=f"{record.key}:{ending}", extra=extra)


def generate(records: Iterable[Record], folder: Path, plan: NoisePlan, on_progress: OnProgress = no_progress) -> Counts:
    """Write `records.jsonl.gz`, `truth.csv.gz` (labelled pairs, with kinds) and `clusters.csv.gz` (every record)."""
    counts = Counts()
    kinds: Counter[str] = Counter()
    with ExitStack() as stack:
        lines = _compressed(stack, folder / "records.jsonl.gz")
        pairs = _rows(stack, folder / "truth.csv.gz", ("a", "b", "label", "kinds"))
        clusters = _rows(stack, folder / "clusters.csv.gz", ("cluster", "source", "id"))
        for record in records:
            derived_records = list(derive(record, plan))
            for written in (record, *(derived.record for derived in derived_records)):
                lines.write(encode(written) + b"\n")
            clusters.writerows(_memberships(record, derived_records))
            for row in _pairs(record, derived_records):
                pairs.writerow(row)
                counts.same += row[2] == "same"
                counts.different += row[2] == "different"
            kinds.update(kind for derived in derived_records for kind in derived.kinds)
            counts.records += 1 + len(derived_records)
            counts.duplicates += sum(derived.same for derived in derived_records)
            counts.near_misses += sum(not derived.same for derived in derived_records)
            on_progress(counts.records)
    counts.kinds = {kind: kinds[kind] for kind in sorted(kinds)}
    return counts


def _memberships(record: Record, derived_records: list[DerivedRecord]) -> Iterator[tuple[str, str, str]]:
    yield record.key, record.source, record.id
    for derived in derived_records:
        yield record.key if derived.same else derived.record.key, derived.record.source, derived.record.id


def _pairs(record: Record, derived_records: list[DerivedRecord]) -> Iterator[tuple[str, str, str, str]]:
    """All pairs of the work's records, and each near miss with each of them."""
    work = [DerivedRecord(record, (), True), *(derived for derived in derived_records if derived.same)]
    for first, second in combinations(work, 2):
        yield first.record.key, second.record.key, "same", "+".join(dict.fromkeys(first.kinds + second.kinds))
    for near in derived_records:
        if not near.same:
            for member in work:
                yield member.record.key, near.record.key, "different", "+".join(near.kinds + member.kinds)


def _rows(stack: ExitStack, path: Path, header: tuple[str, ...]) -> Any:
    text = io.TextIOWrapper(_compressed(stack, path), encoding="utf-8", newline="", errors="surrogatepass")
    rows = csv.writer(stack.enter_context(text), lineterminator="\n")
    rows.writerow(header)
    return rows


def _compressed(stack: ExitStack, path: Path) -> GzipFile:
    """A gzip file without name and time, so that the same content gives the same bytes."""
    file = stack.enter_context(path.open("wb"))
    return stack.enter_context(GzipFile(filename="", mode="wb", compresslevel=5, fileobj=file, mtime=0))
