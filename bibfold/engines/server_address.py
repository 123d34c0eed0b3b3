"""Addresses of search servers: nodes and options from the text, credentials from the environment alone."""

import ssl
from collections.abc import Mapping
from math import inf
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import msgspec
from msgspec.structs import replace

from bibfold.errors import SettingsError

PORTS = {"http": 80, "https": 443}


class Secrets(msgspec.Struct, frozen=True):
    """What opens a server; never shown."""

    api_key: str = ""
    user: str = ""
    password: str = ""
    ca_file: str = ""

    def __repr__(self) -> str:
        return "Secrets(…)"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the address may say after a question mark, as in `?shards=3&replicas=1`."""

    shards: int = 1
    """Into how many parts a new index is cut."""
    replicas: int = 0
    """How many further copies each part has, on other nodes."""
    timeout: float = 30.0
    """Seconds that one answer may take."""
    patience: float = 60.0
    """Seconds to go on asking a server that is away or busy."""


class Address(msgspec.Struct, frozen=True):
    """Where a server is, and how to deal with it."""

    nodes: tuple[str, ...]
    options: Options = Options()
    secrets: Secrets = Secrets()

    def __str__(self) -> str:
        return ", ".join(self.nodes)


def address(name: str, place: str, environ: Mapping[str, str], outage: float = inf) -> Address:
    """The address in a text: `http://host:port`, or several nodes separated by commas, and options.

    Its patience is no longer than an outage may last.
    """
    places, _, query = place.partition("?")
    nodes = tuple(_node(name, node.strip().rstrip("/")) for node in places.split(",") if node.strip())
    try:
        options = msgspec.convert(dict(parse_qsl(query, keep_blank_values=True)), Options, strict=False)
    except msgspec.ValidationError as error:
        options_listed = ", ".join(Options.__struct_fields__)
        raise SettingsError(f"engine {name}, after the ?: {error}; options are {options_listed}") from error
    if not nodes or options.shards < 1 or options.replicas < 0 or options.timeout <= 0:
        raise SettingsError(f"engine {name}: write a node, shards of at least 1 and replicas of at least 0")
    prefix = f"BIBFOLD_{name.upper()}_"
    secrets = Secrets(**{field: environ.get(prefix + field.upper(), "") for field in Secrets.__struct_fields__})
    if secrets.ca_file:
        _check_trusted(f"{prefix}CA_FILE", secrets.ca_file)
    return Address(nodes, replace(options, patience=min(options.patience, outage)), secrets)


def _node(name: str, text: str) -> str:
    """The node's address with its port; where none is given, the usual one of http or https."""
    if "@" in text:
        raise SettingsError(
            f"engine {name}: an address is no place for a password, set BIBFOLD_{name.upper()}_USER and "
            f"BIBFOLD_{name.upper()}_PASSWORD in the environment"
        )
    try:
        parts = urlsplit(text)
        usual, port = PORTS[parts.scheme], parts.port
    except (ValueError, KeyError):
        raise _not_an_address(name, text) from None
    if not parts.hostname:
        raise _not_an_address(name, text)
    return text if port else urlunsplit(parts._replace(netloc=f"{parts.netloc.rstrip(':')}:{usual}"))


def _not_an_address(name: str, text: str) -> SettingsError:
    return SettingsError(f"engine {name}: {text!r} is not an address, write {name}:http://HOST:PORT")


def _check_trusted(variable: str, ca_file: str) -> None:
    try:
        ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        raise SettingsError(f"{variable}: {ca_file} cannot be read as certificates (PEM): {error}") from error
