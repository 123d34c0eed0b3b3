"""A person's changes to clusters: merge, split, decide; each is an event, and none is undone by a later run."""

from collections.abc import Sequence
from itertools import product
from typing import Literal

from sqlalchemy import Connection

from bibfold.catalogue.decisions import record_verdict
from bibfold.catalogue.rows import cluster_id, held, highest, load, move_records, resolve
from bibfold.catalogue.schema import clusters
from bibfold.catalogue.store import begin_run
from bibfold.errors import NotFound, SettingsError
from bibfold.workspace import Workspace, ensure_index
from indexer.outbox import drain
from ingest.decide import Deciding, Happened, Rules
from ingest.groups import CanonicalPolicy, group_of
from ingest.writing import write_batch
from lookup.setup import profile_of


def merge(workspace: Workspace, names: Sequence[str], note: str = "") -> str:
    """Make clusters one; the oldest survives, the others redirect to it. Each name is a cluster or a record."""
    with workspace.catalogue.writing() as connection:
        numbers = list(dict.fromkeys(resolve(connection, name) for name in names))
        if len(numbers) < 2:
            raise SettingsError(f"{' and '.join(names)} are one cluster already: {cluster_id(numbers[0])}")
        deciding = _start(workspace, connection, numbers)
        first, *others = sorted(deciding.groups.values(), key=lambda group: group.no)
        for other in others:
            pairs = list(product([first.members[0].key], [record.key for record in other.members]))
            first = deciding.merge(first, other, note or "merged by a person")
            record_verdict(connection, pairs, "same", note)
        write_batch(connection, deciding, [], begin_run(connection, "merge"))
    _deliver(workspace)
    return cluster_id(first.no)


def split(workspace: Workspace, cluster: str, keys: Sequence[str], note: str = "") -> str:
    """Take records out of a cluster into a new one, and keep the two apart from now on."""
    with workspace.catalogue.writing() as connection:
        no = resolve(connection, cluster)
        deciding = _start(workspace, connection, [no])
        group = deciding.groups[no]
        leaving = [record for record in group.members if record.key in set(keys)]
        missing = set(keys) - {record.key for record in leaving}
        if missing:
            raise NotFound(f"{cluster_id(no)} does not hold {', '.join(sorted(missing))}")
        if len(leaving) == len(group.members):
            raise SettingsError(f"{cluster_id(no)} would be left empty: name some of its records, not all")
        for record in leaving:
            group.remove(record.key)
        new = deciding.found_group(leaving)
        deciding.touched[no] = group
        deciding.events.append(Happened("split", new.no, note or "split by a person", leaving[0].key, other=no))
        staying = [record.key for record in group.members]
        record_verdict(connection, product([record.key for record in leaving], staying), "different", note)
        write_batch(connection, deciding, [], begin_run(connection, "split"))
        move_records(connection, [record.key for record in leaving], new.no)
    _deliver(workspace)
    return cluster_id(new.no)


def decide(
    workspace: Workspace, one: str, other: str, verdict: Literal["same", "different"], note: str = ""
) -> list[str]:
    """Keep a person's word on two records and act on it; the clusters that the two lie in afterwards."""
    with workspace.catalogue.writing() as connection:
        found = held(connection, [one, other])
        for key in (one, other):
            if key not in found:
                raise NotFound(f"no record {key!r} here; name it as source:id")
        if one == other:
            raise SettingsError(f"{one} was named twice; name two records")
        record_verdict(connection, [(one, other)], verdict, note)
    together = found[one].cluster == found[other].cluster
    if verdict == "same" and not together:
        merge(workspace, [one, other], note)
    if verdict == "different" and together:
        split(workspace, cluster_id(found[one].cluster), [other], note)
    with workspace.catalogue.reading() as connection:
        return [cluster_id(resolve(connection, key)) for key in (one, other)]


def _start(workspace: Workspace, connection: Connection, numbers: Sequence[int]) -> Deciding:
    settings = workspace.settings
    policy = CanonicalPolicy(settings.canonical, settings.trust)
    rules = Rules(profile_of(settings), canonical=policy)
    groups = [group_of(cluster, policy) for cluster in load(connection, numbers).values()]
    return Deciding(rules, groups, {}, highest(connection, clusters) + 1)


def _deliver(workspace: Workspace) -> None:
    drain(workspace.catalogue, workspace.engine, ensure_index(workspace), workspace.keys)
