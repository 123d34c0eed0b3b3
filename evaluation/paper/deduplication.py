"""Deduplicates users' documents as the paper does, and tells what its tables 4, 19 and 20 tell."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from bibfold.records.model import Record
from bibfold.workspace import Layers, throw_away
from evaluation.benchmark.measure import PAPERS_WAY
from evaluation.metrics.clusters import cells
from evaluation.metrics.counting import count_pairs
from evaluation.pairs import Score, pair
from evaluation.paper.stand_ins import StandIn
from evaluation.replay.figures import figures
from evaluation.replay.replay import replayed
from evaluation.samples.pool import Pool
from evaluation.samples.sample import Method, Plan, draw
from evaluation.truth import Truth, without
from ingest.run import fold_stream
from lookup.answers import look_up


class Found(msgspec.Struct, frozen=True):
    """What came of a run; pairs of which a document is not found again are skipped, and not in the score."""

    score: Score
    documents: int
    canonical: int
    skipped: tuple[int, int]
    ids_per_cluster: float | None = None
    clusters_per_id: float | None = None


def papers_way(threshold: float, retriever: str = "bigrams", top_n: int = 10) -> dict[str, Any]:
    """The settings of a run of the paper's."""
    decided = {"profile": "mendeley", "same": threshold, "unsure": threshold}
    return {**decided, "retriever": retriever, "top_n": top_n, **PAPERS_WAY}


def drawn(pool: Pool, method: Method, pairs: int, seed: int, layers: Layers = ()) -> Truth:
    """So many pairs of each class, drawn from documents by the work that they are."""
    sample = draw(pool, Plan(method, pairs, seed), layers)
    labels = {
        same: {_keys(pool, one.one, one.other) for one in sample.drawn if one.same is same} for same in (True, False)
    }
    return Truth(labels[True], labels[False], whole=False)


def _keys(pool: Pool, one: int, other: int) -> tuple[str, str]:
    return pair(pool.members[one].key, pool.members[other].key)


def deduplicated(documents: Sequence[Record], pool: Pool, truth: Truth, layers: Layers) -> Found:
    """Fold the documents and look the pairs up; ids are those of the pool's groups."""
    with replayed(lambda: iter(documents), truth, layers) as done:
        found = figures(done, seed=0)
        ids = {member.key: pool.group_of[at] for at, member in enumerate(pool.members) if at in pool.group_of}
        table = cells(done.clusters, ids)
    score = found["without_not_found_again"]
    skipped = found["not_found_again"]
    return Found(
        Score(score["true_positives"], score["false_positives"], score["false_negatives"]),
        len(documents),
        found["canonical"],
        (skipped["same"], skipped["different"]),
        len(table.shared) / len(table.predicted_sizes),
        len(table.shared) / len(table.true_sizes),
    )


def imported(stand_in: StandIn, truth: Truth, layers: Layers) -> Found:
    """Fold what the documents were made of, and look the documents of the pairs up among it."""
    with throw_away(layers, history=False) as workspace:
        totals = fold_stream(workspace, stand_in.imported, "evaluate")
        named = truth.named
        asked = (document for document in stand_in.documents if document.key in named)
        placed = {answer.record.key: answer.cluster for answer in look_up(workspace, asked)}
    lost = {key for key, cluster in placed.items() if cluster is None}
    known = {key: cluster for key, cluster in placed.items() if cluster is not None}
    score = count_pairs(without(truth, lost), known).score
    skipped = _skipped(truth.same, lost), _skipped(truth.different, lost)
    return Found(score, len(stand_in.imported), totals.clusters, skipped)


def valid_documents(stand_in: StandIn) -> list[Record]:
    """The documents that are like the others of their group."""
    keys = {stand_in.valid.members[at].key for at in stand_in.valid.group_of}
    return [document for document in stand_in.documents if document.key in keys]


def _skipped(pairs: Iterable[tuple[str, str]], lost: set[str]) -> int:
    return sum(not lost.isdisjoint(two) for two in pairs)


def shares(found: Found, truth: Truth) -> Mapping[str, str]:
    """Canonical documents and skipped pairs as the tables give them."""
    same, different = (
        f"{count / max(len(pairs), 1):.2%}"
        for count, pairs in zip(found.skipped, (truth.same, truth.different), strict=True)
    )
    return {"canonical": f"{found.canonical / found.documents:.1%}", "same": same, "different": different}
