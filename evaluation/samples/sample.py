"""Samples a truth from records: groups them, checks the groups, samples pairs, and writes them with their origin."""

from collections.abc import Iterable, Set
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

import msgspec

from bibfold.errors import InputError
from bibfold.outputs import Output, output_file, output_table
from bibfold.records.identifiers import UNIQUE
from bibfold.records.model import Record
from bibfold.workspace import Layers
from evaluation.progress import OnProgress, no_progress
from evaluation.records import check_present
from evaluation.samples.pool import Pool, by_clusters, by_identifier, kept
from evaluation.samples.random_pairs import random_pairs
from evaluation.samples.sampled_pairs import SampledPair, SampleRequest, count
from evaluation.samples.search import neighbour_pairs
from evaluation.samples.similarities import characters
from evaluation.samples.validation import by_majority, by_signature
from evaluation.samples.windows import TITLE_WINDOW, UNCERTAINTY_WINDOW, title_pairs, uncertain_pairs
from evaluation.truth import Truth

Method = Literal["random", "title", "uncertainty", "search", "filehash"]
METHODS: Final[tuple[Method, ...]] = ("random", "title", "uncertainty", "search", "filehash")
WINDOWS: Final = {"title": TITLE_WINDOW, "uncertainty": UNCERTAINTY_WINDOW}
HEADER: Final = ("a", "b", "label", "method", "similarity", "rank", "chance")


class SamplePlan(msgspec.Struct, frozen=True):
    """How a sample is drawn; `by` are kinds of identifier, empty where a truth gives the groups."""

    method: Method
    pairs: int
    seed: int = 0
    by: tuple[str, ...] = ()
    validate: bool = True
    min_rank: int | None = None
    count_self: bool = False
    window: int | None = None

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of identifier that define a work: those named, else all of which a work has one value."""
        return frozenset({"filehash"} if self.method == "filehash" and not self.by else self.by or UNIQUE)


class Sample(msgspec.Struct, frozen=True):
    """The sampled pairs, and the pool that they come from."""

    pool: Pool
    pairs: list[SampledPair]

    def counts(self) -> dict[str, int]:
        """The sizes of the pool and of the sample."""
        sizes = [len(group) for group in self.pool.groups]
        return {
            **self.pool.counts,
            "records drawn from": sum(sizes),
            "works": len(sizes),
            "works with duplicates": sum(size > 1 for size in sizes),
            "duplicates": count(self.pairs, same=True),
            "non-duplicates": count(self.pairs, same=False),
        }


def grouped(
    records: Iterable[Record], plan: SamplePlan, truth: Truth | None = None, *, skip_unknown: bool = False
) -> Pool:
    """Group records by work, and check the groups as the plan says."""
    if truth is None:
        pool = by_identifier(records, plan.kinds)
    else:
        pool = by_clusters(records, truth)
        check_present(truth.named, {member.key for member in pool.members}, skip_unknown=skip_unknown)
    if plan.validate:
        rule = by_majority if truth is None and plan.kinds == {"filehash"} else by_signature
        pool = kept(pool, rule, "not like their group")
    _check_drawable(pool, plan, truth)
    return pool


def draw(pool: Pool, plan: SamplePlan, layers: Layers = (), on_progress: OnProgress = no_progress) -> Sample:
    """Sample pairs from the groups; the same plan gives the same pairs."""
    request = SampleRequest(plan.pairs, Random(plan.seed), on_progress)
    if plan.method == "title":
        sampled = title_pairs(pool, request, plan.window or TITLE_WINDOW)
    elif plan.method == "uncertainty":
        sampled = uncertain_pairs(pool, request, plan.window or UNCERTAINTY_WINDOW)
    elif plan.method == "search":
        sampled = neighbour_pairs(pool, request, layers, min_rank=plan.min_rank, count_self=plan.count_self)
    else:
        sampled = random_pairs(pool, request)
    return Sample(pool, sampled)


def write_sample(out: Output, sample: Sample, plan: SamplePlan, made: dict[str, Any]) -> None:
    """Write the pairs, and in a `.json` file next to them how they were drawn."""
    with output_file(msgspec.structs.replace(out, path=origin_path(out.path))) as origin, output_table(out) as rows:
        rows.writerow(HEADER)
        rows.writerows(_row(sample.pool, pair, plan.method) for pair in sample.pairs)
        origin.write(msgspec.json.format(msgspec.json.encode(made)) + b"\n")


def origin_path(out: Path) -> Path:
    """The file next to a truth that says how it was drawn."""
    return out.with_name(f"{out.name}.json")


def named(sample: Sample) -> Set[str]:
    """The keys of all records in a pair."""
    return {sample.pool.members[place].key for pair in sample.pairs for place in (pair.first, pair.second)}


def _row(pool: Pool, pair: SampledPair, method: str) -> tuple[Any, ...]:
    first, second = pool.members[pair.first], pool.members[pair.second]
    return (
        first.key,
        second.key,
        "same" if pair.same else "different",
        method,
        f"{characters(first.title, second.title):.4f}",
        pair.rank,
        None if pair.probability is None else f"{pair.probability:.4f}",
    )


def _check_drawable(pool: Pool, plan: SamplePlan, truth: Truth | None) -> None:
    if any(len(group) > 1 for group in pool.groups):
        return
    if truth is not None:
        raise InputError("--clusters: no two of these records are the same work; is it the truth of these records?")
    counts = pool.counts
    raise InputError(
        f"no two of {counts.get('records', 0)} records share {' or '.join(sorted(plan.kinds))} "
        f"({counts.get('with an identifier', 0)} carry one, {counts.get('not like their group', 0)} were not like "
        "their group); name another kind with --by, or a truth with --clusters"
    )
