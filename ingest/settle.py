"""Settles what the order of arrival decided: clusters in doubt are divided anew by all pairs of their records."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from bibfold.catalogue.rows import cluster_id
from bibfold.engines.base import Delete
from bibfold.workspace import Workspace
from indexer.documents import puts
from indexer.outbox import deliver_waiting, put
from ingest.components import MOST, Component, Components
from ingest.decide import Deciding, Happened, Rules
from ingest.groups import CanonicalPolicy, Group, group_of
from ingest.regroup import Change, Regrouping, regroupings
from ingest.writing import repoint, write_batch
from lookup.matcher import Matcher

MOST_ROUNDS: Final = 10
"""So often is looked again at what has changed."""


def in_doubt(workspace: Workspace) -> list[int]:
    """The clusters that might stand otherwise had their records come in another order: those of several records.

    Two single records were compared with each other when the later one came. A record that came to a cluster of
    several was compared with its canonical record alone, and may be the same as one of its records all the same.
    """
    with workspace.catalogue.reading() as read:
        return sorted(read.sizes(2))


def settle(
    workspace: Workspace,
    matcher: Matcher,
    suspects: Sequence[int],
    run: int | None,
    on_change: Callable[[Change], Any] = lambda change: None,
    remark: Callable[[str], Any] = lambda text: None,
) -> set[int]:
    """Divide suspects, and what hangs together with them, anew; the clusters that were looked at.

    Each component is a transaction of its own. Where the index proposes other candidates for what has changed, this is
    looked at again. Without a run nothing is written: the changes are only told.
    """
    examined: set[int] = set()
    for _ in range(MOST_ROUNDS):
        components = Components(workspace, matcher)
        found = components.of(suspects)
        for text in _too_large(components, found, suspects):
            remark(text)
        component = {cluster.no: at for at, one in enumerate(found) for cluster in one.clusters}
        examined |= component.keys()
        changed: set[int] = set()
        for regrouping in regroupings(components, found):
            changes = regrouping.changes if run is None else carry_out(workspace, matcher, regrouping, run)
            for change in changes:
                component.setdefault(change.joined, component[change.left])
                changed |= {change.left, change.joined}
                on_change(change)
        if run is None or not changed:
            break
        _deliver(workspace, changed)
        suspects = Components(workspace, matcher).reaching(sorted(changed), component)
        if not suspects:
            break
    return examined


def _too_large(components: Components, found: Sequence[Component], suspects: Iterable[int]) -> Iterator[str]:
    """What to say of components that have too many records to be looked at."""
    whole = [(no, components.too_large[no]) for no in suspects if no in components.too_large]
    parts = [(component.clusters[0].no, component.size) for component in found if component.size > MOST]
    for no, size in (*whole, *parts):
        yield f"{size} records hang together with {cluster_id(no)}, too many to compare each with each; they stay"


def carry_out(workspace: Workspace, matcher: Matcher, regrouping: Regrouping, run: int) -> Sequence[Change]:
    """Write a regrouping with its events; its changes, with the numbers that new clusters were given."""
    policy = CanonicalPolicy(workspace.settings.canonical, workspace.settings.trust)
    groups = {cluster.no: group_of(cluster, policy) for cluster in regrouping.component.clusters}
    leaving = [record.key for change in regrouping.changes for record in change.records.values()]
    with workspace.catalogue.writing() as write:
        deciding = Deciding(matcher, Rules(canonical=policy), groups, {}, vacated=write.vacated(leaving))
        made: dict[int, Group] = {}
        for change in regrouping.changes:
            _regroup(deciding, change, made)
        redirecting = {
            change.left: write.merged_into(change.left) for change in regrouping.changes if change.kind != "merge"
        }
        numbers, _ = write_batch(write, deciding, [], run)
        given = {no: numbers.real(group.no) for no, group in made.items()}
        changes = [
            msgspec.structs.replace(change, joined=given.get(change.joined, change.joined))
            for change in regrouping.changes
        ]
        for change in changes:
            if change.kind != "merge":
                write.move([record.key for record in change.records.values()], change.joined)
                repoint(write, redirecting[change.left], (change.left, change.joined))
    return changes


def _regroup(deciding: Deciding, change: Change, made: dict[int, Group]) -> None:
    """Carry a change out among groups; `made` are the new ones, by the numbers that changes name them by."""
    left, joined = deciding.groups[change.left], made.get(change.joined) or deciding.groups.get(change.joined)
    if change.kind == "merge":
        assert joined is not None
        deciding.merge(joined, left, change.cause, change.pair.comparison)
        return
    for no in change.records:
        left.remove(no)
    if joined is None:
        joined = made[change.joined] = deciding.found_group(change.records)
    else:
        joined.add(change.records)
    deciding.touched |= {left.no: left, joined.no: joined}
    kind = "split" if change.kind == "split" else "moved"
    deciding.events += [
        Happened(kind, joined.no, change.cause, record.key, left.no, change.pair.comparison)
        for record in change.records.values()
    ]


def _deliver(workspace: Workspace, changed: Iterable[int]) -> None:
    """Bring changed clusters into the index; without history there is no outbox to bring them from."""
    if workspace.catalogue.history:
        deliver_waiting(workspace)
        return
    with workspace.catalogue.reading() as read:
        standing = read.clusters(changed)
    index = workspace.index()
    gone = [Delete(cluster_id(no)) for no in changed if no not in standing]
    put(workspace.engine, index, [*gone, *puts(standing.values(), workspace.keys)])
    workspace.engine.commit(index)
