"""Brings what changed in the catalogue into an index: writes, commits, and only then forgets."""

from collections.abc import Mapping, Sequence

from bibfold.catalogue.rows import PUBLISHED, cluster_id
from bibfold.catalogue.store import Catalogue
from bibfold.engines.base import Change, Delete, Engine
from bibfold.errors import WriteRejected
from bibfold.records.keys import KeySettings
from bibfold.workspace import Workspace
from indexer.documents import puts

BATCH = 2_000

Refused = Mapping[str, str]
"""For each document that the engine did not take, why."""


def deliver_waiting(workspace: Workspace) -> Refused:
    """Deliver to the published index all that waits for it."""
    with workspace.catalogue.at_index():
        return drain(workspace.catalogue, workspace.engine, workspace.index(), workspace.keys)


def drain(
    catalogue: Catalogue, engine: Engine, index: str, settings: KeySettings, target: str = PUBLISHED
) -> dict[str, str]:
    """Deliver what the outbox holds now for a target, oldest first; what the engine refused."""
    refused: dict[str, str] = {}
    with catalogue.reading() as read:
        upto = read.last_outbox()
    while True:
        with catalogue.reading() as read:
            numbers, last = read.outbox(target, upto, BATCH)
            standing = read.clusters(numbers)
        if not numbers:
            return refused
        changes: list[Change] = [Delete(cluster_id(no)) for no in numbers if no not in standing]
        changes += puts(standing.values(), settings)
        refused |= put(engine, index, changes)
        engine.commit(index)
        with catalogue.writing() as write:
            write.forget_outbox(target, last)


def deliver(catalogue: Catalogue, engine: Engine, index: str, changes: Sequence[Change], upto: int) -> Refused:
    """Write changes to the published index, then forget the outbox up to the row that they answer."""
    refused = put(engine, index, changes)
    engine.commit(index)
    if catalogue.history:
        with catalogue.writing() as write:
            write.forget_outbox(PUBLISHED, upto)
    return refused


def put(engine: Engine, index: str, changes: Sequence[Change]) -> dict[str, str]:
    """Write changes; those that the engine refuses do not keep the others back."""
    try:
        engine.write(index, changes)
    except WriteRejected as error:
        return error.failures
    return {}


def refusals(refused: Refused) -> list[str]:
    """What to say of refused documents: the catalogue has their records, no lookup finds them, `check` misses them."""
    return [
        f"{id} is kept, but the engine refused its document, no lookup will find it: {refused[id]}" for id in refused
    ]
