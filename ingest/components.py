"""Finds which clusters have to be looked at together, because records of one are the same as records of another."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from bibfold.catalogue.rows import Cluster, cluster_id, cluster_no
from bibfold.engines.base import Hit
from bibfold.records.columns import distinct
from bibfold.records.keys import keys
from bibfold.records.prepare import prepare
from bibfold.workspace import Workspace
from lookup.comparing import possible
from lookup.evidence import RANK
from lookup.matcher import KeyedRecord, Matcher
from lookup.pairs import Pairs

MOST: Final = 2_000
"""No more records than these are looked at together: each is compared with each."""

PAIRS_AT_ONCE: Final = 20_000
"""So many pairs are compared before it is asked which clusters have yet to be linked."""

Link = tuple[int, int]
"""Two clusters, by number, that hold records which are the same as each other."""


class _Near(NamedTuple):
    """A record of a link's first cluster, by its place, that may be the same as one of the second."""

    link: Link
    row: int


class Component(NamedTuple):
    """Clusters that hang together by records that are the same; a large one may lack some."""

    clusters: Sequence[Cluster]

    @property
    def size(self) -> int:
        """How many records there are."""
        return sum(len(cluster.numbered) for cluster in self.clusters)


class Components:
    """Looks for components, and keeps what it has loaded at hand."""

    def __init__(self, workspace: Workspace, matcher: Matcher) -> None:
        self.matcher = matcher
        self.verdicts: dict[str, dict[str, str]] = {}
        self._workspace = workspace
        self._clusters: dict[int, Cluster] = {}
        self._places: dict[int, int] = {}
        with workspace.catalogue.reading() as read:
            self.too_large = read.sizes(MOST + 1)

    def of(self, suspects: Iterable[int]) -> list[Component]:
        """The components of these clusters, each once, in order of their oldest clusters.

        Clusters are added until no record of a component is the same as one outside, or the component is too large.
        """
        waiting = list(dict.fromkeys(suspects))
        self._load(waiting)
        waiting = [no for no in waiting if no in self._clusters]
        links: list[Link] = [(no, no) for no in waiting]
        seen = set(waiting)
        components: list[Component] = []
        while waiting:
            links += self._links([self._clusters[no] for no in waiting])
            components = [Component([self._clusters[no] for no in numbers]) for numbers in _joined(links)]
            waiting = [
                cluster.no
                for component in components
                if component.size <= MOST
                for cluster in component.clusters
                if cluster.no not in seen
            ]
            seen.update(waiting)
        return components

    def reaching(self, numbers: Iterable[int], component: Mapping[int, int]) -> list[int]:
        """Those clusters that hold a record which is the same as one outside their component, told the components."""
        self._load(numbers)
        links = self._links([self._clusters[no] for no in numbers if no in self._clusters], component)
        return sorted({one for one, _ in links})

    def places(self, cluster: Cluster) -> list[int]:
        """Where the matcher has the records of a cluster, in their order."""
        missing = [no for no in cluster.numbered if no not in self._places]
        if missing and len(cluster.numbered) == 1:
            (record,) = cluster.members
            self._places[missing[0]] = int(self.matcher.add_hits([Hit(cluster_id(cluster.no), 0.0, record)])[0])
        elif missing:
            prepared = [prepare(cluster.numbered[no]) for no in missing]
            self._places.update(zip(missing, self.matcher.add(prepared).tolist(), strict=True))
        return [self._places[no] for no in cluster.numbered]

    def _load(self, numbers: Iterable[int]) -> None:
        missing = {no for no in numbers if no not in self._clusters and no not in self.too_large}
        if missing:
            with self._workspace.catalogue.reading() as read:
                fresh = read.clusters(missing)
                said = read.verdicts(record.key for cluster in fresh.values() for record in cluster.members)
            self._clusters.update(fresh)
            for key, verdicts in said.items():
                self.verdicts.setdefault(key, {}).update(verdicts)

    def _links(self, clusters: Sequence[Cluster], component: Mapping[int, int] = {}) -> set[Link]:
        """Which clusters, but for those of their own component, hold a record that is the same as one of these."""
        decided = self._decided(clusters)
        near = [asked for asked in self._near(clusters) if not _in_one(asked.link, component)]
        self._load(other for _, other in (*decided, *(asked.link for asked in near)))
        links = {link for link in decided if link[1] in self._clusters and not _in_one(link, component)}
        near = [asked for asked in near if asked.link[1] in self._clusters]
        while near:
            batch, pairs = list[_Near](), 0
            while near and pairs < PAIRS_AT_ONCE:
                asked = near.pop()
                if asked.link not in links:
                    batch.append(asked)
                    pairs += len(self._clusters[asked.link[1]].numbered)
            links |= self._same(batch)
        return links

    def _near(self, clusters: Sequence[Cluster]) -> list[_Near]:
        """The other clusters that the index proposes for the records of these, if they may be the same."""
        owners = [cluster.no for cluster in clusters for _ in cluster.numbered]
        records = [record for cluster in clusters for record in cluster.members]
        rows = np.array([place for cluster in clusters for place in self.places(cluster)], np.int64)
        keyed = [
            KeyedRecord(record, prepared, keys(prepared, self.matcher.retrieval.keys))
            for record, prepared in zip(records, map(self.matcher.columns.rows.__getitem__, rows), strict=True)
        ]
        (found, hits), _ = self._workspace.ask(
            lambda index: self.matcher.candidates(self._workspace.engine, index, keyed, possible=True)
        )
        asked = [_Near((owners[at], cluster_no(hit.id)), int(rows[at])) for at, hit in zip(found, hits, strict=True)]
        elsewhere = np.array([at for at, (link, _) in enumerate(asked) if link[0] != link[1]], np.int64)
        others = self.matcher.add_hits([hits[at] for at in elsewhere.tolist()])
        kept = possible(Pairs(self.matcher.columns, rows[found[elsewhere]], others), self.matcher.profile)
        return [asked[at] for at in elsewhere[kept].tolist()]

    def _same(self, near: Sequence[_Near]) -> set[Link]:
        """Those links whose record is the same as one of the other cluster."""
        others = [self.places(self._clusters[asked.link[1]]) for asked in near]
        owners = np.repeat(np.arange(len(near)), list(map(len, others)))
        left = np.array([asked.row for asked in near], np.int64)[owners]
        compared = self.matcher.compare(left, np.array([place for places in others for place in places], np.int64))
        same = owners[compared.kept[compared.decision == RANK["same"]]]
        return {near[at].link for at in same.tolist()}

    def _decided(self, clusters: Sequence[Cluster]) -> set[Link]:
        """The clusters that a person's word ties to these."""
        home = {record.key: cluster.no for cluster in clusters for record in cluster.members}
        said = [(key, *word) for key in home for word in self.verdicts.get(key, {}).items()]
        tied = [(key, other) for key, other, verdict in said if verdict == "same"]
        if not tied:
            return set()
        with self._workspace.catalogue.reading() as read:
            stored = read.stored({other for _, other in tied})
        links = {(home[key], stored[other].cluster) for key, other in tied if other in stored}
        return {(one, other) for one, other in links if one != other}


def _in_one(link: Link, component: Mapping[int, int]) -> bool:
    return link[0] in component and component[link[0]] == component.get(link[1])


def _joined(links: Sequence[Link]) -> list[list[int]]:
    """The numbers in links, those together that are linked, each list in order, and the lists by their first."""
    pairs = np.array(links, np.int64).reshape(-1, 2)
    numbers = distinct(pairs.ravel())
    one, other = np.searchsorted(numbers, pairs.T)
    graph = coo_array((np.ones(len(pairs)), (one, other)), shape=(len(numbers), len(numbers)))
    _, labels = connected_components(graph, directed=False)
    found: dict[int, list[int]] = {}
    for no, label in zip(numbers.tolist(), labels.tolist(), strict=True):
        found.setdefault(label, []).append(no)
    return list(found.values())
