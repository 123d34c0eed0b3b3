"""Explains why each missed pair of a replay was missed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

import msgspec

from bibfold.catalogue.rows import chunks, cluster_no, load
from bibfold.records.keys import keys
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from evaluation.pairs import Pair
from evaluation.replay.replay import ReplayResult
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
    """A missed pair: the cause and its details, the comparison of the two records, and how a search finds them.

    `clusters` are those of the two records. `field` is the one that lowers the score most. `rank`, for a pair that was
    not retrieved, is the better rank of either record's cluster in a long search with the other; None beyond `DEEP`.
    `shared` names the keys that both have. `noise` are the kinds of noise, if `bibfold evaluate noise` made a record.
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


def explain_misses(result: ReplayResult, records: Mapping[str, Record]) -> list[Miss]:
    """Every missed pair with its cause; `records` holds the records of these pairs by key."""
    ranks = _ranks(result, records, [pair for pair in result.counted.missed if pair in result.skipped])
    return [_miss(result, records, pair, ranks.get(pair)) for pair in result.counted.missed]


def worst_first(misses: Iterable[Miss]) -> list[Miss]:
    """Misses by falling score, taking turns between pairs of clusters, so that no large work fills the list."""
    before: Counter[tuple[str, str]] = Counter()
    turns = []
    for miss in sorted(misses, key=lambda miss: (-miss.comparison.score, miss.a, miss.b)):
        turns.append((before[miss.clusters], miss))
        before[miss.clusters] += 1
    return [miss for _, miss in sorted(turns, key=itemgetter(0))]


def costliest(comparison: Comparison, profile: Profile) -> tuple[str, float]:
    """The field that lowers a score most, and by how much."""
    lost = {evidence.field: evidence.weight * (1 - evidence.score) for evidence in comparison.evidence}
    if profile.missing_is_zero:
        lost = {part.field: lost.get(part.field, part.weight) for part in profile.parts}
        whole = sum(part.weight for part in profile.parts)
    else:
        whole = sum(evidence.weight for evidence in comparison.evidence)
    if not whole or not lost:
        return "", 0.0
    field = max(lost, key=lambda name: lost[name])
    return (field, lost[field] / whole) if lost[field] else ("", 0.0)


def _miss(result: ReplayResult, records: Mapping[str, Record], pair: Pair, rank: int | None) -> Miss:
    profile = profile_of(result.workspace.settings)
    retrieval = retrieval_of(result.workspace.settings, profile)
    ours, theirs = (prepare(records[key]) for key in pair)
    comparison = compare(ours, theirs, profile)
    shared = found_by(keys(ours, retrieval.keys), keys(theirs, retrieval.keys))
    field, cost = costliest(comparison, profile)
    if pair in result.skipped:
        place = f"rank {rank:,} in the end" if rank else f"not among {DEEP:,}"
        cause, detail = NOT_RETRIEVED, f"{place}; shares {', '.join(shared) or 'no key'}"
    elif comparison.decision == "same":
        cause, detail = CHAINED, _apart(result, records, profile, pair)
    elif comparison.score >= profile.same:
        cause, detail = VETOED, "; ".join(comparison.vetoes)
    else:
        cause, detail = BELOW, f"{field} costs {cost:.2f}: {_reason(comparison, field)}"
    clusters = result.clusters[pair[0]], result.clusters[pair[1]]
    noise = dict.fromkeys(kind for key in pair for kind in _noise(records[key]))
    return Miss(*pair, clusters, cause, detail, comparison, field, rank, shared, tuple(noise))


def _noise(record: Record) -> list[str]:
    kinds = record.extra.get("noise")
    return [str(kind) for kind in kinds] if isinstance(kinds, list) else []


def _reason(comparison: Comparison, field: str) -> str:
    return next((evidence.reason for evidence in comparison.evidence if evidence.field == field), "missing")


def _apart(result: ReplayResult, records: Mapping[str, Record], profile: Profile, pair: Pair) -> str:
    """How each of two records compares with the other's cluster as it is after the run."""
    with result.workspace.catalogue.reading() as connection:
        numbers = {key: cluster_no(result.clusters[key]) for key in pair}
        shown = load(connection, set(numbers.values()))
    texts = []
    for key, other_key in (pair, pair[::-1]):
        cluster = shown[numbers[other_key]]
        found = compare(prepare(records[key]), prepare(cluster.canonical.record), profile)
        texts.append(
            f"{key} against {result.clusters[other_key]} of {len(cluster.members)}: {found.decision} {found.score:.3f}"
            + (f" ({summary(found)})" if found.vetoes else "")
        )
    return "; ".join(texts)


def _ranks(result: ReplayResult, records: Mapping[str, Record], pairs: Sequence[Pair]) -> dict[Pair, int]:
    """For pairs that were not compared, the rank at which a search with either record finds the other's cluster."""
    sought: dict[str, list[Pair]] = {}
    for pair in pairs:
        for key in pair:
            sought.setdefault(key, []).append(pair)
    ranks: dict[Pair, int] = {}
    for key, found in _deep(result, [records[key] for key in sought]):
        places = {cluster: rank for rank, cluster in enumerate(found, start=1)}
        for pair in sought[key]:
            other_key = pair[1] if pair[0] == key else pair[0]
            if rank := places.get(result.clusters[other_key]):
                ranks[pair] = min(rank, ranks.get(pair, rank))
    return ranks


def _deep(result: ReplayResult, records: Sequence[Record]) -> Iterator[tuple[str, list[str]]]:
    """For each record the clusters that a long search finds, best first, without its own."""
    profile = profile_of(result.workspace.settings)
    retrieval = msgspec.structs.replace(retrieval_of(result.workspace.settings, profile), top_n=DEEP)
    index, cache = result.workspace.index(), PreparedCache()
    for batch in chunks(records, BATCH):
        terms = [keys(prepare(record), retrieval.keys) for record in batch]
        for record, hits in zip(batch, retrieve(result.workspace.engine, index, terms, retrieval, cache), strict=True):
            yield record.key, [hit.id for hit in hits if hit.id != result.clusters[record.key]]
