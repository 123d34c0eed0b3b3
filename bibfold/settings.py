"""bibfold's settings: one table of names, defaults and help, read from a file, the environment and flags."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from bibfold.errors import SettingsError

PREFIX: Final = "BIBFOLD_"


class Setting(msgspec.Struct, frozen=True):
    """One setting: what it is for, its default, how a text becomes its value, and whether a catalogue keeps it."""

    name: str
    default: Any
    parse: Callable[[str], Any]
    help: str
    kept: bool = False
    choices: tuple[str, ...] = ()


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The values of all settings for one run; `SETTINGS` says what each means."""

    engine: str = ""
    profile: str = "bibfold"
    same: float | None = None
    unsure: float | None = None
    top_n: int = 10
    retriever: str = "bigrams"
    identifiers: bool = True
    languages: tuple[str, ...] = ("en",)
    bridge: str = "merge"
    canonical: str = "aggregate"
    trust: tuple[str, ...] = ()
    batch_size: int = 20_000
    outage: float = 300.0


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _address(text: str) -> str:
    """An engine's address; a folder is meant from here, wherever the catalogue is used from later."""
    name, _, place = text.partition(":")
    return f"{name}:{Path(place).absolute()}" if name == "tantivy" and place else text


def _whole(text: str) -> int:
    if not text.strip().lstrip("+-").isdecimal():
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None


def _flag(text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise ValueError(f"{text!r} is not true or false")


_DEFAULTS = Settings()

SETTINGS: Final = (
    Setting(
        "engine",
        _DEFAULTS.engine,
        _address,
        "Where the index lives: `tantivy:FOLDER`, `solr:URL`, `elasticsearch:URL`, or `memory` for a run that keeps "
        "nothing; by default tantivy inside the catalogue's folder, or memory.",
        kept=True,
    ),
    Setting(
        "profile",
        _DEFAULTS.profile,
        str,
        "The metric that compares records; see `bibfold profiles`.",
        kept=True,
    ),
    Setting(
        "same",
        _DEFAULTS.same,
        _number,
        "Score from which two records are the same; the profile's own if unset.",
        kept=True,
    ),
    Setting(
        "unsure",
        _DEFAULTS.unsure,
        _number,
        "Score from which a person should decide; the profile's own if unset.",
        kept=True,
    ),
    Setting("top_n", _DEFAULTS.top_n, _whole, "How many neighbours the engine proposes for a record.", kept=True),
    Setting(
        "retriever",
        _DEFAULTS.retriever,
        str,
        "How neighbours are found: by title bigrams, or by 64-bit fingerprints at most 3 bits apart.",
        kept=True,
        choices=("bigrams", "fingerprint"),
    ),
    Setting(
        "identifiers",
        _DEFAULTS.identifiers,
        _flag,
        "Whether a shared identifier proposes a candidate.",
        kept=True,
    ),
    Setting(
        "languages",
        _DEFAULTS.languages,
        _names,
        "Languages whose stopwords count in titles: en, de, fr, es, pt, it, parted by commas.",
        kept=True,
    ),
    Setting(
        "bridge",
        _DEFAULTS.bridge,
        str,
        "When a record is the same as two clusters: `merge` them unless a veto parts them, or `join-best`.",
        kept=True,
        choices=("merge", "join-best"),
    ),
    Setting(
        "canonical",
        _DEFAULTS.canonical,
        str,
        "A cluster's canonical record: `aggregate` of its members, field by field, or its `founder`.",
        kept=True,
        choices=("aggregate", "founder"),
    ),
    Setting(
        "trust",
        _DEFAULTS.trust,
        _names,
        "Sources in order of trust, for `aggregate`, parted by commas.",
        kept=True,
    ),
    Setting(
        "batch_size",
        _DEFAULTS.batch_size,
        _whole,
        "How many records are folded in one transaction at most; fewer while the catalogue is small.",
    ),
    Setting(
        "outage",
        _DEFAULTS.outage,
        _number,
        "How many seconds to wait for a search server that is away before giving up.",
    ),
)

_BY_NAME: Final = {setting.name: setting for setting in SETTINGS}


def resolve(layers: Sequence[Mapping[str, Any]]) -> Settings:
    """The settings that layers of explicit values make up, the last one strongest."""
    values = {name: value for layer in layers for name, value in layer.items() if value is not None}
    return msgspec.convert(values, Settings)


def from_file(path: Path) -> dict[str, Any]:
    """The values in a TOML file, checked; unknown names and bad values are named in the error."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from error
    return {name: _checked(name, value, str(path)) for name, value in data.items()}


def from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """The values in `BIBFOLD_…` variables, such as BIBFOLD_TOP_N=20."""
    return {
        setting.name: _checked(setting.name, environ[variable], variable)
        for setting in SETTINGS
        if (variable := PREFIX + setting.name.upper()) in environ
    }


def checked(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values from flags, checked; those that were not given are left out."""
    return {
        name: _checked(name, value, f"--{name.replace('_', '-')}")
        for name, value in values.items()
        if value is not None
    }


def kept(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the values that a catalogue remembers."""
    return {name: value for name, value in values.items() if name in _BY_NAME and _BY_NAME[name].kept}


def _checked(name: str, value: Any, where: str) -> Any:
    setting = _BY_NAME.get(name)
    if setting is None:
        raise SettingsError(f"{where}: unknown setting {name!r}; known: {', '.join(_BY_NAME)}")
    try:
        if isinstance(value, str):
            value = setting.parse(value)
        settings = msgspec.convert({name: value}, Settings)
    except (ValueError, msgspec.ValidationError) as error:
        raise SettingsError(f"{where}: {name}: {error}") from error
    _check_range(setting, getattr(settings, name), where)
    return getattr(settings, name)


def _check_range(setting: Setting, value: Any, where: str) -> None:
    allowed = ""
    if setting.choices and value not in setting.choices:
        allowed = f"one of {', '.join(setting.choices)}"
    elif setting.name in ("same", "unsure") and not 0 <= value <= 1:
        allowed = "a number from 0 to 1"
    elif setting.name in ("top_n", "batch_size") and not 1 <= value <= 1_000_000:
        allowed = "a whole number from 1 to 1000000"
    elif setting.name == "outage" and not 0 <= value <= 1_000_000:
        allowed = "a number of seconds from 0 to 1000000"
    elif setting.name == "languages" and (not value or set(value) - LANGUAGES):
        allowed = f"some of {', '.join(sorted(LANGUAGES))}"
    if allowed:
        raise SettingsError(f"{where}: {setting.name}: {value!r} is not {allowed}")


LANGUAGES: Final = frozenset({"en", "de", "fr", "es", "pt", "it"})
