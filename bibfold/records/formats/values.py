"""How formats write years, pages, serial numbers and several values in one field."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bibfold.records.model import FIELD_NAMES

Fields = dict[str, list[str]]
"""A record's fields as its file names them, each with its values in order."""

_RIS_TAG = re.compile(r"[A-Z][A-Z0-9]")
_INTEGER = re.compile(r"-?\d{1,9}")
_COMPACT_DATE = re.compile(r"([12]\d{3})(?:0\d|1[0-2])(?:[0-2]\d|3[01])?")
_FOUR_DIGITS = re.compile(r"(?<!\d)(?!0000)(\d{4})(?:(?:0\d|1[0-2])(?:[0-2]\d|3[01]))?(?!\d)")
_ISSN = r"\d{4}-?\d{3}[\dXx]"
_ISBN = r"(?:97[89][ -]?)?(?:\d[ -]?){9}[\dXx]"
_SERIAL = re.compile(rf"({_ISSN}|{_ISBN})(?![\dXx-])(?:\s*\([^()]*\))?[\s,;]*")
_LINKS = (
    ("doi", re.compile(r"(?:https?://(?:www\.|dx\.)?doi\.org/|doi:\s*)(10\.\S+)", re.IGNORECASE)),
    ("arxiv", re.compile(r"https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/(\S+?)(?:\.pdf)?", re.IGNORECASE)),
    ("pmid", re.compile(r"https?://(?:pubmed|www)\.ncbi\.nlm\.nih\.gov/(?:pubmed/)?(\d+)/?")),
    ("pmcid", re.compile(r"https?://(?:pmc|www)\.ncbi\.nlm\.nih\.gov/(?:pmc/)?articles/(PMC\d+)/?")),
)
_NOTED = (
    ("pmid", re.compile(r"\bPMID:\s*(\d+)")),
    ("pmcid", re.compile(r"\bPMCID:\s*(PMC\d+)")),
    ("arxiv", re.compile(r"\barXiv:(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7})")),
)


def squeeze(text: str) -> str:
    """The text with each run of white space as one space, and none at its ends."""
    return " ".join(text.split())


def year_of(text: str) -> int | None:
    """The year that a date tells: of `20180613` and `201806` the year, else the whole text as a number, or else its
    first four digits; a year of zeros is none.
    """
    bare = text.strip()
    if compact := _COMPACT_DATE.fullmatch(bare):
        return int(compact[1])
    if _INTEGER.fullmatch(bare):
        return int(bare) or None
    found = _FOUR_DIGITS.search(text)
    return int(found[1]) if found else None


def page_range(first: str, last: str) -> str:
    """First and last page as one text."""
    if not first or not last or last == first or first.endswith(f"-{last}"):
        return first or last
    return f"{first}-{last}"


def serials(text: str, otherwise: str) -> Iterator[tuple[str, str]]:
    """The ISSNs and ISBNs that a text lists, told by length; any other text is one of `otherwise`."""
    found = list(_SERIAL.finditer(text))
    if not found or "".join(match.group() for match in found) != text:
        yield otherwise, text
        return
    for match in found:
        digits = sum(character.isalnum() for character in match[1])
        yield "issn" if digits == 8 else "isbn", match[1].strip()


def linked(url: str) -> tuple[str, str] | None:
    """Kind and value of the identifier that a web address is made of."""
    if url[:4].lower() not in ("http", "doi:"):
        return None
    for kind, pattern in _LINKS:
        if found := pattern.fullmatch(url):
            return kind, found[1]
    return None


def noted(note: str) -> Iterator[tuple[str, str]]:
    """The identifiers that reference managers put into a note, as `PMID: 123`."""
    if not ("PM" in note or "arXiv:" in note):
        return
    for kind, pattern in _NOTED:
        if found := pattern.search(note):
            yield kind, found[1]


def gather(pairs: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Identifiers by kind, without repeats and blanks."""
    kinds: dict[str, dict[str, None]] = {}
    for kind, value in pairs:
        if value:
            kinds.setdefault(kind, {})[value] = None
    return {kind: tuple(values) for kind, values in kinds.items()}


def take(fields: Fields, *names: str) -> str:
    """Remove and return the first value there is under these names, in their order, squeezed."""
    for name in names:
        for place, text in enumerate(fields.get(name, ())):
            if value := squeeze(text):
                _remove(fields, name, place)
                return value
    return ""


def take_all(fields: Fields, *names: str) -> tuple[str, ...]:
    """Remove and return every value under these names, squeezed."""
    values = [squeeze(value) for name in names for value in fields.pop(name, ())]
    return tuple(value for value in values if value)


def take_year(fields: Fields, *names: str) -> int | None:
    """The first year that these fields tell; a field that says more than the year stays."""
    for name in names:
        for place, value in enumerate(fields.get(name, ())):
            year = year_of(value)
            if year is not None:
                if value.strip() == str(year):
                    _remove(fields, name, place)
                return year
    return None


def unique(name: str, seen: dict[str, int]) -> str:
    """The name, with -2, -3 and so on where it was seen before; `seen` remembers it."""
    free = name
    while free in seen:
        seen[name] += 1
        free = f"{name}-{seen[name]}"
    seen[free] = 1
    return free


def _remove(fields: Fields, name: str, place: int) -> None:
    del fields[name][place]
    if not fields[name]:
        del fields[name]


def left(fields: Fields, format: str, year: int | None) -> Mapping[str, Any]:
    """What no field of the model took, for `extra`.

    A name that the model has, or that would pass for a tag of RIS, gets the format's in front.
    """
    return {
        f"{format}:{name}" if _is_taken(name, format, year) else name: values[0] if len(values) == 1 else values
        for name, values in fields.items()
        if values
    }


def _is_taken(name: str, format: str, year: int | None) -> bool:
    if name in FIELD_NAMES:
        return name != "year" or year is not None
    return format != "ris" and bool(_RIS_TAG.fullmatch(name))
