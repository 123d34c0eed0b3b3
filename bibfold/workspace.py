"""A catalogue together with its index and the settings that rule both."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from bibfold import settings as settings_
from bibfold.catalogue import store
from bibfold.catalogue.store import Catalogue
from bibfold.engines import open_engine
from bibfold.engines.base import Engine
from bibfold.engines.names import check_current, next_name
from bibfold.errors import SettingsError
from bibfold.records.keys import KeySettings
from bibfold.settings import Settings

Layers = Sequence[Mapping[str, Any]]
"""Explicit settings, weakest first: a file's, the environment's, the flags'."""

FIXED = ("languages", "retriever")
"""Settings that the index is built by: only `bibfold reindex` changes them."""


class Workspace(msgspec.Struct, frozen=True):
    """What a command works on."""

    catalogue: Catalogue
    engine: Engine
    alias: str
    settings: Settings

    @property
    def keys(self) -> KeySettings:
        """Which keys the index holds."""
        return key_settings(self.settings)

    def index(self) -> str:
        """The published index, which must hold keys of this version."""
        return check_current(self.alias, self.engine.published(self.alias))


def key_settings(settings: Settings) -> KeySettings:
    """Which keys an index holds under these settings."""
    return KeySettings(settings.languages, settings.retriever == "fingerprint")


@contextmanager
def opened(
    folder: Path, layers: Layers = (), *, write: bool = False, create: bool = False, rebuild: bool = False
) -> Iterator[Workspace]:
    """Open the catalogue in a folder with its index; `create` makes it, `rebuild` lets fixed settings change."""
    exists = (folder / store.DATABASE).exists()
    catalogue = store.open_catalogue(folder, write=write) if exists or not create else store.create(folder)
    try:
        with catalogue.reading() as connection:
            remembered = dict(store.options(connection))
        alias = remembered.pop("alias", "") or f"bibfold-{secrets.token_hex(4)}"
        settings = settings_.resolve([remembered, *layers])
        _refuse_changes(remembered, settings, rebuild)
        if write and (not remembered or rebuild):
            _remember(catalogue, alias, settings)
        engine = open_engine(settings.engine or f"tantivy:{folder / 'index'}")
        try:
            yield Workspace(catalogue, engine, alias, settings)
        finally:
            engine.close()
    finally:
        catalogue.close()


@contextmanager
def throw_away(layers: Layers = ()) -> Iterator[Workspace]:
    """A catalogue and an index in memory, gone at the end."""
    settings = settings_.resolve(layers)
    with store.throw_away() as catalogue:
        engine = open_engine(settings.engine or "memory")
        try:
            yield Workspace(catalogue, engine, f"bibfold-{secrets.token_hex(4)}", settings)
        finally:
            engine.close()


def ensure_index(workspace: Workspace) -> str:
    """The published index, made and published empty where there is none."""
    if workspace.engine.published(workspace.alias) is None:
        index = next_name(workspace.alias, workspace.engine.indexes())
        workspace.engine.create(index)
        workspace.engine.publish(workspace.alias, index)
    return workspace.index()


def _refuse_changes(remembered: Mapping[str, Any], settings: Settings, rebuild: bool) -> None:
    for name in FIXED:
        now = msgspec.to_builtins(getattr(settings, name))
        if not rebuild and name in remembered and remembered[name] != now:
            raise SettingsError(
                f"{name}: the catalogue's index was built with {remembered[name]!r}, not {now!r}; "
                f"run `bibfold reindex --{name} …` to change it"
            )


def _remember(catalogue: Catalogue, alias: str, settings: Settings) -> None:
    values = settings_.kept(msgspec.structs.asdict(settings))
    with catalogue.writing() as connection:
        store.remember(connection, {"alias": alias, **values})
