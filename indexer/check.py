"""Compares catalogue and index, and mends the index."""

from collections.abc import Iterator

import msgspec

from bibfold.catalogue.rows import Cluster, cluster_id
from bibfold.engines.base import Change, Delete, Put, Terms
from bibfold.workspace import Workspace
from indexer.documents import document
from indexer.outbox import deliver, drain, put

BATCH = 2_000


class Differences(msgspec.Struct):
    """How catalogue and index differ: ids that one has and the other lacks or holds otherwise.

    `refused` tells what a repair could not mend, and why; `half_built` is an index whose build has not ended.
    """

    clusters: int = 0
    documents: int = 0
    missing: list[str] = []
    outdated: list[str] = []
    surplus: list[str] = []
    outbox: int = 0
    refused: dict[str, str] = {}
    half_built: str | None = None

    @property
    def agree(self) -> bool:
        """Whether nothing differs."""
        return not (self.missing or self.outdated or self.surplus or self.outbox)


def check(workspace: Workspace) -> Differences:
    """Compare every cluster with its document, and every document with its cluster."""
    found, _ = workspace.ask(lambda index: _compared(workspace, index))
    return found


def _compared(workspace: Workspace, index: str) -> Differences:
    with workspace.catalogue.reading() as read:
        build = read.building()
        found = Differences(outbox=read.count_outbox(), half_built=build.index if build else None)
    known: set[str] = set()
    for part in _clusters(workspace):
        documents = [document(one.no, one.canonical.record, workspace.keys) for one in part]
        held = workspace.engine.get(index, [one.id for one in documents])
        for wanted, has in zip(documents, held, strict=True):
            known.add(wanted.id)
            if has is None:
                found.missing.append(wanted.id)
            elif _sets(wanted.terms) != _sets(has.terms) or wanted.record != has.record:
                found.outdated.append(wanted.id)
    found.clusters = len(known)
    for id in workspace.engine.ids(index):
        found.documents += 1
        if id not in known:
            found.surplus.append(id)
    return found


def repair(workspace: Workspace) -> Differences:
    """Bring the index in line with the catalogue; what differed before, and what the engine refuses."""
    with workspace.catalogue.at_index():
        index = workspace.index()
        drain(workspace.catalogue, workspace.engine, index, workspace.keys)
        found = _compared(workspace, index)
        wrong = {*found.missing, *found.outdated}
        changes: list[Change] = [Delete(id) for id in found.surplus]
        for part in _clusters(workspace):
            changes += [
                Put(document(one.no, one.canonical.record, workspace.keys))
                for one in part
                if cluster_id(one.no) in wrong
            ]
            if len(changes) >= BATCH:
                found.refused |= put(workspace.engine, index, changes)
                changes = []
        found.refused |= deliver(workspace.catalogue, workspace.engine, index, changes, 0)
    return found


def _clusters(workspace: Workspace) -> Iterator[list[Cluster]]:
    with workspace.catalogue.reading() as read:
        for part in read.standing(size=BATCH):
            yield list(part.values())


def _sets(terms: Terms) -> dict[str, set[str]]:
    """A document's terms as sets, empty fields left out."""
    return {field: set(values) for field, values in terms.items() if values}
