"""A person's changes to clusters: merge, split, decide; each is an event, and none is undone by a later run."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Literal

from bibfold.catalogue.reading import Reading
from bibfold.catalogue.rows import cluster_id
from bibfold.catalogue.writing import Writing
from bibfold.errors import EngineError, EngineUnavailable, NotFound, SettingsError
from bibfold.settings import Settings
from bibfold.workspace import Workspace
from indexer.outbox import deliver_waiting, refusals
from ingest.contradictions import ties, way_between
from ingest.curation.noted import curating
from ingest.decide import Deciding, Happened, Rules
from ingest.groups import CanonicalPolicy, group_of
from ingest.writing import repoint, write_batch
from lookup.matcher import matcher_of

Tell = Callable[[str], Any]
"""Told what a person should know of a change that is made."""

Word = Literal["same", "different"]

SIGNS: Mapping[str, str] = {"same": "=", "different": "≠"}


def silent(text: str) -> None:
    """Tell nobody."""


def merge(workspace: Workspace, names: Sequence[str], note: str = "", tell: Tell = silent) -> str:
    """Make clusters one; the oldest survives, the others redirect to it. Each name is a cluster or a record.

    What was decided between their records before gives way: they are the same from now on, each to the oldest.
    """
    with curating(workspace.catalogue, "merge", names, note) as write:
        numbers = list(dict.fromkeys(write.resolve_all(names)))
        if not numbers:
            raise SettingsError("name two clusters to be merged")
        if len(numbers) < 2:
            raise SettingsError(f"{' and '.join(names)}: one cluster already, {cluster_id(numbers[0])}; name two")
        keys = [record.key for cluster in write.clusters(sorted(numbers)).values() for record in cluster.members]
        _let_fall(write, _decided(write, keys, keys, "different"), "different", tell)
        write.record_verdicts([(keys[0], key) for key in keys[1:]], "same", note)
        first = _merge(workspace, write, numbers, note)
    deliver_change(workspace, tell)
    return cluster_id(first)


def split(workspace: Workspace, cluster: str, keys: Sequence[str], note: str = "", tell: Tell = silent) -> str:
    """Take records out of a cluster into one of their own, and keep the two apart from now on.

    Its id is the one that these records brought into the cluster, if there is one, else a new one.
    """
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
        staying = [record.key for record in members if record.key not in leaving]
        _let_fall(write, _decided(write, leaving, staying, "same"), "same", tell)
        new = _split(workspace, write, no, leaving, note)
        write.record_verdicts(product(sorted(leaving), staying), "different", note)
    deliver_change(workspace, tell)
    return cluster_id(new)


def decide(
    workspace: Workspace,
    one: str,
    other: str,
    verdict: Word,
    note: str = "",
    tell: Tell = silent,
    *,
    overrule: bool = False,
) -> list[str]:
    """Keep a person's word on two records and act on it; the clusters that the two lie in afterwards.

    What contradicts earlier decisions is refused; with `overrule` these give way.
    """
    pair = one, other
    with curating(workspace.catalogue, "decision", pair, note) as write:
        found = write.stored(pair)
        for key in pair:
            if key not in found:
                raise NotFound(f"no record {key!r} here; name it as source:id")
        if one == other:
            raise SettingsError(f"{one} was named twice; name two records")
        mine, yours = found[one].cluster, found[other].cluster
        write.forget_verdicts([pair])
        if verdict == "different":
            _part(write, one, other, tell, overrule=overrule)
        elif mine != yours:
            _join(write, pair, (mine, yours), tell, overrule=overrule)
        write.record_verdicts([pair], verdict, note)
        if verdict == "same" and mine != yours:
            _merge(workspace, write, [mine, yours], note)
        elif verdict == "different" and mine == yours:
            members = {record.key for record in write.clusters([mine])[mine].members}
            _split(workspace, write, mine, set(ties(write, other)) & members, note)
        placed = [cluster_id(no) for no in write.resolve_all(pair)]
    deliver_change(workspace, tell)
    return placed


def _part(write: Writing, a: str, b: str, tell: Tell, *, overrule: bool) -> None:
    """See to it that no chain of decisions ties two records that are to be different; the last link of each falls."""
    while chain := way_between(ties(write, a), a, b):
        if not overrule:
            raise SettingsError(
                f"{a} and {b} were decided to be the same: {' = '.join(chain)}; decide anew on one of these pairs "
                "first, or take it with --overrule: then the last of them falls"
            )
        _let_fall(write, [(chain[-2], chain[-1])], "same", tell)


def _join(write: Writing, pair: tuple[str, str], numbers: tuple[int, int], tell: Tell, *, overrule: bool) -> None:
    """See to it that no decision keeps two clusters apart that are to become one."""
    clusters = write.clusters(numbers)
    ours, theirs = ([record.key for record in clusters[no].members] for no in numbers)
    apart = _decided(write, ours, theirs, "different")
    if apart and not overrule:
        x, y = apart[0]
        links = [*_link(write, pair[0], x, numbers[0]), f"{x} ≠ {y}", *_link(write, y, pair[1], numbers[1])]
        raise SettingsError(
            f"{x} and {y} were decided to be different ({', '.join(links)}), so {pair[0]} and {pair[1]} cannot be the "
            "same; decide anew on them first, or take it with --overrule: then this falls"
        )
    _let_fall(write, apart, "different", tell)


def _link(read: Reading, a: str, b: str, cluster: int) -> list[str]:
    """What ties two records of a cluster: decisions, or else only that they were folded."""
    if a == b:
        return []
    chain = way_between(ties(read, a), a, b)
    return [" = ".join(chain) if chain else f"{a} and {b} are both in {cluster_id(cluster)}"]


def _decided(read: Reading, ours: Iterable[str], theirs: Iterable[str], word: Word) -> list[tuple[str, str]]:
    """The pairs between these records that were decided so."""
    first, second = set(ours), set(theirs)
    return [
        (a, b)
        for a, said in read.verdicts(first).items()
        for b, verdict in said.items()
        if a in first and b in second and verdict == word and not (a in second and b in first and b < a)
    ]


def _let_fall(write: Writing, pairs: Sequence[tuple[str, str]], word: Word, tell: Tell) -> None:
    write.forget_verdicts(pairs)
    for a, b in pairs:
        tell(f"the decision {a} {SIGNS[word]} {b} falls")


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
        deciding.merge(first, other, note or "merged by a person")
    write_batch(write, deciding, [], write.begin_run("merge"))
    return first.no


def _split(workspace: Workspace, write: Writing, no: int, leaving: set[str], note: str) -> int:
    deciding = _start(workspace, write, [no], leaving)
    redirecting = write.merged_into(no)
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
    repoint(write, redirecting, (no, number))
    return number


def rules_of(settings: Settings) -> Rules:
    """How canonical records are made under these settings."""
    return Rules(canonical=CanonicalPolicy(settings.canonical, settings.trust))


def _start(workspace: Workspace, read: Reading, numbers: Iterable[int], leaving: Iterable[str] = ()) -> Deciding:
    rules = rules_of(workspace.settings)
    groups = {no: group_of(cluster, rules.canonical) for no, cluster in read.clusters(numbers).items()}
    return Deciding(matcher_of(workspace.settings), rules, groups, {}, vacated=read.vacated(leaving))
