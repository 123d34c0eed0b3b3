"""Builds an index anew beside the published one while both are in use, and switches in one step."""

from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from typing import Any

import msgspec

from bibfold.catalogue.rows import Build
from bibfold.catalogue.store import Catalogue
from bibfold.engines import open_engine
from bibfold.engines.base import Engine
from bibfold.engines.names import key_version, next_name
from bibfold.errors import BibfoldError, EngineError, IndexDamaged
from bibfold.records.keys import KEYS_VERSION
from bibfold.workspace import FIXED, Workspace, engine_address, remember
from indexer.documents import puts
from indexer.leftovers import drop_all_but, drop_elsewhere
from indexer.outage import outlast
from indexer.outbox import Refused, drain, put, refusals

BATCH = 5_000

COMMIT = 50_000
"""So many documents are written between two commits; a build that is killed writes no more than these again."""

FEW = 500
"""With no more changes than these left to bring in, writers are asked to wait for the switch."""


class Observer(msgspec.Struct, frozen=True):
    """Who is told what during a build: how many of how many documents are written, and what is out of order."""

    progress: Callable[[int, int], Any] = lambda done, total: None
    remark: Callable[[str], Any] = lambda text: None


def reindex(workspace: Workspace, observer: Observer = Observer()) -> str:  # noqa: B008 - frozen
    """Build an index from the catalogue and publish it, or go on with a build that was cut short; its name.

    Writers go on meanwhile, and what they change is in the new index when it is published. A failure leaves the
    published one as it was; what was built is then removed, or kept for another try where the engine is away.
    """

    def patiently(step: Callable[[], str]) -> str:
        return outlast(step, workspace.engine, workspace.settings.outage, observer.remark)

    workspace.catalogue.acquire("builder")
    index = patiently(lambda: _left(workspace, observer) or _begun(workspace))
    try:
        patiently(lambda: _filled(workspace, index, observer))
        patiently(lambda: _switched(workspace, index, observer))
    except EngineError:
        with suppress(BibfoldError):
            if workspace.engine.ready():
                _remove(workspace, observer)
        raise
    try:
        drop_all_but(workspace.engine, workspace.alias, {index})
    except EngineError as error:
        observer.remark(f"what {index} took the place of is still there, the next reindex drops it: {error}")
    return index


def _left(workspace: Workspace, observer: Observer) -> str:
    """The build that was cut short, if it can go on; else it is removed, as is what others left half built."""
    build, engine = _registered(workspace.catalogue), workspace.engine
    if build is not None and not _can_go_on(workspace, build):
        _remove(workspace, observer)
        build = None
    with workspace.catalogue.at_index():
        drop_all_but(engine, workspace.alias, {engine.published(workspace.alias), build.index if build else None})
    return build.index if build else ""


def _can_go_on(workspace: Workspace, build: Build) -> bool:
    now = [getattr(workspace.settings, name) for name in FIXED]
    return (
        [getattr(build, name) for name in FIXED] == now
        and key_version(build.index) == KEYS_VERSION
        and build.index in workspace.engine.indexes()
        and _is_whole(workspace.engine, build.index)
    )


def _is_whole(engine: Engine, index: str) -> bool:
    try:
        return next(iter(engine.damage(index)), None) is None
    except IndexDamaged:
        return False


def _begun(workspace: Workspace) -> str:
    """Make an empty index and register it: what changes from now on is noted for it, what was before is scanned."""
    alias, engine = workspace.alias, workspace.engine
    index = next_name(alias, engine.indexes())
    engine.create(index)
    if engine.published(alias) == index:  # one of this name was lost, and the alias still points there
        engine.drop(index)
        index = next_name(alias, [index])
        engine.create(index)
    with workspace.catalogue.writing() as write:
        by = {name: getattr(workspace.settings, name) for name in FIXED}
        write.register(Build(index, last=write.last_cluster(), **by))
    return index


def _filled(workspace: Workspace, index: str, observer: Observer) -> str:
    """Write what the catalogue holds, then what changed meanwhile, until little is left."""
    if workspace.engine.published(workspace.alias) == index:
        return index
    catalogue = workspace.catalogue
    with _own_engine(workspace) as engine:
        _scan(workspace, engine, observer)
        left = _waiting(catalogue, index)
        while left > FEW:
            _tell(observer, drain(catalogue, engine, index, workspace.keys, index))
            before, left = left, _waiting(catalogue, index)
            if left >= before:
                break
    return index


def _scan(workspace: Workspace, engine: Engine, observer: Observer) -> None:
    """Write the clusters that were there at the beginning, each batch as it is when it is read."""
    with workspace.catalogue.reading() as read:
        build = read.building()
        assert build is not None
        done, total = (read.count_standing(upto) for upto in (build.done, build.last))
    position, committed = build.done, done
    observer.progress(done, total)
    while position < build.last:
        with workspace.catalogue.reading() as read:
            part = next(read.standing(position, BATCH), {})
        _tell(observer, put(engine, build.index, puts(part.values(), workspace.keys)))
        position, done = max(part, default=build.last), done + len(part)
        if done - committed >= COMMIT or position >= build.last:
            engine.commit(build.index)
            committed = done
            with workspace.catalogue.writing() as write:
                write.register(msgspec.structs.replace(build, done=position))
        observer.progress(min(done, total), total)


def _switched(workspace: Workspace, index: str, observer: Observer) -> str:
    """Bring in the last changes while no writer is at work, publish, and remember what the index was built by."""
    catalogue, engine = workspace.catalogue, workspace.engine
    before = _remembered_address(workspace)
    with catalogue.at_index():
        fresh = engine.published(workspace.alias) != index
        if fresh:
            with _own_engine(workspace) as own:
                _tell(observer, drain(catalogue, own, index, workspace.keys, index))
            engine.publish(workspace.alias, index)
        remember(workspace, FIXED)
        with catalogue.writing() as write:
            write.unregister(index)
            if fresh:
                write.clear_outbox()
    if before != workspace.address:
        drop_elsewhere(before, workspace.alias, (), observer.remark)
    return index


def _remove(workspace: Workspace, observer: Observer) -> None:
    """Forget the registered build and drop its index."""
    build = _registered(workspace.catalogue)
    if build is not None:
        with workspace.catalogue.writing() as write:
            write.unregister(build.index)
        address = engine_address(build.engine, workspace.catalogue.folder)
        if address == workspace.address:
            if workspace.engine.published(workspace.alias) != build.index:
                workspace.engine.drop(build.index)
        elif address != _remembered_address(workspace):
            drop_elsewhere(address, workspace.alias, (), observer.remark)


def _own_engine(workspace: Workspace) -> AbstractContextManager[Engine]:
    """An engine that is closed when the build is done with it, so that the next writer finds the index free."""
    if not workspace.engine.persistent:
        return nullcontext(workspace.engine)
    return closing(open_engine(workspace.address, workspace.settings.outage))


def _registered(catalogue: Catalogue) -> Build | None:
    with catalogue.reading() as read:
        return read.building()


def _remembered_address(workspace: Workspace) -> str:
    with workspace.catalogue.reading() as read:
        engine = read.options().get("engine", workspace.settings.engine)
    return engine_address(engine, workspace.catalogue.folder)


def _waiting(catalogue: Catalogue, index: str) -> int:
    with catalogue.reading() as read:
        return read.count_outbox(index)


def _tell(observer: Observer, refused: Refused) -> None:
    for remark in refusals(refused):
        observer.remark(remark)
