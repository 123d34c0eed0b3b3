"""bibfold's settings: one table of names, types and help, read from a file, the environment, flags and keywords."""

import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypedDict

import msgspec

from bibfold.errors import SettingsError

PREFIX: Final = "BIBFOLD_"
OTHER_VARIABLES: Final = re.compile(
    "BIBFOLD_(DATA|PAIRS|(SOLR|SOLRCLOUD|ELASTICSEARCH|OPENSEARCH)_(URL|USER|PASSWORD|API_KEY|CA_FILE))"
)
"""Variables that are no settings: where data sets are, where test servers are, and what opens a server."""

LARGEST_PROFILE: Final = 64_000_000
"""How many bytes a profile file may have."""

Kind = Literal["text", "address", "profile", "whole number", "number", "flag", "names"]


class Setting(msgspec.Struct, frozen=True):
    """One setting: what it is for, the type and bounds of its values, and whether a catalogue keeps it."""

    name: str
    kind: Kind
    help: str
    choices: tuple[str, ...] = ()
    bounds: tuple[int, int] | None = None
    metavar: str = ""
    kept: bool = True

    @property
    def default(self) -> Any:
        """The value where nothing is given."""
        return getattr(_DEFAULTS, self.name)

    @property
    def allowed(self) -> str:
        """Which values there are, in words."""
        if self.bounds:
            return f"a {self.kind} from {self.bounds[0]} to {self.bounds[1]}"
        if self.choices:
            return f"{'a list' if self.kind == 'names' else 'one'} of {', '.join(self.choices)}"
        return {"flag": "true or false", "names": "names separated by commas"}.get(self.kind, "a text")

    def allows(self, value: Any) -> bool:
        """Whether a value of the right type is within the bounds or among the choices."""
        if self.bounds:
            return value is None or self.bounds[0] <= value <= self.bounds[1]
        if self.choices and self.kind == "names":
            return bool(value) and set(value) <= set(self.choices)
        return not self.choices or value in self.choices


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The values of all settings for one run; `SETTINGS` says what each means."""

    engine: str = ""
    profile: str = "bibfold"
    same: float | None = None
    unsure: float | None = None
    same_identifier: float | None = None
    top_n: int = 10
    retriever: str = "bigrams"
    identifiers: bool = True
    languages: tuple[str, ...] = ("en",)
    bridge: str = "merge"
    canonical: str = "aggregate"
    trust: tuple[str, ...] = ()
    batch_size: int = 20_000
    outage: float = 300.0
    wait: float = 0.0
    settle: bool = True
    largest_record: int = 16


class SettingValues(TypedDict, total=False):
    """Settings as keywords of a Python call; those that are not given keep their value."""

    engine: str
    profile: str
    same: float | None
    unsure: float | None
    same_identifier: float | None
    top_n: int
    retriever: Literal["bigrams", "fingerprint"]
    identifiers: bool
    languages: Sequence[str]
    bridge: Literal["merge", "join-best"]
    canonical: Literal["aggregate", "founder"]
    trust: Sequence[str]
    batch_size: int
    outage: float
    wait: float
    settle: bool


_DEFAULTS = Settings()

SETTINGS: Final = (
    Setting(
        "engine",
        "address",
        "Where the index lives: `tantivy:FOLDER`, `solr:URL`, `elasticsearch:URL`, `opensearch:URL`, or `memory` for a "
        "run that keeps nothing. The default is tantivy inside the catalogue's folder, or memory.",
        metavar="ADDRESS",
    ),
    Setting(
        "profile",
        "profile",
        "The metric that compares records: a name from `bibfold profiles`, or the path of a profile file, such as "
        "`./mine.json`.",
        metavar="NAME|FILE",
    ),
    Setting(
        "same",
        "number",
        "Records that score at least this much are the same. The default is the profile's threshold.",
        bounds=(0, 1),
    ),
    Setting(
        "unsure",
        "number",
        "Records that score at least this much, but less than `same`, go to review. The default is the profile's "
        "threshold.",
        bounds=(0, 1),
    ),
    Setting(
        "same_identifier",
        "number",
        "Records that share an identifier and score at least this much are the same, ahead of others that score "
        "higher; for profiles that take a shared identifier for a proof. The default is the profile's threshold.",
        bounds=(0, 1),
    ),
    Setting("top_n", "whole number", "Maximum number of candidates that the engine proposes.", bounds=(1, 1_000_000)),
    Setting(
        "retriever",
        "text",
        "How candidates are found: by title bigrams, or by 64-bit fingerprints that differ in at most 3 bits.",
        choices=("bigrams", "fingerprint"),
    ),
    Setting("identifiers", "flag", "Whether a shared identifier (DOI, ISBN, …) proposes or proves a candidate."),
    Setting(
        "languages",
        "names",
        "Languages whose stopwords are recognised in titles, separated by commas: en, de, fr, es, pt, it.",
        choices=("en", "de", "fr", "es", "pt", "it"),
        metavar="LANGUAGE,...",
    ),
    Setting(
        "bridge",
        "text",
        "What to do when a record is the same as two clusters: `merge` them unless a veto forbids it, or add the "
        "record to the better one (`join-best`).",
        choices=("merge", "join-best"),
    ),
    Setting(
        "canonical",
        "text",
        "A cluster's canonical record: an `aggregate` of its members, field by field, or its first record, the "
        "`founder`.",
        choices=("aggregate", "founder"),
    ),
    Setting(
        "trust",
        "names",
        "Sources in order of trust, most trusted first, separated by commas; used by `aggregate`.",
        metavar="SOURCE,...",
    ),
    Setting(
        "batch_size",
        "whole number",
        "Maximum number of records per transaction; batches are smaller while the catalogue is small.",
        bounds=(1, 1_000_000),
        kept=False,
    ),
    Setting(
        "outage",
        "number",
        "How many seconds to wait for a search server that does not answer before giving up.",
        bounds=(0, 1_000_000),
        kept=False,
    ),
    Setting(
        "wait",
        "number",
        "How many seconds to wait for another process that writes to the catalogue before giving up.",
        bounds=(0, 1_000_000),
        kept=False,
    ),
    Setting(
        "settle",
        "flag",
        "Whether `dedupe` ends with a pass that settles what the order of the records decided.",
        kept=False,
    ),
    Setting(
        "largest_record",
        "whole number",
        "How many megabytes one record of a file may take; a larger one is not read and becomes a dead letter.",
        bounds=(1, 100_000),
        metavar="MB",
        kept=False,
    ),
)

MATCHING: Final = (
    "engine",
    "profile",
    "same",
    "unsure",
    "same_identifier",
    "top_n",
    "retriever",
    "identifiers",
    "languages",
)
"""Settings of every command that matches records."""

FOLDING: Final = (*MATCHING, "bridge", "canonical", "trust", "batch_size", "outage")
"""Settings of every command that folds records."""

DEDUPING: Final = (*FOLDING, "settle")
"""Settings of a command that folds records once."""

REPAIRING: Final = ("profile", "same", "unsure", "top_n", "identifiers")
"""Settings that a repair can bring a catalogue to; the catalogue goes by them when it is done."""

READING: Final = ("largest_record",)
"""Settings of every command that reads files of records."""

BY_NAME: Final = {setting.name: setting for setting in SETTINGS}


def resolve(layers: Sequence[Mapping[str, Any]]) -> Settings:
    """The settings that layers of explicit values make up, the last one strongest."""
    values = {name: value for layer in layers for name, value in layer.items() if value is not None}
    return msgspec.convert(values, Settings)


def layers(config: Path | None = None, flags: Mapping[str, Any] = {}) -> list[dict[str, Any]]:
    """A command's explicit settings, weakest first: the file's, the environment's, the flags'."""
    return [from_file(config) if config else {}, from_environment(os.environ), checked(flags)]


def from_file(path: Path) -> dict[str, Any]:
    """The values in a TOML file, checked; unknown names and bad values are named in the error."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
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


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """The `BIBFOLD_…` variables that mean nothing, perhaps because their names are misspelt."""
    ours = {PREFIX + setting.name.upper() for setting in SETTINGS}
    return sorted(
        name for name in environ if name.startswith(PREFIX) and name not in ours and not OTHER_VARIABLES.fullmatch(name)
    )


