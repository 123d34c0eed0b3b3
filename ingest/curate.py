"""A person's changes to clusters: merge, split, decide; each is an event, and none is undone by a later run."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Literal

from bibfold.catalogue.reading import Reading
from bibfold.catalogue.rows import Verdicts, cluster_id
from bibfold.catalogue.writing import Writing
from bibfold.errors import EngineError, EngineUnavailable, NotFound, SettingsError
from bibfold.records.model import Record
from bibfold.workspace import Workspace
from indexer.outbox import deliver_waiting, refusals
from ingest.curation.noted import curating
from ingest.decide import Deciding, Happened, Rules
from ingest.groups import CanonicalPolicy, Group, group_of
from ingest.writing import write_batch
from lookup.matcher import matcher_of

Tell = Callable[[str], Any]
"""Told what a person should know of a change that is made."""


def silent(text: str) -> None:
    """Tell nobody."""


def merge(workspace: Workspace, names: Sequence[str], note: str = "", tell: Tell = silent) -> str:
    """Make clusters one; the oldest survives, the others redirect to it. Each name is a cluster or a record.

    What was decided between their records before gives way: they are the same from now on.
    """
    with curating(workspace.catalogue, "merge", names, note) as write:
        numbers = list(dict.fromkeys(write.resolve(name) for name in names))
        if not numbers:
            raise SettingsError("name two clusters to be merged")
        if len(numbers) < 2:
            raise SettingsError(f"{' and '.join(names)}: one cluster already, {cluster_id(numbers[0])}; name two")
        first = _merge(workspace, write, numbers, note)
    deliver_change(workspace, tell)
    return cluster_id(first)


def split(workspace: Workspace, cluster: str, keys: Sequence[str], note: str = "", tell: Tell = silent) -> str:
    """Take records out of a cluster into a new one, and keep the two apart from now on."""
    with curating(workspace.catalogue, "split", [cluster], note) as write:
        no = write.resolve(cluster)
        members = write.clusters([no])[no].members
        leaving = {record.key for record in members} & set(keys)
        missing = set(keys) - leaving
        if missing:
            raise NotFound(f"{cluster_id(no)} does not hold {', '.join(sorted(missing))}")
        if not leaving:
            raise SettingsError(f"name the records that are to leave {cluster_id(no)}")
        if len(leaving) == len(members):
            raise SettingsError(f"{cluster_id(no)} would be left empty: name some of its records, not all")
        new = _split(workspace, write, no, leaving, note)
        staying = [record.key for record in members if record.key not in leaving]
        write.record_verdicts(product(sorted(leaving), staying), "different", note)
    deliver_change(workspace, tell)
    return cluster_id(new)


def decide(
    workspace: Workspace,
    one: str,
    other: str,
    verdict: Literal["same", "different"],
    note: str = "",
    tell: Tell = silent,
) -> list[str]:
    """Keep a person's word on two records and act on it; the clusters that the two lie in afterwards."""
    with curating(workspace.catalogue, "decision", [one, other], note) as write:
        found = write.stored([one, other])
        for key in (one, other):
            if key not in found:
                raise NotFound(f"no record {key!r} here; name it as source:id")
        if one == other:
            raise SettingsError(f"{one} was named twice; name two records")
        write.record_verdicts([(one, other)], verdict, note)
        mine, yours = found[one].cluster, found[other].cluster
        if verdict == "same" and mine != yours:
            _refuse_contradiction(write, [mine, yours])
            _merge(workspace, write, [mine, yours], note)
        elif verdict == "different" and mine == yours:
            _split(workspace, write, mine, _with_same(write, mine, other, one), note)
        placed = [cluster_id(write.resolve(key)) for key in (one, other)]
    deliver_change(workspace, tell)
    return placed


def deliver_change(workspace: Workspace, tell: Tell) -> None:
    """Bring a change into the index; where that fails it waits in the outbox for the next command that writes."""
    try:
        if not workspace.engine.ready():
            raise EngineUnavailable(f"{workspace.address} does not answer")
        for refusal in refusals(deliver_waiting(workspace)):
            tell(refusal)
    except EngineError as error:
        tell(f"the change is kept, and waits for the next command that writes to come into the index: {error}")


def _merge(workspace: Workspace, write: Writing, numbers: Iterable[int], note: str) -> int:
    deciding = _start(workspace, write, numbers)
    first, *others = sorted(deciding.groups.values(), key=lambda group: group.no)
    for other in others:
        _note_same(write, first, other, note)
        deciding.merge(first, other, note or "merged by a person")
    write_batch(write, deciding, [], write.begin_run("merge"))
    return first.no


def _note_same(write: Writing, one: Group, other: Group, note: str) -> None:
    """Tie every record of each group to the other group's oldest, so that whichever changes later is held."""
    ours, theirs = ([record.key for record in group.members] for group in (one, other))
    said = write.verdicts(ours)
    write.forget_verdicts([(a, b) for a in ours for b in said.get(a, {}) if b in set(theirs)])
    pairs = dict.fromkeys([*product(ours[:1], theirs), *product(ours, theirs[:1])])
    write.record_verdicts(pairs, "same", note)


def _split(workspace: Workspace, write: Writing, no: int, leaving: set[str], note: str) -> int:
    deciding = _start(workspace, write, [no])
    group = deciding.groups[no]
    moved = {number: record for number, record in group.numbered.items() if record.key in leaving}
    for number in moved:
        group.remove(number)
    new = deciding.found_group(moved)
    deciding.touched[no] = group
    cause = note or "split by a person"
    deciding.events.extend(Happened("split", new.no, cause, record.key, no) for record in new.members)
    numbers, _ = write_batch(write, deciding, [], write.begin_run("split"))
    number = numbers.real(new.no)
    write.move([record.key for record in new.members], number)
    return number


def _with_same(read: Reading, cluster: int, leaving: str, staying: str) -> set[str]:
    """A record with those of its cluster that a person tied to it; alone where that would take the other along."""
    members: list[Record] = read.clusters([cluster])[cluster].members
    said = read.verdicts([record.key for record in members])
    tied = _tied(said, leaving, {record.key for record in members})
    return {leaving} if staying in tied else tied


def _tied(said: Verdicts, key: str, among: set[str]) -> set[str]:
    found, waiting = {key}, [key]
    while waiting:
        others: Mapping[str, str] = said.get(waiting.pop(), {})
        for other, verdict in others.items():
            if verdict == "same" and other in among and other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _refuse_contradiction(read: Reading, numbers: Sequence[int]) -> None:
    """Two records cannot be the same where others of their clusters were decided to be different."""
    clusters = read.clusters(numbers)
    one, other = ([record.key for record in clusters[no].members] for no in numbers)
    said = read.verdicts(one)
    for a, b in product(one, other):
        if said.get(a, {}).get(b) == "different":
            raise SettingsError(
                f"{a} and {b} lie in the clusters that would become one, and were decided to be different; "
                f"decide anew on them first, or `bibfold merge {cluster_id(numbers[0])} {cluster_id(numbers[1])}`"
            )


def _start(workspace: Workspace, read: Reading, numbers: Iterable[int]) -> Deciding:
    settings = workspace.settings
    policy = CanonicalPolicy(settings.canonical, settings.trust)
    rules = Rules(canonical=policy)
    groups = {no: group_of(cluster, policy) for no, cluster in read.clusters(numbers).items()}
    return Deciding(matcher_of(settings), rules, groups, {})
