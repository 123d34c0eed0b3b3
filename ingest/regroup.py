"""Says how the clusters of a component should stand, by all its pairs, and what has to change for that, and why."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np

from bibfold.catalogue.rows import NEW, Verdicts
from bibfold.records.columns import Flags
from bibfold.records.model import Record
from bibfold.records.native import encode
from ingest.components import MOST, Component, Components
from ingest.observer import Pair
from ingest.partition import Decided, Relations, partition
from lookup.evidence import RANK
from lookup.matcher import Matcher

PAIRS_AT_ONCE: Final = 1_000_000
"""Components are compared together up to so many pairs."""

Kind = Literal["merge", "split", "move"]


class Member(msgspec.Struct, frozen=True):
    """A record of a component: its number in the catalogue, its cluster, and where the matcher has it."""

    no: int
    record: Record
    cluster: int
    place: int


class Change(msgspec.Struct, frozen=True):
    """Records that leave a cluster for another, and why; a `split` makes the other one, a `merge` leaves none behind.

    A cluster that is made has a provisional number, the same in all changes of a component.
    """

    kind: Kind
    left: int
    joined: int
    records: Mapping[int, Record]
    cause: str
    pair: Pair


class Regrouping(msgspec.Struct, frozen=True):
    """What has to change in one component, in this order: a cluster is merged when those that leave it have left."""

    component: Component
    changes: Sequence[Change]


def regroupings(components: Components, found: Iterable[Component]) -> Iterator[Regrouping]:
    """What has to change in those components that should stand otherwise; too large ones stay as they are."""
    for batch in _batches(component for component in found if 1 < component.size <= MOST):
        laid = [_members(components, component) for component in batch]
        tables = _relations(components.matcher, components.verdicts, laid)
        for component, members, relations in zip(batch, laid, tables, strict=True):
            if len(component.clusters) == 1 and relations.agree:
                continue
            changes = _changes(components.matcher, members, relations)
            if changes:
                yield Regrouping(component, changes)


def _batches(found: Iterable[Component]) -> Iterator[list[Component]]:
    batch, pairs = list[Component](), 0
    for component in found:
        batch.append(component)
        pairs += component.size**2 // 2
        if pairs >= PAIRS_AT_ONCE:
            yield batch
            batch, pairs = [], 0
    if batch:
        yield batch


def _members(components: Components, component: Component) -> list[Member]:
    """The records of a component in an order that is their own, not that of their arrival."""
    members = [
        Member(no, record, cluster.no, place)
        for cluster in component.clusters
        for (no, record), place in zip(cluster.numbered.items(), components.places(cluster), strict=True)
    ]
    return sorted(members, key=lambda member: encode(member.record))


def _relations(matcher: Matcher, verdicts: Verdicts, laid: Sequence[Sequence[Member]]) -> Iterator[Relations]:
    """How each two records of each component relate, all compared at once."""
    corners = [np.triu_indices(len(members), 1) for members in laid]
    places = [np.array([member.place for member in members], np.int64) for members in laid]
    left = np.concatenate([at[one] for at, (one, _) in zip(places, corners, strict=True)])
    right = np.concatenate([at[other] for at, (_, other) in zip(places, corners, strict=True)])
    compared = matcher.compare(left, right)
    same, score = np.zeros(len(left), np.bool_), np.zeros(len(left))
    same[compared.kept] = compared.decision == RANK["same"]
    score[compared.kept] = compared.score
    vetoed = matcher.vetoed(left, right)
    start = 0
    for members, (one, other) in zip(laid, corners, strict=True):
        part = slice(start, start + len(one))
        start += len(one)
        size = len(members)
        tables = np.zeros((3, size, size))
        for table, values in zip(tables, (same, score, vetoed), strict=True):
            table[one, other] = table[other, one] = values[part]
        np.fill_diagonal(tables[0], val=1)
        yield Relations(tables[0] > 0, tables[1], tables[2] > 0, _decided(members, verdicts))


def _decided(members: Sequence[Member], verdicts: Verdicts) -> Decided:
    decided = np.zeros((len(members), len(members)), np.int8)
    at = {member.record.key: place for place, member in enumerate(members)}
    for key, place in at.items():
        for other, verdict in verdicts.get(key, {}).items():
            if other in at:
                decided[place, at[other]] = 1 if verdict == "same" else -1
    return decided


class _Naming(NamedTuple):
    """Which group each cluster's id leads to (`heir`), and which cluster each group is to be (`name`)."""

    heir: Mapping[int, int]
    name: Mapping[int, int]


def _named(members: Sequence[Member], labels: Sequence[int]) -> _Naming:
    """An id goes to the group that holds most of its cluster's records, of equal ones to that with the oldest.

    A group that gets several ids is the oldest cluster of these, one that gets none is a new one.
    """
    held: dict[int, dict[int, list[int]]] = {}
    for member, label in zip(members, labels, strict=True):
        held.setdefault(member.cluster, {}).setdefault(label, []).append(member.no)
    heir = {
        cluster: max(groups, key=lambda label: (len(groups[label]), -min(groups[label])))
        for cluster, groups in held.items()
    }
    name: dict[int, int] = {}
    for cluster in sorted(heir):
        name.setdefault(heir[cluster], cluster)
    fresh = [label for cluster in sorted(held) for label in sorted(held[cluster]) if label not in name]
    name |= {label: NEW + place for place, label in enumerate(dict.fromkeys(fresh))}
    return _Naming(heir, name)


def _changes(matcher: Matcher, members: Sequence[Member], relations: Relations) -> list[Change]:
    labels = partition(relations)
    heir, name = _named(members, labels.tolist())
    clusters = np.array([member.cluster for member in members])
    changes = []
    for cluster, label in sorted(set(zip(clusters.tolist(), labels.tolist(), strict=True))):
        if name[label] == cluster:
            continue
        leaving = (clusters == cluster) & (labels == label)
        if name[label] >= NEW:
            kind: Kind = "split"
            others = (clusters == cluster) & (labels == heir[cluster])
        else:
            kind = "merge" if heir[cluster] == label else "move"
            others = (clusters != cluster) & (labels == label)
        records = {members[at].no: members[at].record for at in leaving.nonzero()[0].tolist()}
        cause, pair = _reason(matcher, members, relations, leaving, others)
        changes.append(Change(kind, cluster, name[label], records, cause, pair))
    return sorted(changes, key=lambda change: change.kind == "merge")


def _reason(
    matcher: Matcher, members: Sequence[Member], relations: Relations, leaving: Flags, others: Flags
) -> tuple[str, Pair]:
    """How records compare with others, by a person's word, a veto or the best pair, and how many pairs are the same."""
    block = np.ix_(leaving, others)
    decided, vetoed, score, same = (
        table[block] for table in (relations.decided, relations.vetoed, relations.score, relations.same)
    )
    telling = decided if decided.any() else vetoed if vetoed.any() else score
    one, other = np.unravel_index(np.abs(telling).argmax(), telling.shape)
    a, b = members[leaving.nonzero()[0][one]], members[others.nonzero()[0][other]]
    comparison = matcher.explain(matcher.columns.rows[a.place], matcher.columns.rows[b.place])
    pair = Pair(a.record.key, b.record.key, comparison)
    names = f"{pair.a} and {pair.b}"
    if decided.any():
        word = "same" if decided[one, other] > 0 else "different"
        return f"decided by a person: {names} are {word}", pair
    return f"{int(same.sum())} of {same.size} pairs are the same; {names}: {comparison.summary}", pair
