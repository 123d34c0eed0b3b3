"""Names of indexes: the catalogue's alias, the version of the keys and a running number."""

import re
from collections.abc import Iterable

from bibfold.errors import IndexMissing, IndexOutdated
from bibfold.records.keys import KEYS_VERSION

_NAME = re.compile(r"(?P<alias>.+)-k(?P<keys>\d+)-(?P<number>\d+)")


def next_name(alias: str, existing: Iterable[str]) -> str:
    """A name for a new index of this alias, above all that exist."""
    numbers = [int(found["number"]) for name in existing if (found := of_alias(alias, name))]
    return f"{alias}-k{KEYS_VERSION}-{max(numbers, default=0) + 1}"


def of_alias(alias: str, name: str) -> re.Match[str] | None:
    """The parts of an index name if it belongs to the alias."""
    found = _NAME.fullmatch(name)
    return found if found and found["alias"] == alias else None


def key_version(name: str) -> int | None:
    """The version of the keys in an index, told from its name."""
    found = _NAME.fullmatch(name)
    return int(found["keys"]) if found else None


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
