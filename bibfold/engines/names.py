"""Names of indexes: the catalogue's alias, the version of the keys and a running number."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from bibfold.errors import IndexMissing, IndexOutdated
from bibfold.records.keys import KEYS_VERSION

_NAME = re.compile(r"(?P<alias>.+)-k(?P<keys>\d+)-(?P<number>\d+)")


class Parts(NamedTuple):
    """What the name of an index tells."""

    alias: str
    keys: int
    number: int


def parts(name: str) -> Parts | None:
    """What the name tells, if it is one of bibfold's."""
    found = _NAME.fullmatch(name)
    return Parts(found["alias"], int(found["keys"]), int(found["number"])) if found else None


def next_name(alias: str, existing: Iterable[str]) -> str:
    """A name for a new index of this alias, above all that exist."""
    numbers = [found.number for name in existing if (found := of_alias(alias, name))]
    return f"{alias}-k{KEYS_VERSION}-{max(numbers, default=0) + 1}"


def of_alias(alias: str, name: str) -> Parts | None:
    """The parts of an index name if it belongs to the alias."""
    found = parts(name)
    return found if found and found.alias == alias else None


def key_version(name: str) -> int | None:
    """The version of the keys in an index, told from its name."""
    found = parts(name)
    return found.keys if found else None


def check_current(alias: str, published: str | None) -> str:
    """The published index, if its keys are those of this version."""
    if published is None:
        raise IndexMissing(f"no index is published as {alias}; run `bibfold reindex`")
    version = key_version(published)
    if version != KEYS_VERSION:
        raise IndexOutdated(
            f"index {published} holds keys of version {version}, this bibfold asks with version {KEYS_VERSION}; "
            "run `bibfold reindex`"
        )
    return published
