"""A catalogue together with its index and the settings that rule both."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import msgspec

from bibfold import settings as settings_
from bibfold.catalogue import store
from bibfold.catalogue.reading import RESTORE
from bibfold.catalogue.store import Catalogue
from bibfold.engines import open_engine
from bibfold.engines.base import Engine
from bibfold.engines.names import check_current, next_name, of_alias
from bibfold.errors import CatalogueError, IndexMissing, SettingsError
from bibfold.records.keys import KeySettings, key_settings
from bibfold.settings import Settings

Layers = Sequence[Mapping[str, Any]]
"""Explicit settings, weakest first: a file's, the environment's, the flags'."""

FIXED = ("engine", "languages", "retriever")
"""Settings that the index is built by: only `bibfold reindex` changes them."""


T = TypeVar("T")


class Workspace(msgspec.Struct, frozen=True):
    """What a command works on; `address` is where the engine is, `layers` what it was opened with."""

    catalogue: Catalogue
    engine: Engine
    alias: str
    settings: Settings
    address: str
    layers: Layers = ()

    @property
    def keys(self) -> KeySettings:
        """Which keys the index holds."""
        return key_settings(self.settings.languages, self.settings.retriever)

    def index(self) -> str:
        """The published index, which must hold keys of this version.

        Where there is none it is asked for again: while an engine answers, the old one may have given way.
        """
        return check_current(self.alias, self.engine.published(self.alias) or self.engine.published(self.alias))

    def ask(self, question: Callable[[str], T], index: str = "") -> tuple[T, str]:
        """What a question to the published index gives, and that index; asked again where it gave way meanwhile."""
        index = index or self.index()
        while True:
            try:
                return question(index), index
            except IndexMissing:
                if self.rebuilt():
                    raise IndexMissing(
                        f"the index of {self.catalogue.place} was built anew by other settings; run the command again"
                    ) from None
                if (now := self.index()) == index:
                    raise
                index = now

    def rebuilt(self) -> bool:
        """Whether the catalogue's index is built by other settings now than when this was opened."""
        _, remembered = _remembered(self.catalogue)
        return bool(remembered and _changed(settings_.resolve([remembered]), self.settings))


@contextmanager
def opened(
    folder: Path, layers: Layers = (), *, write: bool = False, create: bool = False, rebuild: bool = False
) -> Iterator[Workspace]:
    """Open the catalogue in a folder with its index; `create` makes it, `rebuild` lets fixed settings change."""
    wait = settings_.resolve(layers).wait
    with store.create(folder, wait) if create else store.open_catalogue(folder, write=write, wait=wait) as catalogue:
        alias, remembered = _remembered(catalogue)
        settings = settings_.resolve([remembered, *layers])
        changed = _changed(settings_.resolve([remembered]), settings) if remembered else {}
        if changed and not rebuild:
            raise SettingsError(_refusal(changed))
        if changed:
            catalogue.acquire(wait=wait)
        address = engine_address(settings.engine, folder)
        with closing(_lasting_engine(address, settings.outage)) as engine:
            yield Workspace(catalogue, engine, alias or _new_alias(), settings, address, layers)


@contextmanager
def throw_away(layers: Layers = (), *, history: bool = True) -> Iterator[Workspace]:
    """A catalogue and an index that are gone at the end."""
    settings = settings_.resolve(layers)
    alias = _new_alias()
    with TemporaryDirectory(prefix="bibfold-") as folder, store.throw_away(history=history) as catalogue:
        address = f"tantivy:{folder}" if settings.engine == "tantivy" else settings.engine or "memory"
        with closing(open_engine(address, settings.outage)) as engine:
            try:
                yield Workspace(catalogue, engine, alias, settings, address)
            finally:
                for index in engine.indexes():
                    if of_alias(alias, index):
                        engine.drop(index)


def ensure_index(workspace: Workspace) -> str:
    """The published index; a new catalogue's is made here, and what it is made by is remembered."""
    remember(workspace)
    with workspace.catalogue.at_index():
        if workspace.engine.published(workspace.alias) is None:
            with workspace.catalogue.reading() as read:
                if read.last_cluster():
                    raise IndexMissing(
                        f"the index of {workspace.catalogue.place} is not there ({workspace.alias} is not published); "
                        "run `bibfold reindex` to build it from the catalogue"
                    )
            index = next_name(workspace.alias, workspace.engine.indexes())
            workspace.engine.create(index)
            workspace.engine.publish(workspace.alias, index)
        return workspace.index()


def remember(workspace: Workspace, names: Sequence[str] = ()) -> None:
    """Keep settings with the catalogue: all where it has none yet, else only those named."""
    with workspace.catalogue.reading() as read:
        before = read.options()
    now = settings_.kept(msgspec.structs.asdict(workspace.settings))
    values = {**before, **{name: now[name] for name in names}} if before else {"alias": workspace.alias, **now}
    if values != before:
        with workspace.catalogue.writing() as write:
            write.remember(values)


def _remembered(catalogue: Catalogue) -> tuple[str, dict[str, Any]]:
    """The catalogue's alias and the settings that it keeps; both empty for a new one."""
    with catalogue.reading() as read:
        kept = read.options()
    alias = kept.pop("alias", "")
    try:
        settings_.resolve([kept])
        return msgspec.convert(alias, str), kept
    except msgspec.ValidationError as error:
        raise CatalogueError(f"the settings that {catalogue.place} keeps are damaged ({error}); {RESTORE}") from error


def _new_alias() -> str:
    return f"bibfold-{secrets.token_hex(4)}"


def engine_address(engine: str, folder: Path | None) -> str:
    """Where the engine of this setting is, for the catalogue in a folder; one in memory has its index there, too."""
    return f"tantivy:{folder / 'index'}" if folder and engine in ("", "tantivy") else engine or "memory"


def _lasting_engine(address: str, outage: float) -> Engine:
    engine = open_engine(address, outage)
    if not engine.persistent:
        raise SettingsError(
            f"engine {address}: its index is gone when the command ends; a catalogue that is kept needs one that "
            "lasts, such as tantivy"
        )
    return engine


def _changed(before: Settings, settings: Settings) -> dict[str, tuple[Any, Any]]:
    """Those settings that the index is built by and that differ, each with its old and its new value."""
    values = {name: (getattr(before, name) or "tantivy", getattr(settings, name) or "tantivy") for name in FIXED}
    return {name: (was, now) for name, (was, now) in values.items() if was != now}


def _refusal(changed: Mapping[str, tuple[Any, Any]]) -> str:
    name, (was, now) = next(iter(changed.items()))
    return (
        f"{name}: the catalogue's index was built with {was!r}, not {now!r}; "
        f"run `bibfold reindex --{name} …` to change it"
    )
