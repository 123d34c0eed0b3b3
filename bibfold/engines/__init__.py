"""The search engines by name, each loaded only when it is asked for."""

from importlib import import_module
from typing import TYPE_CHECKING

from bibfold.errors import EngineUnavailable, SettingsError

if TYPE_CHECKING:
    from bibfold.engines.base import Engine

ENGINES = {
    "tantivy": ("bibfold.engines.tantivy:Tantivy", "tantivy:FOLDER", "pip install bibfold"),
    "memory": ("bibfold.engines.memory:Memory", "memory", "pip install bibfold"),
}
"""For each engine where its class is, how its address is written, and how to install it."""


def open_engine(address: str) -> "Engine":
    """The engine at an address such as `tantivy:FOLDER`."""
    name, _, place = address.partition(":")
    if name not in ENGINES:
        forms = ", ".join(form for _, form, _ in ENGINES.values())
        raise SettingsError(f"engine {address!r} is not known; write one of {forms}")
    target, form, hint = ENGINES[name]
    if bool(place) != (":" in form):
        raise SettingsError(f"engine {address!r} is not an address; write {form}")
    module, _, attribute = target.partition(":")
    try:
        make = getattr(import_module(module), attribute)
    except ImportError as error:
        raise EngineUnavailable(f"engine {name} cannot be loaded: {error}; {hint}") from error
    engine: Engine = make(place) if place else make()
    return engine
