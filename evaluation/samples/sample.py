"""Samples a truth from records: groups them, checks the groups, samples pairs, and writes them with their origin."""

from collections.abc import Iterable, Mapping, Set
from functools import partial
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
from evaluation.samples.pool import Borderline, Pool, by_clusters, by_identifier, kept
from evaluation.samples.random_pairs import random_pairs
from evaluation.samples.sampled_pairs import SampledPair, SampleRequest, count
from evaluation.samples.search import neighbour_pairs
from evaluation.samples.similarities import characters
from evaluation.samples.validation import by_majority, by_signature, by_source
from evaluation.samples.windows import TITLE_WINDOW, UNCERTAINTY_WINDOW, title_pairs, uncertain_pairs
from evaluation.truth import Truth
from lookup.generic import ALIKE

Method = Literal["random", "title", "uncertainty", "search", "filehash"]
METHODS: Final[tuple[Method, ...]] = ("random", "title", "uncertainty", "search", "filehash")
WINDOWS: Final = {"title": TITLE_WINDOW, "uncertainty": UNCERTAINTY_WINDOW}
HEADER: Final = ("a", "b", "label", "method", "similarity", "rank", "chance")


class SamplePlan(msgspec.Struct, frozen=True):
    """How a sample is drawn; `by` are kinds of identifier, empty where a truth gives the groups.

    Validation accepts records from this `similarity` on. `equal_titles` lets records of different files with equal
    titles count as different works.
    """

    method: Method
    pairs: int
    seed: int = 0
    by: tuple[str, ...] = ()
    validate: bool = True
    min_rank: int | None = None
    count_self: bool = False
    window: int | None = None
    similarity: float = ALIKE
    equal_titles: bool = False

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
    records: Iterable[Record],
    plan: SamplePlan,
    truth: Truth | None = None,
    *,
    skip_unknown: bool = False,
    signatures: Mapping[str, str] | None = None,
) -> Pool:
    """Group records by work, and check the groups as the plan says; `signatures` are those of the source's records."""
    if truth is None:
        pool = by_identifier(records, plan.kinds)
    else:
        pool = by_clusters(records, truth)
        check_present(truth.named, {member.key for member in pool.members}, skip_unknown=skip_unknown)
    if plan.validate:
        pool = _validated(pool, plan, files=truth is None and plan.kinds == {"filehash"}, signatures=signatures)
    _check_drawable(pool, plan, truth)
    return msgspec.structs.replace(pool, equal_titles=plan.equal_titles)


def _validated(pool: Pool, plan: SamplePlan, *, files: bool, signatures: Mapping[str, str] | None) -> Pool:
    if signatures is not None:
        judge = partial(by_source, signatures=signatures, least=plan.similarity)
        return kept(pool, judge, "not like the source's record, or without one")
    rule = by_majority if files else by_signature
    return kept(pool, partial(rule, least=plan.similarity), "not like their group")


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


def borderline(pool: Pool, most: int) -> dict[str, list[Borderline]]:
    """The records nearest to the line of validation: the best that it rejected, the worst that it accepted."""
    return {"rejected": list(pool.rejected[:most]), "accepted": list(pool.accepted[:most])}


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
    unlike = sum(count for what, count in counts.items() if what.startswith("not like"))
    raise InputError(
        f"no two of {counts.get('records', 0)} records share {' or '.join(sorted(plan.kinds))} "
        f"({counts.get('with an identifier', 0)} carry one, {unlike} were not like "
        "their group); name another kind with --by, or a truth with --clusters"
    )
