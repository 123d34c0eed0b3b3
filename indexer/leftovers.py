"""Finds and removes indexes that nothing points at: old ones, half-built ones, those of an engine no longer used."""

from collections.abc import Callable, Collection
from contextlib import closing, suppress
from typing import Any

from bibfold.catalogue.store import Catalogue
from bibfold.engines import open_engine
from bibfold.engines.base import Engine
from bibfold.engines.names import of_alias
from bibfold.errors import CatalogueLocked, EngineError, EngineUnavailable


def drop_all_but(engine: Engine, alias: str, kept: Collection[str | None]) -> list[str]:
    """Drop the alias's indexes but for those to be kept; the names of the dropped."""
    others = [name for name in engine.indexes() if name not in kept and of_alias(alias, name)]
    for name in others:
        engine.drop(name)
    return others


def forget_stale_build(catalogue: Catalogue) -> None:
    """Give up a build that was left so long ago that more has changed since than there is to build."""
    with catalogue.reading() as read:
        build = read.building()
        stale = build is not None and read.count_outbox(build.index) > read.last_cluster()
    if build is not None and stale:
        with suppress(CatalogueLocked), catalogue.having("builder"), catalogue.writing() as write:
            write.unregister(build.index)


def drop_elsewhere(address: str, alias: str, kept: Collection[str | None], remark: Callable[[str], Any]) -> None:
    """Drop the alias's indexes at an engine that is not in use; where that fails, say what is to be done."""
    try:
        with closing(open_engine(address)) as engine:
            if not engine.ready():
                raise EngineUnavailable("it does not answer")
            drop_all_but(engine, alias, kept)
    except EngineError as error:
        remark(f"an index of {alias} stays at {address}, drop it there by hand: {error}")