def checked(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values from flags, checked; those that were not given are left out."""
    return {
        name: _checked(name, value, f"--{name.replace('_', '-')}")
        for name, value in values.items()
        if value is not None
    }


def from_keywords(values: SettingValues) -> dict[str, Any]:
    """Values from the keywords of a Python call, checked."""
    return {name: _checked(name, value, "keyword") for name, value in values.items() if value is not None}


def kept(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the values that a catalogue remembers."""
    return {name: value for name, value in values.items() if name in BY_NAME and BY_NAME[name].kept}


def _checked(name: str, value: Any, where: str) -> Any:
    setting = BY_NAME.get(name)
    if setting is None:
        raise SettingsError(f"{where}: unknown setting {name!r}; known: {', '.join(BY_NAME)}")
    try:
        if isinstance(value, str):
            value = _PARSERS[setting.kind](value)
        value = getattr(msgspec.convert({name: value}, Settings), name)
    except (ValueError, msgspec.ValidationError) as error:
        raise SettingsError(f"{where}: {name}: {error}") from error
    if not setting.allows(value):
        raise SettingsError(f"{where}: {name}: {value!r} is not {setting.allowed}")
    return value


def _address(text: str) -> str:
    """An engine's address; a relative folder becomes absolute, so that it can be used from anywhere later."""
    name, _, place = text.partition(":")
    return f"{name}:{Path(place).absolute()}" if name == "tantivy" and place else text


def _profile(text: str) -> str:
    """A profile's name; the content of a profile file, since the file may change or vanish."""
    if text.startswith("{") or not ("/" in text or text.endswith(".json")):
        return text
    path = Path(text)
    try:
        if path.stat().st_size > LARGEST_PROFILE:
            raise ValueError(f"{path} is larger than {LARGEST_PROFILE:,} bytes; is it a profile file?")
        content = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
    if not content.startswith("{"):
        raise ValueError(f"{path} is no profile file; `bibfold profiles NAME --json` prints one to start from")
    return content


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


def split_names(text: str) -> tuple[str, ...]:
    """The names in a text, separated by commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


_PARSERS: Final[Mapping[Kind, Callable[[str], Any]]] = {
    "text": str,
    "address": _address,
    "profile": _profile,
    "whole number": _whole,
    "number": _number,
    "flag": _flag,
    "names": split_names,
}
"""How a text becomes a value."""
