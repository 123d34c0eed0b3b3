"""Compares catalogue and index, and mends the index."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from bibfold.catalogue.integrity import contradictions
from bibfold.catalogue.rows import Cluster, chunks, cluster_id
from bibfold.engines.base import Change, Delete, Document, Put, Terms
from bibfold.errors import IndexDamaged
from bibfold.workspace import Workspace
from indexer.documents import document
from indexer.outbox import deliver, drain, put

BATCH = 2_000

FINDINGS = 20
"""So many things that are damaged are told."""

STANDING, FOUND = 1, 2


class Differences(msgspec.Struct):
    """How catalogue and index differ: ids that one has and the other lacks or holds otherwise.

    Where the catalogue itself is damaged, nothing is compared. `refused` tells what a repair could not mend, and why;
    `half_built` is an index whose build has not ended.
    """

    clusters: int = 0
    documents: int = 0
    missing: list[str] = []
    outdated: list[str] = []
    surplus: list[str] = []
    outbox: int = 0
    refused: dict[str, str] = {}
    half_built: str | None = None
    damaged_catalogue: list[str] = []
    damaged_index: list[str] = []

    @property
    def damaged(self) -> bool:
        """Whether something cannot be as it was written; no repair mends that."""
        return bool(self.damaged_catalogue or self.damaged_index)

    @property
    def agree(self) -> bool:
        """Whether nothing differs."""
        return not (self.damaged or self.missing or self.outdated or self.surplus or self.outbox)


def check(workspace: Workspace, *, quick: bool = False) -> Differences:
    """Read catalogue and index back as a whole, and compare every cluster with its document; `quick`, the ids alone.

    Beside a writer the two are never read at the same moment: what seems to differ is looked at again between two of
    its batches.
    """
    if not quick and (damage := _damaged_catalogue(workspace)):
        return Differences(damaged_catalogue=damage)
    try:
        found, _ = workspace.ask(lambda index: _compared(workspace, index, quick=quick))
        return found if found.agree or found.damaged else _looked_at_again(workspace, found)
    except IndexDamaged as error:
        return Differences(damaged_index=[str(error)])


def repair(workspace: Workspace) -> Differences:
    """Bring the index in line with the catalogue; what differed before, and what the engine refuses.

    Nothing is repaired where one of them is damaged: the catalogue is to be restored, the index to be built anew.
    """
    if damage := _damaged_catalogue(workspace):
        return Differences(damaged_catalogue=damage)
    with workspace.catalogue.at_index():
        index = workspace.index()
        try:
            drain(workspace.catalogue, workspace.engine, index, workspace.keys)
            found = _compared(workspace, index, quick=False)
        except IndexDamaged as error:
            return Differences(damaged_index=[str(error)])
        if not found.damaged:
            found.refused |= _mended(workspace, index, found)
    return found


def _damaged_catalogue(workspace: Workspace) -> list[str]:
    if damage := workspace.catalogue.damage():
        return damage
    with workspace.catalogue.reading() as read:
        return list(islice(contradictions(read), FINDINGS))


def _compared(workspace: Workspace, index: str, *, quick: bool) -> Differences:
    with workspace.catalogue.reading() as read:
        build = read.building()
        found = Differences(outbox=read.count_outbox(), half_built=build.index if build else None)
    if not quick:
        found.damaged_index = list(islice(workspace.engine.damage(index), FINDINGS))
        if found.damaged_index:
            return found
    marks = bytearray()
    for numbers in _quick_numbers(workspace) if quick else _compared_numbers(workspace, index, found):
        found.clusters += len(numbers)
        marks.extend(bytes(numbers[-1] + 1 - len(marks)))
        for no in numbers:
            marks[no] = STANDING
    for id in workspace.engine.ids(index):
        found.documents += 1
        number = _number(id)
        if number is not None and number < len(marks) and marks[number]:
            marks[number] = FOUND
        else:
            found.surplus.append(id)
    found.missing = [cluster_id(no) for no, mark in enumerate(marks) if mark == STANDING]
    missing = set(found.missing)
    found.outdated = [id for id in found.outdated if id not in missing]
    return found


def _quick_numbers(workspace: Workspace) -> Iterator[list[int]]:
    with workspace.catalogue.reading() as read:
        yield from read.standing_numbers()


def _compared_numbers(workspace: Workspace, index: str, found: Differences) -> Iterator[list[int]]:
    """The numbers of all clusters, after their documents were compared; one that cannot be had counts as outdated."""
    for part in _clusters(workspace):
        documents = [document(one.no, one.canonical.record, workspace.keys) for one in part]
        held = workspace.engine.get(index, [one.id for one in documents])
        pairs = zip(documents, held, strict=True)
        found.outdated += [expected.id for expected, has in pairs if has is None or not _equal(expected, has)]
        yield [one.no for one in part]


def _looked_at_again(workspace: Workspace, first: Differences) -> Differences:
    """Those of the differences that are still there while no writer stands between catalogue and index."""
    found = msgspec.structs.replace(first, missing=[], outdated=[], surplus=[])
    for ids in chunks((*first.missing, *first.outdated, *first.surplus), BATCH):
        with workspace.catalogue.at_index():
            held = workspace.engine.get(workspace.index(), ids)
            with workspace.catalogue.reading() as read:
                standing = read.clusters(no for id in ids if (no := _number(id)) is not None)
        for id, has in zip(ids, held, strict=True):
            cluster = standing.get(_number(id) or 0)
            if cluster is None:
                found.surplus += [id] if has else []
            elif has is None:
                found.missing.append(id)
            elif not _equal(document(cluster.no, cluster.canonical.record, workspace.keys), has):
                found.outdated.append(id)
    with workspace.catalogue.at_index(), workspace.catalogue.reading() as read:
        found.outbox = read.count_outbox()
        found.clusters, found.documents = read.count_standing(), workspace.engine.count(workspace.index())
    return found


def _mended(workspace: Workspace, index: str, found: Differences) -> dict[str, str]:
    """Write what differs anew; what the engine refuses."""
    wrong = {*found.missing, *found.outdated}
    refused: dict[str, str] = {}
    changes: list[Change] = [Delete(id) for id in found.surplus]
    for part in _clusters(workspace):
        changes += [
            Put(document(one.no, one.canonical.record, workspace.keys)) for one in part if cluster_id(one.no) in wrong
        ]
        if len(changes) >= BATCH:
            refused |= put(workspace.engine, index, changes)
            changes = []
    return refused | dict(deliver(workspace.catalogue, workspace.engine, index, changes, 0))


def _clusters(workspace: Workspace) -> Iterator[list[Cluster]]:
    with workspace.catalogue.reading() as read:
        for part in read.standing(size=BATCH):
            yield list(part.values())


def _number(id: str) -> int | None:
    """The number of the cluster that a document's id names, if it names one."""
    return int(id[1:]) if id[:1] == "c" and id[1:].isascii() and id[1:].isdecimal() and len(id) < 20 else None


def _equal(expected: Document, has: Document) -> bool:
    return _sets(expected.terms) == _sets(has.terms) and expected.record == has.record


def _sets(terms: Terms) -> dict[str, set[str]]:
    """A document's terms as sets, empty fields left out."""
    return {field: set(values) for field, values in terms.items() if values}
