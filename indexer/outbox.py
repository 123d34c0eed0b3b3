"""Brings what changed in the catalogue into the index: writes, commits, and only then forgets."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select

from bibfold.catalogue.rows import cluster_id, load
from bibfold.catalogue.schema import outbox
from bibfold.catalogue.store import Catalogue
from bibfold.engines.base import Change, Delete, Engine
from bibfold.records.keys import KeySettings
from indexer.documents import puts

BATCH = 2_000


def drain(catalogue: Catalogue, engine: Engine, index: str, settings: KeySettings) -> int:
    """Deliver everything in the outbox, oldest first; how many clusters were brought up to date."""
    delivered = 0
    while True:
        with catalogue.reading() as connection:
            rows = connection.execute(select(outbox).order_by(outbox.c.no).limit(BATCH)).all()
            if not rows:
                return delivered
            numbers = list(dict.fromkeys(row.cluster for row in rows))
            standing = load(connection, numbers)
        changes: list[Change] = [Delete(cluster_id(no)) for no in numbers if no not in standing]
        changes += puts(standing.values(), settings)
        deliver(catalogue, engine, index, changes, rows[-1].no)
        delivered += len(numbers)


def deliver(catalogue: Catalogue, engine: Engine, index: str, changes: Sequence[Change], upto: int) -> None:
    """Write changes to the index, then forget the outbox up to the row that they answer."""
    engine.write(index, changes)
    engine.commit(index)
    forget(catalogue, upto)


def forget(catalogue: Catalogue, upto: int) -> None:
    """Forget the outbox up to a row that the index has."""
    with catalogue.writing() as connection:
        connection.execute(delete(outbox).where(outbox.c.no <= upto))


def waiting(catalogue: Catalogue) -> int:
    """How many rows the outbox holds."""
    with catalogue.reading() as connection:
        return connection.execute(select(func.count()).select_from(outbox)).scalar_one()
