"""The identifiers of a MARC record (fields 001, 010, 020, 022, 024, 035 and 037)."""

import re
from collections.abc import Iterator

from bibfold.records.formats.marc import Field, Marc

_ISBN = re.compile(r"[0-9Xx][0-9Xx -]{8,}")
_PREFIXED = re.compile(r"\s*\w{0,3}\(([^)]+)\)\s*(.+)")
_DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+$", re.IGNORECASE)
_OCLC = re.compile(r"(?:oclc\s*)?oc[mn]\s*\d+$", re.IGNORECASE)
_NAMED = {
    "ocolc": "oclc",
    "pmid": "pmid",
    "pubmed": "pmid",
    "medline": "pmid",
    "doi": "doi",
    "arxiv": "arxiv",
}
_STANDARD = {"0": "isrc", "1": "upc", "2": "ismn", "3": "ean", "4": "sici"}


def identifiers(marc: Marc) -> Iterator[tuple[str, str]]:
    """Kind and value of every identifier of the record's own."""
    for field in marc.fields:
        find = _FINDERS.get(field.tag)
        if find:
            yield from find(field)
    if marc.control("003").strip().lower() == "ocolc" and marc.control("001").strip():
        yield "oclc", marc.control("001").strip()


def invalid_isbns(marc: Marc) -> list[str]:
    """Cancelled or wrong ISBNs, which must not be searched by."""
    return [_isbn(value) for field in marc.each("020") for value in field.all("z")]


def system_numbers(marc: Marc) -> dict[str, list[str]]:
    """The record's numbers in other systems by the prefix of the system; empty prefix where none is given."""
    found: dict[str, list[str]] = {}
    for field in marc.each("035"):
        for prefix, number in _numbers(field):
            if _kind(prefix, number) is None:
                found.setdefault(prefix, []).append(number)
    return found


def _isbn(value: str) -> str:
    """The number without what qualifies it."""
    found = _ISBN.match(value.strip())
    return found.group().strip(" -") if found else value.strip()


def _lccns(field: Field) -> Iterator[tuple[str, str]]:
    yield from (("lccn", value.strip()) for value in field.all("a"))


def _isbns(field: Field) -> Iterator[tuple[str, str]]:
    yield from (("isbn", _isbn(value)) for value in field.all("a") if _ISBN.match(value.strip()))


def _issns(field: Field) -> Iterator[tuple[str, str]]:
    yield from (("issn", value.strip()) for value in field.all("a"))


def _standard(field: Field) -> Iterator[tuple[str, str]]:
    named = field.first("2").lower()
    for value in field.all("a"):
        kind = named or _STANDARD.get(field.indicators[:1]) or ("doi" if _DOI.match(value.strip()) else "")
        if kind:
            yield kind, value.strip()


def _system(field: Field) -> Iterator[tuple[str, str]]:
    for prefix, number in _numbers(field):
        if kind := _kind(prefix, number):
            yield kind, number


def _reports(field: Field) -> Iterator[tuple[str, str]]:
    for value in field.all("a"):
        if value.lower().startswith("arxiv:") or field.first("9").lower() == "arxiv":
            yield "arxiv", value.strip()


_FINDERS = {"010": _lccns, "020": _isbns, "022": _issns, "024": _standard, "035": _system, "037": _reports}


def _numbers(field: Field) -> Iterator[tuple[str, str]]:
    """Prefix and number, whether the prefix stands in brackets or in `$9`."""
    for value in field.all("a"):
        prefixed = _PREFIXED.match(value)
        if prefixed:
            yield prefixed[1].strip(), prefixed[2].strip()
        else:
            yield field.first("9"), value.strip()


def _kind(prefix: str, number: str) -> str | None:
    return _NAMED.get(prefix.lower()) or ("oclc" if not prefix and _OCLC.match(number) else None)
