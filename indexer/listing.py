"""What there is to search with: the engines that are installed, one that is asked, and the indexes it holds."""

from collections.abc import Iterator

import msgspec

from bibfold.engines import ENGINES, installed
from bibfold.engines.base import Engine, Server
from bibfold.engines.names import parts
from bibfold.errors import EngineError


class Kind(msgspec.Struct, frozen=True):
    """An engine that bibfold knows."""

    engine: str
    installed: bool
    install: str


class Place(msgspec.Struct, frozen=True):
    """An engine at its address; `problem` says why it is not ready."""

    address: str
    ready: bool
    version: str = ""
    problem: str = ""


class Index(msgspec.Struct, frozen=True):
    """One of bibfold's indexes: `published`, `half built` beside the published one, or `left over` from before it."""

    index: str
    alias: str
    state: str
    documents: int
    key_version: int


def kinds() -> list[Kind]:
    """The engines that bibfold knows."""
    return [Kind(name, installed(name), hint) for name, (_, hint) in ENGINES.items()]


def asked(address: str, engine: Engine) -> list[Place | Index]:
    """The engine, and the indexes that it holds if it is ready."""
    found = place(address, engine)
    return [found, *indexes(engine)] if found.ready else [found]


def place(address: str, engine: Engine) -> Place:
    """How the engine is now; it is asked once, without patience."""
    if not isinstance(engine, Server):
        return Place(address, engine.ready())
    try:
        return Place(address, True, engine.version())
    except EngineError as error:
        return Place(address, False, problem=str(error))


def indexes(engine: Engine) -> Iterator[Index]:
    """The engine's indexes whose names are of bibfold's making, in their order."""
    named = {name: found for name in engine.indexes() if (found := parts(name))}
    published = {alias: engine.published(alias) for alias in {found.alias for found in named.values()}}
    for name, found in named.items():
        current = parts(published[found.alias] or "")
        if name == published[found.alias]:
            state = "published"
        else:
            state = "left over" if current and found.number < current.number else "half built"
        yield Index(name, found.alias, state, engine.count(name), found.keys)
