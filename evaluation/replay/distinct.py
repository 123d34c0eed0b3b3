"""Folds records that are all different works: every merge is an error."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations, islice
from typing import Any

import msgspec

from bibfold.catalogue.rows import cluster_no
from bibfold.records.model import DeadLetter, Record
from bibfold.records.prepare import prepare
from bibfold.workspace import Layers, Workspace, throw_away
from evaluation.metrics.counting import LISTED, members_of
from evaluation.pairs import Pair, make_pair
from evaluation.replay.replay import clusters_of
from ingest.observer import Observer
from ingest.run import Totals, fold_stream
from lookup.evidence import Comparison
from lookup.matcher import matcher_of


class WrongCluster(msgspec.Struct, frozen=True):
    """A cluster of several records: its founder, and the other records with their comparison to the founder."""

    cluster: str
    founder: Record
    others: list[tuple[Record, Comparison]]


class DistinctResult(msgspec.Struct, frozen=True):
    """The figures of a fold of distinct records, its wrong pairs (up to a limit), and its largest clusters."""

    figures: dict[str, Any]
    wrong: list[Pair]
    worst: list[WrongCluster]


def fold_distinct(
    items: Iterable[Record | DeadLetter],
    layers: Layers = (),
    observer: Observer = Observer(),  # noqa: B008 - frozen
    worst: int = 10,
) -> DistinctResult:
    """Fold records that are all different works; `worst` is how many of the largest clusters are returned."""
    with throw_away(layers, history=False) as workspace:
        totals = fold_stream(workspace, items, "evaluate", observer, obey_deletions=False)
        clusters = clusters_of(workspace)
        members = {cluster: keys for cluster, keys in members_of(clusters).items() if len(keys) > 1}
        every = (make_pair(a, b) for keys in members.values() for a, b in combinations(keys, 2))
        largest = sorted(members, key=lambda cluster: (-len(members[cluster]), cluster_no(cluster)))[:worst]
        figures = _figures(totals, clusters, members)
        return DistinctResult(figures, sorted(islice(every, LISTED)), _merges(workspace, largest))


def _figures(totals: Totals, clusters: Mapping[str, str], members: Mapping[str, list[str]]) -> dict[str, Any]:
    together = sum(map(len, members.values()))
    wrongly = together - len(members)
    sizes = Counter(map(len, members.values()))
    return {
        "records": len(clusters),
        "canonical": len(clusters) - wrongly,
        "wrongly_merged": wrongly,
        "share_wrongly_merged": round(wrongly / len(clusters), 6) if clusters else 0.0,
        "records_in_wrong_clusters": together,
        "false_positives": sum(count * size * (size - 1) // 2 for size, count in sizes.items()),
        "unsure": totals.unsure,
        "dead_letters": totals.dead_letters,
        "cluster_sizes": {str(size): sizes[size] for size in sorted(sizes)},
    }


def _merges(workspace: Workspace, clusters: Iterable[str]) -> list[WrongCluster]:
    matcher = matcher_of(workspace.settings)
    names = {cluster_no(cluster): cluster for cluster in clusters}
    with workspace.catalogue.reading() as read:
        loaded = read.clusters(names)
    merges = []
    for no, name in names.items():
        founder, *others = loaded[no].members
        ours = prepare(founder)
        merges.append(
            WrongCluster(name, founder, [(record, matcher.explain(prepare(record), ours)) for record in others])
        )
    return merges
