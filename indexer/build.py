"""Builds an index anew beside the published one, publishes it in one step and drops the old."""

from collections.abc import Callable

from sqlalchemy import func, select

from bibfold.catalogue.rows import every, highest
from bibfold.catalogue.schema import clusters, outbox
from bibfold.catalogue.store import Catalogue
from bibfold.engines.base import Engine
from bibfold.engines.names import next_name, of_alias
from bibfold.records.keys import KeySettings
from indexer.documents import puts
from indexer.outbox import forget

BATCH = 5_000

Progress = Callable[[int, int], None]
"""Told how many of how many are done."""


def reindex(
    catalogue: Catalogue,
    engine: Engine,
    alias: str,
    settings: KeySettings,
    progress: Progress = lambda done, total: None,
) -> str:
    """Build a new index from the catalogue and publish it; a failure leaves the published one as it was."""
    index = next_name(alias, engine.indexes())
    with catalogue.reading() as connection:
        answered = highest(connection, outbox)
    try:
        engine.create(index)
        _fill(catalogue, engine, index, settings, progress)
        engine.publish(alias, index)
    except BaseException:
        engine.drop(index)
        raise
    forget(catalogue, answered)
    drop_others(engine, alias)
    return index


def drop_others(engine: Engine, alias: str) -> list[str]:
    """Drop the alias's indexes that are not published: old ones, and what a crash left half built."""
    published = engine.published(alias)
    others = [name for name in engine.indexes() if name != published and of_alias(alias, name)]
    for name in others:
        engine.drop(name)
    return others


def _fill(catalogue: Catalogue, engine: Engine, index: str, settings: KeySettings, progress: Progress) -> None:
    done = 0
    with catalogue.reading() as connection:
        standing = clusters.c.merged_into.is_(None) & (clusters.c.size > 0)
        total = connection.execute(select(func.count()).select_from(clusters).where(standing)).scalar_one()
        for part in every(connection, size=BATCH):
            engine.write(index, puts(part.values(), settings))
            done += len(part)
            progress(done, total)
    engine.commit(index)
