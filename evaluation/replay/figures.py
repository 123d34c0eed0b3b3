"""The figures of a replay, as they are stored in a run file."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import numpy as np

from evaluation.metrics.clusters import (
    Cells,
    Floats,
    b_cubed,
    b_cubed_parts,
    by_pairs,
    cells,
    merge_distance,
    pairwise,
    removal,
)
from evaluation.metrics.counting import Counted, count_pairs
from evaluation.metrics.intervals import bootstrap, means_and_f1, named, precision_recall_f1
from evaluation.pairs import Pair, Score, closure
from evaluation.replay.replay import ReplayResult
from evaluation.truth import Truth, contradicted, without

SHARES = ("precision", "recall", "f1")


def figures(result: ReplayResult, seed: int) -> dict[str, Any]:
    """All figures of a replay: pairs, clusters per id, skipped pairs, and for a whole truth the cluster metrics."""
    truth, totals, lost = result.truth, result.totals, result.lost
    ids = closure(truth.same)
    complete = truth.whole and truth.judged is None
    clusters = (
        result.clusters if complete else {key: result.clusters[key] for key in truth.named if key in result.clusters}
    )
    table = cells(clusters, ids)
    found = {
        "records": totals.records,
        "canonical": len(set(result.clusters.values())),
        "unsure": totals.unsure,
        "dead_letters": totals.dead_letters,
        "unknown_records": len(result.unknown),
        "pairs": {"same": len(truth.same), "different": None if truth.whole else len(truth.different)},
        "contradicted_by_others": len(contradicted(truth)),
        **pair_figures(result.counted, seed),
        "by_lookup": score_data(score_by_lookup(truth, result.found)),
        "ids_per_cluster": _ratio(len(table.shared), len(table.predicted_sizes)),
        "clusters_per_id": _ratio(len(table.shared), len(table.true_sizes)),
        "skipped": _by_class(truth, lambda pair: pair in result.skipped),
        "not_found_again": _by_class(truth, lambda pair: not lost.isdisjoint(pair)),
    }
    if complete:
        found["clusters"] = cluster_figures(table, seed)
    return found


def pair_figures(counted: Counted, seed: int) -> dict[str, Any]:
    """Precision, recall and F1 on the truth's pairs, with the counts and the intervals."""
    intervals = named(bootstrap(counted.parts, precision_recall_f1, seed=seed), SHARES)
    return {**score_data(counted.score), "intervals": intervals}


def cluster_figures(table: Cells, seed: int) -> dict[str, Any]:
    """The cluster metrics, with intervals by bootstrap over works."""
    parts = [*b_cubed_parts(table), table.shared.astype(np.float64)]
    sums: Floats = np.stack([np.bincount(table.at_true, part).astype(np.float64) for part in parts], axis=1)
    removed = removal(table)
    return {
        "pairwise": score_data(pairwise(table)),
        "b_cubed": {
            **_rounded(msgspec.structs.asdict(b_cubed(table))),
            "intervals": named(bootstrap(sums, means_and_f1, seed=seed), SHARES),
        },
        "merge_distance": {
            "steps": int(merge_distance(table)),
            "by_pairs": int(merge_distance(table, by_pairs, by_pairs)),
        },
        "removal": {
            "sensitivity": round(removed.sensitivity, 6),
            "specificity": round(removed.specificity, 6),
            **msgspec.structs.asdict(removed),
        },
    }


def score_data(score: Score) -> dict[str, Any]:
    """A score with its shares and counts."""
    shares = {"precision": score.precision, "recall": score.recall, "f1": score.f1}
    return {**_rounded(shares), **msgspec.structs.asdict(score)}


def score_by_lookup(truth: Truth, found: Mapping[str, str | None]) -> Score:
    """The score as the paper counts it: a pair is called the same if lookups of both records find one cluster.

    Pairs of which a lookup does not find one record are skipped.
    """
    clusters = {key: cluster for key, cluster in found.items() if cluster is not None}
    return count_pairs(without(truth, found.keys() - clusters.keys()), clusters).score


def _by_class(truth: Truth, hit: Callable[[Pair], bool]) -> dict[str, int | None]:
    different = None if truth.whole else sum(map(hit, truth.different))
    return {"same": sum(map(hit, truth.same)), "different": different}


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 6) for name, value in values.items()}


def _ratio(part: int, whole: int) -> float:
    return round(part / whole, 6) if whole else 0.0
