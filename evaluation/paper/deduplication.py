"""Deduplicates users' documents as the paper does, and asks its lookup service: tables 4, 19 and 20."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from bibfold.records.model import Record
from bibfold.workspace import Layers, throw_away
from evaluation.benchmark.measure import PAPER_SETTINGS
from evaluation.metrics.clusters import cells
from evaluation.metrics.counting import count_pairs
from evaluation.pairs import Score
from evaluation.paper.stand_ins import StandIn
from evaluation.replay.figures import score_by_lookup
from evaluation.replay.relookup import found_again
from evaluation.replay.replay import clusters_of
from evaluation.samples.pool import Pool
from evaluation.truth import Truth
from ingest.run import fold_stream


class DedupeResult(msgspec.Struct, frozen=True):
    """The figures of a run: by what a lookup of each document finds, without skipped pairs, and by where it lies.

    A pair is skipped where a lookup of one of its documents finds nothing; `skipped` has the percentages of duplicate
    and of non-duplicate pairs.
    """

    by_lookup: Score
    by_fold: Score | None
    documents: int
    canonical: int
    skipped: tuple[float, float]
    ids_per_cluster: float | None = None
    clusters_per_id: float | None = None


def paper_settings(threshold: float, retriever: str = "bigrams", top_n: int = 10) -> dict[str, Any]:
    """The settings of one of the paper's runs."""
    decided = {"profile": "mendeley", "same": threshold, "unsure": threshold}
    return {**decided, "retriever": retriever, "top_n": top_n, **PAPER_SETTINGS}


def deduplicated(documents: Sequence[Record], pool: Pool, truth: Truth, layers: Layers) -> DedupeResult:
    """Fold the documents and look those of the truth up; ids are the groups of the pool."""
    named = truth.named
    with throw_away(layers, history=False) as workspace:
        fold_stream(workspace, documents, "evaluate")
        clusters = clusters_of(workspace)
        found = found_again(workspace, (document for document in documents if document.key in named))
    ids = {member.key: pool.group_of[at] for at, member in enumerate(pool.members) if at in pool.group_of}
    table = cells(clusters, ids)
    return DedupeResult(
        score_by_lookup(truth, found),
        count_pairs(truth, clusters).score,
        len(documents),
        len(set(clusters.values())),
        _skipped(truth, found),
        len(table.shared) / len(table.predicted_sizes),
        len(table.shared) / len(table.true_sizes),
    )


def imported(stand_in: StandIn, truth: Truth, layers: Layers) -> DedupeResult:
    """Fold the source's own records, and look the documents of the truth up among them."""
    named = truth.named
    with throw_away(layers, history=False) as workspace:
        totals = fold_stream(workspace, stand_in.imported, "evaluate")
        found = found_again(workspace, (document for document in stand_in.documents if document.key in named))
    score = score_by_lookup(truth, found)
    return DedupeResult(score, None, len(stand_in.imported), totals.clusters, _skipped(truth, found))


def canonical(records: Iterable[Record], layers: Layers) -> tuple[int, int]:
    """How many records there are, and how many canonical ones they become."""
    with throw_away(layers, history=False) as workspace:
        totals = fold_stream(workspace, records, "evaluate")
        return totals.records, totals.clusters


def valid_documents(stand_in: StandIn) -> list[Record]:
    """The documents that were validated."""
    keys = {stand_in.valid.members[at].key for at in stand_in.valid.group_of}
    return [document for document in stand_in.documents if document.key in keys]


def _skipped(truth: Truth, found: Mapping[str, str | None]) -> tuple[float, float]:
    lost = {key for key, cluster in found.items() if cluster is None}
    shares = [
        100 * sum(not lost.isdisjoint(pair) for pair in pairs) / max(len(pairs), 1)
        for pairs in (truth.same, truth.different)
    ]
    return shares[0], shares[1]
