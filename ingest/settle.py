"""Settles what the order of arrival decided: clusters in doubt are divided anew by all pairs of their records."""

from collections.abc import Iterable, Sequence

from bibfold.catalogue.rows import NEW
from bibfold.catalogue.writing import Writing
from bibfold.workspace import Workspace
from ingest.components import Components
from ingest.decide import Deciding, Happened, Rules
from ingest.groups import CanonicalPolicy, group_of
from ingest.observer import BatchFolded
from ingest.regroup import Change, Regrouping, regroupings
from ingest.writing import write_batch
from lookup.matcher import Matcher


class Doubts:
    """The pairs of a run by which order may have decided, noted batch by batch."""

    def __init__(self) -> None:
        self._pairs: list[tuple[str, str, bool]] = []

    def note(self, folded: BatchFolded) -> None:
        """Take down which records were the same as, or like, which clusters."""
        self._pairs += [(pair.a, pair.b, pair.comparison.decision == "same") for pair in folded.pairs]

    def suspects(self, workspace: Workspace) -> list[int]:
        """The clusters that might stand otherwise had their records come in another order.

        These are the clusters of three records and more; two that hold the same work by a record's comparison; and two
        that are like each other, if one of them has several records: that one of these is the same is not known.
        """
        with workspace.catalogue.reading() as read:
            sizes = read.sizes(2)
            stored = read.stored({key for a, b, _ in self._pairs for key in (a, b)})
        found = {no for no, size in sizes.items() if size > 2}
        for a, b, same in self._pairs:
            one, other = stored[a].cluster, stored[b].cluster
            if one != other and (same or one in sizes or other in sizes):
                found |= {one, other}
        return sorted(found)


def settle(workspace: Workspace, matcher: Matcher, suspects: Iterable[int], run: int) -> list[Regrouping]:
    """Divide the suspects and what hangs together with them anew, in one transaction; what has changed."""
    components = Components(workspace, matcher)
    planned = list(regroupings(components, components.of(suspects)))
    if planned:
        with workspace.catalogue.writing() as write:
            carry_out(workspace, write, matcher, planned, run)
    return planned


def carry_out(
    workspace: Workspace, write: Writing, matcher: Matcher, planned: Sequence[Regrouping], run: int
) -> None:
    """Write regroupings, with events and, where they fell together, reviews settled."""
    policy = CanonicalPolicy(workspace.settings.canonical, workspace.settings.trust)
    clusters = [cluster for regrouping in planned for cluster in regrouping.component.clusters]
    groups = {cluster.no: group_of(cluster, policy) for cluster in clusters}
    deciding = Deciding(matcher, Rules(canonical=policy), groups, {})
    moved: list[tuple[list[str], int]] = []
    for regrouping in planned:
        moved += _regroup(deciding, regrouping.changes)
    numbers, _ = write_batch(write, deciding, [], run)
    for keys, no in moved:
        write.move(keys, numbers.real(no))


def _regroup(deciding: Deciding, changes: Sequence[Change]) -> list[tuple[list[str], int]]:
    """Carry out changes among groups; the records that leave without their cluster, and where they go."""
    made: dict[int, int] = {}
    moved = []
    for change in changes:
        if change.kind == "merge":
            continue
        for no in change.records:
            deciding.groups[change.left].remove(no)
        deciding.touched[change.left] = deciding.groups[change.left]
        if change.joined < NEW or change.joined in made:
            joined = deciding.groups[made.get(change.joined, change.joined)]
            joined.add(change.records)
            deciding.touched[joined.no] = joined
        else:
            joined = deciding.found_group(change.records)
            made[change.joined] = joined.no
        kind = "moved" if change.kind == "move" else "split"
        keys = [record.key for record in change.records.values()]
        deciding.events += [
            Happened(kind, joined.no, change.cause, key, change.left, change.comparison) for key in keys
        ]
        moved.append((keys, joined.no))
    for change in changes:
        if change.kind == "merge":
            joined = deciding.groups[change.joined]
            deciding.merge(joined, deciding.groups[change.left], change.cause, change.comparison)
    return moved
