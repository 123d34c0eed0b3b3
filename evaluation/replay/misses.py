"""Says of each pair that a replay lost why it was lost."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

import msgspec

from bibfold.catalogue.rows import chunks, cluster_no
from bibfold.records.keys import keys
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from evaluation.pairs import Key
from evaluation.replay.replay import Replayed
from lookup.evidence import Comparison, Profile
from lookup.explain import summary
from lookup.retrieve import PreparedCache, found_by, retrieve
from lookup.scoring import compare
from lookup.setup import profile_of, retrieval_of

DEEP = 1_000
"""How many candidates are searched for a record that was not among the first."""

BATCH = 100

NOT_RETRIEVED = "not retrieved"
BELOW = "below threshold"
VETOED = "vetoed"
CHAINED = "chained apart"
CAUSES = (NOT_RETRIEVED, BELOW, VETOED, CHAINED)


class Miss(msgspec.Struct, frozen=True):
    """A lost pair: why, in a word and in detail; how the two compare; how far down and by what either is found.

    `clusters` are those that the two lie in. `field` is the one that costs the score most. `rank` is the better of
    the two ways, among all clusters but the record's own, where the pair was not retrieved; None beyond `DEEP`.
    `noise` are the kinds of it in records that `bibfold evaluate noise` made.
    """

    a: str
    b: str
    clusters: tuple[str, str]
    cause: str
    detail: str
    comparison: Comparison
    field: str
    rank: int | None
    shared: tuple[str, ...]
    noise: tuple[str, ...] = ()


def explained(done: Replayed, records: Mapping[str, Record]) -> list[Miss]:
    """Each lost pair with its cause; `records` holds those of the lost pairs."""
    ranks = _ranks(done, records, [two for two in done.counted.missed if two in done.skipped])
    return [_miss(done, records, two, ranks.get(two)) for two in done.counted.missed]


def worst_first(misses: Iterable[Miss]) -> list[Miss]:
    """The misses that are hardest to forgive first: those that score highest, of every two clusters one at a time."""
    before: Counter[tuple[str, str]] = Counter()
    turns = []
    for miss in sorted(misses, key=lambda miss: (-miss.comparison.score, miss.a, miss.b)):
        turns.append((before[miss.clusters], miss))
        before[miss.clusters] += 1
    return [miss for _, miss in sorted(turns, key=itemgetter(0))]


def costliest(comparison: Comparison, profile: Profile) -> tuple[str, float]:
    """The field that takes most from a score, and how much it takes."""
    lost = {one.field: one.weight * (1 - one.score) for one in comparison.evidence}
    if profile.missing_is_zero:
        lost = {part.field: lost.get(part.field, part.weight) for part in profile.parts}
        whole = sum(part.weight for part in profile.parts)
    else:
        whole = sum(one.weight for one in comparison.evidence)
    if not whole or not lost:
        return "", 0.0
    field = max(lost, key=lambda name: lost[name])
    return (field, lost[field] / whole) if lost[field] else ("", 0.0)


def _miss(done: Replayed, records: Mapping[str, Record], two: Key, rank: int | None) -> Miss:
    profile = profile_of(done.workspace.settings)
    wanted = retrieval_of(done.workspace.settings, profile)
    ours, theirs = (prepare(records[key]) for key in two)
    comparison = compare(ours, theirs, profile)
    shared = found_by(keys(ours, wanted.keys), keys(theirs, wanted.keys))
    field, cost = costliest(comparison, profile)
    if two in done.skipped:
        place = f"rank {rank:,} in the end" if rank else f"not among {DEEP:,}"
        cause, detail = NOT_RETRIEVED, f"{place}; shares {', '.join(shared) or 'no key'}"
    elif comparison.decision == "same":
        cause, detail = CHAINED, _apart(done, records, profile, two)
    elif comparison.score >= profile.same:
        cause, detail = VETOED, "; ".join(comparison.vetoes)
    else:
        cause, detail = BELOW, f"{field} costs {cost:.2f}: {_reason(comparison, field)}"
    clusters = done.clusters[two[0]], done.clusters[two[1]]
    noise = dict.fromkeys(kind for key in two for kind in _noise(records[key]))
    return Miss(*two, clusters, cause, detail, comparison, field, rank, shared, tuple(noise))


def _noise(record: Record) -> list[str]:
    kinds = record.extra.get("noise")
    return [str(kind) for kind in kinds] if isinstance(kinds, list) else []


def _reason(comparison: Comparison, field: str) -> str:
    return next((one.reason for one in comparison.evidence if one.field == field), "missing")


def _apart(done: Replayed, records: Mapping[str, Record], profile: Profile, two: Key) -> str:
    """How each of two records compares with the other's cluster as that looks now."""
    with done.workspace.catalogue.reading() as read:
        numbers = {key: cluster_no(done.clusters[key]) for key in two}
        shown = read.clusters(set(numbers.values()))
    told = []
    for one, other in (two, two[::-1]):
        cluster = shown[numbers[other]]
        found = compare(prepare(records[one]), prepare(cluster.canonical.record), profile)
        told.append(
            f"{one} against {done.clusters[other]} of {len(cluster.members)}: {found.decision} {found.score:.3f}"
            + (f" ({summary(found)})" if found.vetoes else "")
        )
    return "; ".join(told)


def _ranks(done: Replayed, records: Mapping[str, Record], pairs: Sequence[Key]) -> dict[Key, int]:
    """For pairs that were not compared the rank at which either record's search finds the other's cluster."""
    sought: dict[str, list[Key]] = {}
    for two in pairs:
        for key in two:
            sought.setdefault(key, []).append(two)
    ranks: dict[Key, int] = {}
    for key, found in _deep(done, [records[key] for key in sought]):
        places = {cluster: rank for rank, cluster in enumerate(found, start=1)}
        for two in sought[key]:
            other = two[1] if two[0] == key else two[0]
            if rank := places.get(done.clusters[other]):
                ranks[two] = min(rank, ranks.get(two, rank))
    return ranks


def _deep(done: Replayed, records: Sequence[Record]) -> Iterator[tuple[str, list[str]]]:
    """For each record the clusters that a long search finds, best first, its own left out."""
    profile = profile_of(done.workspace.settings)
    wanted = msgspec.structs.replace(retrieval_of(done.workspace.settings, profile), top_n=DEEP)
    index, cache = done.workspace.index(), PreparedCache()
    for batch in chunks(records, BATCH):
        terms = [keys(prepare(record), wanted.keys) for record in batch]
        for record, hits in zip(batch, retrieve(done.workspace.engine, index, terms, wanted, cache), strict=True):
            yield record.key, [hit.id for hit in hits if hit.id != done.clusters[record.key]]
