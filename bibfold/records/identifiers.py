"""Identifiers of works: how each kind is written, checked and normalised."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final
from urllib.parse import unquote

from bibfold.records.model import Record

UNIQUE: Final = frozenset({"doi", "arxiv", "pmid", "pmcid"})
"""Kinds of which a work has one value: two records with different values are two works."""

PROPOSING: Final = UNIQUE | {"isbn", "oclc", "lccn", "filehash"}
"""Kinds whose shared value makes another record a candidate; an ISSN names a journal, not a work."""

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_DOI_VERSION = re.compile(r"[/._]v\d{1,2}$")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")
_ARXIV_NEW = re.compile(r"(?<!\d)(\d{4}\.\d{4,5})(?:v\d+)?(?!\d)")
_ARXIV_OLD = re.compile(r"(?<![a-z-])([a-z-]{2,})(?:\.[a-z-]{2,})?/(\d{7})(?:v\d+)?(?!\d)", re.IGNORECASE)
_ISBN = re.compile(r"(?<![\dXx])(?:97[89][ -]?)?(?:\d[ -]?){9}[\dXx](?![\dXx])")
_ISSN = re.compile(r"(?<![\dXx-])(\d{4})-?(\d{3}[\dXx])(?![\dXx-])")
_DIGITS = re.compile(r"\d+")
_HASH = re.compile(r"(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})")


def normalise(kind: str, value: str) -> str | None:
    """The one way to write this identifier, or None where it is not a valid one of its kind."""
    check = KINDS.get(kind.lower())
    return check(value.strip()) if check else None


def doi(value: str) -> str | None:
    """Lower case, without resolver, version suffix or trailing punctuation."""
    found = _DOI.search(unquote(value))
    if not found:
        return None
    bare = found.group().rstrip(".,;:'\"]}>").lower()
    if bare.endswith(")") and bare.count("(") < bare.count(")"):
        bare = bare.rstrip(").")
    return _DOI_VERSION.sub("", bare)


def arxiv(value: str) -> str | None:
    """The number without its version; old numbers as `archive/YYMMNNN`, without the subject class."""
    if new := _ARXIV_NEW.search(value):
        return new[1]
    if old := _ARXIV_OLD.search(value):
        return f"{old[1].lower()}/{old[2]}"
    return None


def pmid(value: str) -> str | None:
    """The number, without leading zeros."""
    found = _DIGITS.search(value)
    return found.group().lstrip("0") or None if found and len(found.group()) <= 9 else None


def pmcid(value: str) -> str | None:
    """`PMC` and the number."""
    number = pmid(value)
    return f"PMC{number}" if number else None


def isbn(value: str) -> str | None:
    """Thirteen digits, check digit verified; ten-digit numbers are converted."""
    found = _ISBN.search(value)
    if not found:
        return None
    digits = found.group().replace("-", "").replace(" ", "").upper()
    if len(digits) == 13:
        return digits if _isbn13_check(digits[:12]) == digits[12] else None
    total = sum((10 - place) * (10 if digit == "X" else int(digit)) for place, digit in enumerate(digits))
    if total % 11:
        return None
    return f"978{digits[:9]}{_isbn13_check(f'978{digits[:9]}')}"


def _isbn13_check(first: str) -> str:
    return str(-sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(first)) % 10)


def issn(value: str) -> str | None:
    """`NNNN-NNNX`, check digit verified."""
    found = _ISSN.search(value)
    if not found:
        return None
    digits = (found[1] + found[2]).upper()
    total = sum((8 - place) * (10 if digit == "X" else int(digit)) for place, digit in enumerate(digits))
    return f"{digits[:4]}-{digits[4:]}" if total % 11 == 0 else None


def oclc(value: str) -> str | None:
    """The number, without prefix and leading zeros."""
    found = _DIGITS.search(value)
    return found.group().lstrip("0") or None if found else None


def lccn(value: str) -> str | None:
    """Prefix, year and a serial of six digits, without spaces, as the Library of Congress normalises it."""
    bare = value.replace(" ", "").split("/")[0].lower()
    if "-" in bare:
        head, _, serial = bare.partition("-")
        bare = head + serial.zfill(6)
    return bare if re.fullmatch(r"[a-z]{0,3}\d{8,10}", bare) else None


def filehash(value: str) -> str | None:
    """A file's MD5, SHA-1, SHA-256 or SHA-512 in lower case."""
    found = _HASH.fullmatch(value.lower().rpartition(":")[2])
    return found.group() if found else None


KINDS: Final[Mapping[str, Callable[[str], str | None]]] = {
    "doi": doi,
    "arxiv": arxiv,
    "pmid": pmid,
    "pmcid": pmcid,
    "isbn": isbn,
    "issn": issn,
    "oclc": oclc,
    "lccn": lccn,
    "filehash": filehash,
}


def normalised(record: Record) -> tuple[tuple[str, str], ...]:
    """The valid identifiers of a record as distinct (kind, value), in order; an arXiv DOI is an arXiv id."""
    if not record.identifiers:
        return ()
    return tuple(dict.fromkeys(_pairs(record)))


def _pairs(record: Record) -> Iterator[tuple[str, str]]:
    for kind, values in record.identifiers.items():
        for value in values:
            good = normalise(kind, value)
            if not good:
                continue
            if kind == "doi" and (posted := _ARXIV_DOI.fullmatch(good)):
                yield "arxiv", arxiv(posted[1]) or posted[1]
            else:
                yield kind.lower(), good
