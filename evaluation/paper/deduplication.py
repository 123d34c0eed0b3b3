"""Deduplicates users' documents as the paper does, with the figures of its tables 4, 19 and 20."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from bibfold.records.model import Record
from bibfold.workspace import Layers, throw_away
from evaluation.benchmark.measure import PAPER_SETTINGS
from evaluation.metrics.clusters import cells
from evaluation.metrics.counting import count_pairs
from evaluation.pairs import Score, make_pair
from evaluation.paper.stand_ins import StandIn
from evaluation.replay.figures import figures
from evaluation.replay.replay import replay_records
from evaluation.samples.pool import Pool
from evaluation.samples.sample import Method, SamplePlan, draw
from evaluation.truth import Truth, without
from ingest.run import fold_stream
from lookup.answers import look_up


class DedupeResult(msgspec.Struct, frozen=True):
    """The figures of a run; pairs with a document that is not found again are skipped and do not count in the score."""

    score: Score
    documents: int
    canonical: int
    skipped: tuple[int, int]
    ids_per_cluster: float | None = None
    clusters_per_id: float | None = None


def paper_settings(threshold: float, retriever: str = "bigrams", top_n: int = 10) -> dict[str, Any]:
    """The settings of one of the paper's runs."""
    decided = {"profile": "mendeley", "same": threshold, "unsure": threshold}
    return {**decided, "retriever": retriever, "top_n": top_n, **PAPER_SETTINGS}


def sample_truth(pool: Pool, method: Method, pairs: int, seed: int, layers: Layers = ()) -> Truth:
    """Sample this number of pairs of each class from grouped documents."""
    sample = draw(pool, SamplePlan(method, pairs, seed), layers)
    labels = {
        same: {_keys(pool, pair.first, pair.second) for pair in sample.pairs if pair.same is same}
        for same in (True, False)
    }
    return Truth(labels[True], labels[False], whole=False)


def _keys(pool: Pool, first: int, second: int) -> tuple[str, str]:
    return make_pair(pool.members[first].key, pool.members[second].key)


def deduplicated(documents: Sequence[Record], pool: Pool, truth: Truth, layers: Layers) -> DedupeResult:
    """Fold the documents and compare with the truth; ids are the groups of the pool."""
    with replay_records(lambda: iter(documents), truth, layers) as result:
        found = figures(result, seed=0)
        ids = {member.key: pool.group_of[at] for at, member in enumerate(pool.members) if at in pool.group_of}
        table = cells(result.clusters, ids)
    score = found["without_not_found_again"]
    skipped = found["not_found_again"]
    return DedupeResult(
        Score(score["true_positives"], score["false_positives"], score["false_negatives"]),
        len(documents),
        found["canonical"],
        (skipped["same"], skipped["different"]),
        len(table.shared) / len(table.predicted_sizes),
        len(table.shared) / len(table.true_sizes),
    )


def imported(stand_in: StandIn, truth: Truth, layers: Layers) -> DedupeResult:
    """Fold the originals of the documents, and look the documents of the truth up among them."""
    with throw_away(layers, history=False) as workspace:
        totals = fold_stream(workspace, stand_in.imported, "evaluate")
        named = truth.named
        queries = (document for document in stand_in.documents if document.key in named)
        cluster_of = {answer.record.key: answer.cluster for answer in look_up(workspace, queries)}
    lost = {key for key, cluster in cluster_of.items() if cluster is None}
    found_clusters = {key: cluster for key, cluster in cluster_of.items() if cluster is not None}
    score = count_pairs(without(truth, lost), found_clusters).score
    skipped = _skipped(truth.same, lost), _skipped(truth.different, lost)
    return DedupeResult(score, len(stand_in.imported), totals.clusters, skipped)


def valid_documents(stand_in: StandIn) -> list[Record]:
    """The documents that are like the others of their group."""
    keys = {stand_in.valid.members[at].key for at in stand_in.valid.group_of}
    return [document for document in stand_in.documents if document.key in keys]


def _skipped(pairs: Iterable[tuple[str, str]], lost: set[str]) -> int:
    return sum(not lost.isdisjoint(pair) for pair in pairs)


def share_texts(found: DedupeResult, truth: Truth) -> Mapping[str, str]:
    """The shares of canonical documents and of skipped pairs, as the tables print them."""
    same, different = (
        f"{count / max(len(pairs), 1):.2%}"
        for count, pairs in zip(found.skipped, (truth.same, truth.different), strict=True)
    )
    return {"canonical": f"{found.canonical / found.documents:.1%}", "same": same, "different": different}
