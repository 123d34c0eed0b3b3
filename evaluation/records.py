"""Reads the records of an evaluation, finds those that a truth names, and identifies files by their content."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from typing import Any

from msgspec.structs import replace

from bibfold.errors import InputError
from bibfold.records.formats.streams import HEAD, Broken, opened
from bibfold.records.model import DeadLetter, Record

SHOWN = 10
"""How many unknown records a message names."""


def read_records(
    items: Iterable[Record | DeadLetter], on_dead_letter: Callable[[DeadLetter], Any] = lambda letter: None
) -> Iterator[Record]:
    """The records of a stream; `on_dead_letter` is called with each entry that could not be read."""
    for item in items:
        if isinstance(item, DeadLetter):
            on_dead_letter(item)
        else:
            yield item


def by_key(records: Iterable[Record], keys: Set[str] | None = None) -> dict[str, Record]:
    """Records by key, all or those with one of `keys`; of several with the same key the first."""
    found: dict[str, Record] = {}
    for record in records:
        if keys is None or record.key in keys:
            found.setdefault(record.key, record)
    return found


def check_present(named: Iterable[str], present: Collection[str], *, skip_unknown: bool = False) -> list[str]:
    """The records that a truth names and that are not present; raises InputError unless they may be skipped."""
    unknown = sorted(key for key in named if key not in present)
    if unknown and not skip_unknown:
        more = f" and {len(unknown) - SHOWN} more" if len(unknown) > SHOWN else ""
        raise InputError(
            f"the truth names {len(unknown)} records that are not there: {', '.join(unknown[:SHOWN])}{more}; "
            "is it the truth of these records? --skip-unknown goes on without them"
        )
    return unknown


def without_identifiers(items: Iterable[Record | DeadLetter]) -> Iterator[Record | DeadLetter]:
    """The records without their identifiers."""
    for item in items:
        yield replace(item, identifiers={}) if isinstance(item, Record) else item


def check_repeatable(path: str) -> None:
    """Raise InputError for standard input, which cannot be read twice."""
    if path == "-":
        raise InputError("standard input can be read only once; an evaluation needs a file, so that it can be repeated")


def fingerprint(path: str) -> str:
    """Sixteen hexadecimal digits of the hash of a file's content, decompressed first."""
    check_repeatable(path)
    digest = hashlib.sha256()
    with opened(path) as stream:
        try:
            while part := stream.read(HEAD):
                digest.update(part)
        except Broken as broken:
            digest.update(str(broken).encode())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    return digest.hexdigest()[:16]
