"""The records that a truth speaks of: read, looked for, and told from those of another state of the data."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from typing import Any

from bibfold.errors import InputError
from bibfold.records.formats.streams import HEAD, Broken, opened
from bibfold.records.model import DeadLetter, Record

SHOWN = 10
"""How many unknown records a message names."""


def read_records(
    items: Iterable[Record | DeadLetter], letter: Callable[[DeadLetter], Any] = lambda letter: None
) -> Iterator[Record]:
    """The records of a stream; `letter` is told what could not be read."""
    for item in items:
        if isinstance(item, DeadLetter):
            letter(item)
        else:
            yield item


def by_key(records: Iterable[Record], wanted: Set[str] | None = None) -> dict[str, Record]:
    """Records by key, all or those wanted; of two with one key the first."""
    found: dict[str, Record] = {}
    for record in records:
        if wanted is None or record.key in wanted:
            found.setdefault(record.key, record)
    return found


def missing(named: Iterable[str], known: Collection[str]) -> list[str]:
    """The records that a truth names and that are not among those known."""
    return sorted(key for key in named if key not in known)


def check_known(named: Iterable[str], known: Collection[str], *, skip_unknown: bool = False) -> list[str]:
    """The records that are not there; raises InputError unless they may be skipped."""
    unknown = missing(named, known)
    if unknown and not skip_unknown:
        more = f" and {len(unknown) - SHOWN} more" if len(unknown) > SHOWN else ""
        raise InputError(
            f"the truth names {len(unknown)} records that are not there: {', '.join(unknown[:SHOWN])}{more}; "
            "is it the truth of these records? --skip-unknown goes on without them"
        )
    return unknown


def field_text(record: Record, field: str) -> str:
    """A field as a person reads it."""
    value = getattr(record, field)
    if isinstance(value, tuple):
        return "; ".join(value)
    return "" if value is None else str(value)


def identifiers_text(record: Record) -> str:
    """The identifiers as a person reads them."""
    return " ".join(f"{kind}:{value}" for kind, values in record.identifiers.items() for value in values)


def check_repeatable(path: str) -> None:
    """Refuse what can be read only once."""
    if path == "-":
        raise InputError("standard input can be read only once; an evaluation needs a file, so that it can be repeated")


def fingerprint(path: str) -> str:
    """Sixteen digits that stand for a file's content, compressed or not."""
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
