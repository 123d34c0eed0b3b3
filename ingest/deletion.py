"""Takes records out of the catalogue, because a person or their source says so."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from bibfold.catalogue.purge import purge
from bibfold.catalogue.reading import Reading
from bibfold.catalogue.rows import cluster_id
from bibfold.catalogue.writing import Writing
from bibfold.errors import NotFound
from bibfold.workspace import Workspace
from ingest.curate import Tell, deliver_change, rules_of, silent
from ingest.decide import Deciding, Happened, Rules
from ingest.groups import group_of
from ingest.namesakes import numbered
from ingest.writing import write_batch
from lookup.matcher import Matcher, matcher_of

BY_A_PERSON: Final = "deleted by a person"
THROUGH_DELETED: Final = "both were the same as a record that was deleted"


class Removed(msgspec.Struct, frozen=True):
    """A record that was taken out, the cluster that it was in, if any, and how many records that has left."""

    record: str
    cluster: str | None
    left: int


def delete(
    workspace: Workspace, keys: Sequence[str], note: str = "", tell: Tell = silent, *, for_good: bool = False
) -> list[Removed]:
    """Delete records: what they hold stays out when it is read again, other content brings them back.

    `for_good` leaves nothing of them behind, not even that; records that were deleted before may be named, too.
    """
    with workspace.catalogue.writing() as write:
        stored = write.stored(keys)
        gone = write.deleted_contents(key for key in keys if key not in stored)
        for key in keys:
            if key not in stored and key not in gone:
                raise NotFound(f"no record {key!r} here; name it as source:id")
            if key not in stored and not for_good:
                raise NotFound(f"{key} was deleted before; --purge takes out what is left of it")
        causes = dict.fromkeys(stored, note or BY_A_PERSON)
        run = write.begin_run("delete")
        contents = write.contents(stored)
        deciding, _ = remove(write, matcher_of(workspace.settings), rules_of(workspace.settings), causes, run)
        if for_good:
            purge(write, keys, contents.values())
        left = {no: len(group.numbered) for no, group in deciding.groups.items()}
    if for_good:
        workspace.catalogue.overwrite_deleted()
        tell("an engine may keep the text of deleted documents in its files; `bibfold reindex` writes them anew")
    deliver_change(workspace, tell)
    homes = {key: record.cluster for key, record in stored.items()}
    return [
        Removed(key, cluster_id(homes[key]), left[homes[key]]) if key in homes else Removed(key, None, 0)
        for key in dict.fromkeys(keys)
    ]


def remove(write: Writing, matcher: Matcher, rules: Rules, causes: Mapping[str, str], run: int) -> tuple[Deciding, int]:
    """Take records that are there out, each for its cause; the groups that are left, and the last change noted."""
    stored = write.stored(causes)
    clusters = write.clusters({record.cluster for record in stored.values()})
    deciding = Deciding(matcher, rules, {no: group_of(one, rules.canonical) for no, one in clusters.items()}, {})
    for key, record in stored.items():
        group = deciding.touched[record.cluster] = deciding.groups[record.cluster]
        group.remove(record.no)
        deciding.events.append(Happened("deleted", group.no, causes[key], key))
    write.forget_reviews(stored)
    _keep_ties(write, set(stored))
    write.remove(list(stored))
    _, last = write_batch(write, deciding, [], run)
    return deciding, last


def keys_of(read: Reading, names: Iterable[str]) -> dict[str, list[str]]:
    """For each name that a source uses, the keys of the records that it gave under that name."""
    keys = read.named(names := list(names))
    found: dict[str, list[str]] = {name: [] for name in names}
    asked, number = {name: keys.get(name, name) for name in names}, 1
    while asked:
        stored = read.stored(numbered(key, number, labels=False) for key in asked.values())
        there = {name: key for name, key in asked.items() if numbered(key, number, labels=False) in stored}
        for name, key in there.items():
            found[name].append(numbered(key, number, labels=False))
        asked, number = (asked if number == 1 else there), number + 1
    return found


def _keep_ties(write: Writing, leaving: Collection[str]) -> None:
    """Tie records to each other that a person tied to one that leaves: they are still the same."""
    said = write.verdicts(leaving)
    for key in leaving:
        tied = sorted(
            other for other, verdict in said.get(key, {}).items() if verdict == "same" and other not in leaving
        )
        fresh = [(tied[0], other) for other in tied[1:]]
        known = write.verdicts(tied[:1]).get(tied[0], {}) if fresh else {}
        write.record_verdicts([pair for pair in fresh if pair[1] not in known], "same", THROUGH_DELETED)
