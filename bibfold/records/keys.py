"""The keys by which a record is found: the same function serves the index and the query."""

from collections.abc import Mapping
from hashlib import blake2b

import msgspec

from bibfold.records.fingerprint import blocks, fingerprint
from bibfold.records.identifiers import PROPOSING
from bibfold.records.prepare import Prepared
from bibfold.text import bigrams, stopwords

KEYS_VERSION = 1
"""Part of every index name; raise it whenever a record's keys change."""

LONGEST_KEY = 200
"""Longer keys are cut and hashed: engines limit the length of a term."""


class KeySettings(msgspec.Struct, frozen=True):
    """Which keys an index holds; kept with the catalogue, since index and query must agree.

    `written` says of records that are made ready ahead whether their texts come along as they were written.
    """

    languages: tuple[str, ...] = ("en",)
    fingerprints: bool = False
    written: bool = True


def key_settings(languages: tuple[str, ...], retriever: str) -> KeySettings:
    """Which keys an index holds under these settings."""
    return KeySettings(languages, retriever == "fingerprint")


def keys(record: Prepared, settings: KeySettings) -> Mapping[str, list[str]]:
    """The record's terms for each searchable field."""
    words = record.title.split()
    stops = stopwords(*settings.languages)
    terms = {
        "title": _all_short(bigrams(words, stops), record.title) if words else [],
        "also": [_short(key) for key in also(record)],
        "identifier": identifiers(record),
    }
    if settings.fingerprints and words:
        terms["block"] = blocks(fingerprint(words, stops))
    return terms


def identifiers(record: Prepared) -> list[str]:
    """Keys of the identifiers that may propose a candidate: `doi:10.1000/1`."""
    return [_short(f"{kind}:{value}") for kind, value in record.identifiers if kind in PROPOSING]


def also(record: Prepared) -> list[str]:
    """Keys for a record whose title changed: first author with year, first two authors, volume with page."""
    found = []
    if record.people:
        first = record.people[0][0]
        if record.year:
            found.append(f"y {first} {record.year}")
        if len(record.people) > 1:
            found.append(f"a {first} {record.people[1][0]}")
    if record.volume and record.first_page:
        found.append(f"p {record.volume} {record.first_page}")
    return found


def _all_short(keys: list[str], text: str) -> list[str]:
    """The keys, none of which is longer than the text they were made of."""
    return keys if len(text) <= LONGEST_KEY else [_short(key) for key in keys]


def _short(key: str) -> str:
    if len(key) <= LONGEST_KEY:
        return key
    return f"{key[: LONGEST_KEY - 33]}#{blake2b(key.encode(), digest_size=16).hexdigest()}"
