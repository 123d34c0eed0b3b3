"""Explains why each missed pair of a replay was missed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

import msgspec
import numpy as np

from bibfold.catalogue.rows import chunks, cluster_no
from bibfold.records.keys import keys
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from evaluation.comparisons import compare_pairs
from evaluation.pairs import Pair
from evaluation.replay.replay import ReplayResult
from lookup.combinations import COMBINATIONS
from lookup.comparing import Compared
from lookup.evidence import Comparison
from lookup.matcher import Matcher, matcher_of
from lookup.pairs import Findings
from lookup.retrieve import found_by

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
    missed = result.counted.missed
    ranks = _ranks(result, records, [pair for pair in missed if pair in result.skipped])
    matcher = matcher_of(result.workspace.settings)
    compared = compare_pairs(matcher, records, missed)
    misses = []
    for at, (pair, (field, cost)) in enumerate(zip(missed, costliest(compared), strict=True)):
        comparison = compared.comparison(at)
        shared = found_by(*(keys(record, matcher.retrieval.keys) for record in compared.pairs.records(at)))
        if pair in result.skipped:
            rank = f"rank {ranks[pair]:,} in the end" if pair in ranks else f"not among {DEEP:,}"
            cause, detail = NOT_RETRIEVED, f"{rank}; shares {', '.join(shared) or 'no key'}"
        elif comparison.decision == "same":
            cause, detail = CHAINED, _apart(result, matcher, records, pair)
        elif comparison.score >= matcher.profile.same:
            cause, detail = VETOED, "; ".join(comparison.vetoes)
        else:
            cause, detail = BELOW, f"{field} costs {cost:.2f}: {_reason(comparison, field)}"
        clusters = result.clusters[pair[0]], result.clusters[pair[1]]
        noise = dict.fromkeys(kind for key in pair for kind in _noise(records[key]))
        misses.append(Miss(*pair, clusters, cause, detail, comparison, field, ranks.get(pair), shared, tuple(noise)))
    return misses


def worst_first(misses: Iterable[Miss]) -> list[Miss]:
    """Misses by falling score, taking turns between pairs of clusters, so that no large work fills the list."""
    before: Counter[tuple[str, str]] = Counter()
    turns = []
    for miss in sorted(misses, key=lambda miss: (-miss.comparison.score, miss.a, miss.b)):
        turns.append((before[miss.clusters], miss))
        before[miss.clusters] += 1
    return [miss for _, miss in sorted(turns, key=itemgetter(0))]


def costliest(compared: Compared) -> list[tuple[str, float]]:
    """For each pair the field that lowers its score most, and by how much: what it would gain if that field agreed."""
    parts, found = compared.profile.parts, compared.found
    total = COMBINATIONS[compared.profile.combine].total
    gains = np.zeros((len(parts), compared.pairs.size))
    for place, part in enumerate(parts):
        counts = ~found.missing[place] | (part.missing is not None)
        score, share, missing = found.score.copy(), found.share.copy(), found.missing.copy()
        score[place], missing[place] = 1.0, False
        share[place] = np.where(found.missing[place], 1.0, share[place])
        agreed = Findings(score, missing, share, found.open)
        gains[place] = np.where(counts, total(compared.profile, agreed) - compared.score, 0.0)
    greatest = gains.round(9).argmax(axis=0)
    return [
        (parts[place].field, float(gain)) if gain > 0 else ("", 0.0)
        for place, gain in zip(greatest.tolist(), gains[greatest, np.arange(compared.pairs.size)], strict=True)
    ]


def _noise(record: Record) -> list[str]:
    kinds = record.extra.get("noise")
    return [str(kind) for kind in kinds] if isinstance(kinds, list) else []


def _reason(comparison: Comparison, field: str) -> str:
    return next((evidence.reason for evidence in comparison.evidence if evidence.field == field), "missing")


def _apart(result: ReplayResult, matcher: Matcher, records: Mapping[str, Record], pair: Pair) -> str:
    """How each of two records compares with the other's cluster as it is after the run."""
    numbers = {key: cluster_no(result.clusters[key]) for key in pair}
    with result.workspace.catalogue.reading() as read:
        shown = read.clusters(set(numbers.values()))
    texts = []
    for key, other_key in (pair, pair[::-1]):
        cluster = shown[numbers[other_key]]
        found = matcher.explain(prepare(records[key]), prepare(cluster.canonical.record))
        texts.append(
            f"{key} against {result.clusters[other_key]} of {len(cluster.members)}: {found.decision} {found.score:.3f}"
            + (f" ({found.summary})" if found.vetoes else "")
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
    usual, index = matcher_of(result.workspace.settings), result.workspace.index()
    matcher = Matcher(usual.profile, msgspec.structs.replace(usual.retrieval, top_n=DEEP))
    for batch in chunks(records, BATCH):
        matcher.tidy()
        owners, hits = matcher.candidates(result.workspace.engine, index, [matcher.key(record) for record in batch])
        found: dict[int, list[str]] = defaultdict(list)
        for owner, hit in zip(owners.tolist(), hits, strict=True):
            found[owner].append(hit.id)
        for place, record in enumerate(batch):
            yield record.key, [cluster for cluster in found[place] if cluster != result.clusters[record.key]]
