"""Undoes what a person decided: the verdict is forgotten, and the clusters that it changed are as they were."""

from bibfold.catalogue import curations
from bibfold.catalogue.curations import Curation
from bibfold.catalogue.rows import ClusterState, Event, cluster_id
from bibfold.catalogue.writing import Writing
from bibfold.errors import NotFound, SettingsError
from bibfold.workspace import Workspace
from ingest.curate import Tell, deliver_change, silent
from ingest.groups import CanonicalPolicy, group_of

SHOWN = 3
"""How many records a reason names."""


def undo_decision(workspace: Workspace, one: str, other: str, tell: Tell = silent) -> list[str]:
    """Undo the change by which two records were decided; the clusters that they lie in afterwards.

    All that the command decided goes: a merge or a split decides of many pairs. Where something depends on it by now,
    nothing is undone, and the error says what.
    """
    pair = one, other
    with workspace.catalogue.writing() as write:
        found = curations.verdict(write, pair)
        if found is None:
            raise NotFound(f"nothing was decided of {one} and {other}; `bibfold decisions` lists what was")
        if found.curation is None:
            write.forget_verdicts([pair])
            tell("decided before bibfold kept what a decision changes: it is forgotten, the clusters stay as they are")
        else:
            _undo(workspace, write, curations.curation(write, found.curation))
        stored = write.stored(pair)
        placed = [cluster_id(stored[key].cluster) for key in pair if key in stored]
    deliver_change(workspace, tell)
    return placed


def _undo(workspace: Workspace, write: Writing, done: Curation) -> None:
    moved = {key: was for key, was in done.before.homes.items() if done.after.homes.get(key) != was}
    touched = sorted({*moved.values(), *(done.after.homes[key] for key in moved if key in done.after.homes)})
    if reason := _dependent(write, done, touched):
        raise SettingsError(f"cannot undo the {done.command}: {reason}")
    curations.restore_verdicts(write, done.before, done.after)
    if moved:
        _restore_clusters(workspace, write, done, moved, touched)
    curations.mark_undone(write, done.no)


def _dependent(write: Writing, done: Curation, touched: list[int]) -> str | None:
    """What came later and does not fit the state before; None if nothing does."""
    now = curations.state(write, done.after.homes)
    strange = [key for key in curations.members(write, touched) if key not in done.after.homes]
    if strange:
        return f"{_some(strange)} came into the clusters since; split them off first"
    gone = [key for key, home in done.after.homes.items() if home in touched and now.homes.get(key) != home]
    if gone:
        return f"{_some(gone)} left the clusters since"
    ours, before, after = curations.changed(done.before, done.after), done.before, done.after.by_pair
    for (a, b), verdict in now.verdicts:
        if (a, b) in ours:
            later = (a, b) not in after or after[a, b].word != verdict.word
        else:
            later = bool(touched) and (before.homes[a] == before.homes[b]) != (verdict.verdict == "same")
        if later:
            return f"{a} and {b} were decided to be {verdict.verdict} since; undo that first"
    return None


def _restore_clusters(
    workspace: Workspace, write: Writing, done: Curation, moved: dict[str, int], touched: list[int]
) -> None:
    """Move records back, give clusters their members' looks, and let those that are empty then redirect."""
    for home in sorted(set(moved.values())):
        write.move([key for key, was in moved.items() if was == home], home)
    policy = CanonicalPolicy(workspace.settings.canonical, workspace.settings.trust)
    standing = write.clusters(touched)
    empty = {
        no: moved[next(key for key in moved if done.after.homes[key] == no)] for no in touched if no not in standing
    }
    states = {no: ClusterState(size=0) for no in empty}
    for no, cluster in standing.items():
        many = len(cluster.numbered) > 1
        states[no] = ClusterState(len(cluster.numbered), group_of(cluster, policy).canonical if many else None)
    write.reshape(states)
    curations.redirect(write, {**dict.fromkeys(standing), **empty})
    left = {no: [key for key in moved if done.after.homes[key] == no] for no in empty}
    write.note_last_members({**dict.fromkeys(standing, ()), **left})
    run = write.begin_run("undo")
    cause = f"the {done.command} was undone" + (f": {done.note}" if done.note else "")
    moves = sorted({(was, done.after.homes[key]) for key, was in moved.items()})
    write.note_events((Event("undone", was, cause, other=from_) for was, from_ in moves), run)
    write.note_outbox(touched)


def _some(keys: list[str]) -> str:
    return ", ".join(keys[:SHOWN]) + (f" and {len(keys) - SHOWN} more" if len(keys) > SHOWN else "")
