"""Goes through a whole catalogue and brings its clusters to what the records say, whatever order these came in."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from bibfold.catalogue.rows import NEW, RepairState, cluster_id
from bibfold.settings import REPAIRING
from bibfold.workspace import Workspace, ensure_index, remember
from indexer.outbox import deliver_waiting, refusals
from ingest.observer import Observer
from ingest.regroup import Change
from ingest.settle import settle
from lookup.matcher import matcher_of

BATCH: Final = 1_000
"""So many clusters are looked at before it is noted how far the repair has got."""


class Repaired(msgspec.Struct):
    """How many clusters were looked at, and what was changed, or would be; `resumed` is where a repair went on."""

    clusters: int = 0
    merges: int = 0
    splits: int = 0
    moves: int = 0
    resumed: str | None = None

    def add(self, change: Change) -> None:
        """Count a change."""
        self.merges += change.kind == "merge"
        self.splits += change.kind == "split"
        self.moves += change.kind == "move"


def repair(
    workspace: Workspace,
    on_change: Callable[[Change], Any] = lambda change: None,
    observer: Observer = Observer(),  # noqa: B008 - frozen
    *,
    dry_run: bool = False,
) -> Repaired:
    """Divide the records of every cluster, and of those that it hangs together with, anew, by all their pairs.

    Each change is a transaction of its own. A repair that was stopped goes on where it stood, unless something else
    has written since. A dry run tells the changes and makes none.
    """
    repaired = Repaired()

    def tell(change: Change) -> None:
        repaired.add(change)
        on_change(change)

    matcher = matcher_of(workspace.settings)
    state = _looked_at(workspace, observer) if dry_run else _begun(workspace, observer)
    repaired.resumed = cluster_id(state.done) if state.done else None
    examined: set[int] = set()
    for numbers in _batches(workspace, state):
        suspects = [no for no in numbers if no not in examined]
        examined |= settle(workspace, matcher, suspects, None if dry_run else state.run, tell, observer.remark)
        matcher.tidy()
        if not dry_run:
            with workspace.catalogue.writing() as write:
                write.note_repair(msgspec.structs.replace(state, done=numbers[-1]))
        repaired.clusters += len(numbers)
        observer.progress(repaired.clusters)
    if not dry_run:
        with workspace.catalogue.writing() as write:
            write.end_repair()
        remember(workspace, REPAIRING)
    return repaired


def change_data(change: Change) -> dict[str, Any]:
    """A change as JSON; a cluster that is yet to be made has no id."""
    return {
        "kind": change.kind,
        "cluster": cluster_id(change.left),
        "into": cluster_id(change.joined) if change.joined < NEW else None,
        "records": [record.key for record in change.records.values()],
        "cause": change.cause,
        "score": change.pair.comparison.score,
        "decision": change.pair.comparison.decision,
        "profile": change.pair.comparison.profile,
    }


def change_line(change: Change) -> str:
    """A change in words."""
    data = change_data(change)
    records = ", ".join(data["records"])
    target = data["into"] or "a new cluster"
    what = {
        "merge": f"merge {data['cluster']} into {target}",
        "move": f"move {records} from {data['cluster']} to {target}",
        "split": f"split {records} from {data['cluster']} into {target}",
    }
    return f"{what[change.kind]}: {change.cause}"


def _looked_at(workspace: Workspace, observer: Observer) -> RepairState:
    with workspace.catalogue.reading() as read:
        last, waiting = read.last_cluster(), read.count_outbox()
    if waiting:
        observer.remark(f"{waiting} changes wait to come into the index: what they would show is not in the plan")
    return RepairState({}, 0, last)


def _begun(workspace: Workspace, observer: Observer) -> RepairState:
    """Where the repair begins, or goes on: the index lacks nothing, and the run is noted."""
    ensure_index(workspace)
    for refusal in refusals(deliver_waiting(workspace)):
        observer.remark(refusal)
    settings = {name: getattr(workspace.settings, name) for name in REPAIRING}
    with workspace.catalogue.writing() as write:
        left = write.repairing()
        state = RepairState(settings, write.begin_run("repair"), write.last_cluster())
        if left and left.settings == settings:
            state = msgspec.structs.replace(state, last=left.last, done=left.done)
        write.note_repair(state)
    return state


def _batches(workspace: Workspace, state: RepairState) -> Iterator[list[int]]:
    """The numbers of the clusters that are yet to be looked at, each batch read when it is asked for."""
    done = state.done
    while done < state.last:
        with workspace.catalogue.reading() as read:
            numbers = [no for no in next(read.standing_numbers(done, BATCH), []) if no <= state.last]
        if not numbers:
            return
        yield numbers
        done = numbers[-1]
