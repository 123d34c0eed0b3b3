"""The search engines by name, each loaded only when it is asked for."""

from collections.abc import Callable, Mapping
from importlib import import_module
from math import inf
from typing import Final

from bibfold.engines.base import Engine
from bibfold.errors import EngineUnavailable, SettingsError

ENGINES: Final[Mapping[str, tuple[str, str]]] = {
    "tantivy": ("bibfold.engines.tantivy:Tantivy", "pip install bibfold"),
    "memory": ("bibfold.engines.memory:Memory", "pip install bibfold"),
    "solr": ("bibfold.engines.solr:Solr", "pip install bibfold[solr]"),
    "elasticsearch": ("bibfold.engines.elasticsearch:Elasticsearch", "pip install bibfold[elasticsearch]"),
    "opensearch": ("bibfold.engines.opensearch:OpenSearch", "pip install bibfold[opensearch]"),
}
"""For each engine, where its class is and how to install it."""


SERVERS: Final = ("solr", "elasticsearch", "opensearch")


def open_engine(address: str, outage: float = inf) -> Engine:
    """The engine at an address: `memory`, or a name and a place, such as `tantivy:FOLDER`.

    A server that is away is waited for as long as the address says, but no more than `outage` seconds.
    """
    name, _, place = address.partition(":")
    if name not in ENGINES:
        raise SettingsError(f"engine {name!r} is not known; known engines: {', '.join(ENGINES)}")
    if name == "memory":
        if place:
            raise SettingsError("engine memory has no place, write `memory` alone")
        return _load(name)()
    if not place:
        raise SettingsError(f"engine {name!r} does not say where; write {name}: and the folder or address")
    return _load(name)(place, outage=outage) if name in SERVERS else _load(name)(place)


def installed(name: str) -> bool:
    """Whether the engine, or the client for it, can be loaded here."""
    try:
        _load(name)
    except EngineUnavailable:
        return False
    return True


def _load(name: str) -> Callable[..., Engine]:
    target, hint = ENGINES[name]
    module, _, attribute = target.partition(":")
    try:
        made: Callable[..., Engine] = getattr(import_module(module), attribute)
    except ImportError as error:
        raise EngineUnavailable(f"engine {name} cannot be loaded: {error}; {hint}") from error
    return made
