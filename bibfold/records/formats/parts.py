"""What formats keep beside the model's fields under names of their own: keywords, links, editors and more.

Readers leave these in `extra` under the names of their format. Writers ask here, so that keywords from PubMed leave
as keywords of RIS or BibTeX, and no tag of one format leaves as a tag of another.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from bibfold.records.formats.dates import iso_date
from bibfold.records.formats.marc import KEPT, Marc, from_kept
from bibfold.records.formats.names import inverted
from bibfold.records.formats.values import squeeze
from bibfold.records.model import Record

DATABASES: Final = "databases"
"""The key in `extra` under which a canonical record names the sources of its records."""

RECORDS: Final = "records"
"""The key in `extra` under which a canonical record names its records."""

_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "keywords": (
        *(
            "KW",
            "keywords",
            "keyword",
            "author_keywords",
            "nbib:OT",
            "nbib:MH",
            "OT",
            "MH",
            "wos:DE",
            "wos:ID",
            "csv:DE",
            "csv:ID",
        ),
        *("Keywords", "keywords/keyword", "Author Keywords", "Index Keywords", "Manual Tags", "Automatic Tags"),
        *("subject", "subjects", "%K"),
    ),
    "urls": ("UR", "L2", "url", "URL", "Url", "Link", "urls/related-urls/url", "%U"),
    "editors": (
        *("A2", "ED", "editor", "Editor", "Editors", "contributors/secondary-authors/author", "nbib:FED", "%E"),
    ),
    "place": ("CY", "PP", "address", "location", "Place", "pub-location", "publisher-place", "publisher-location"),
    "abbreviation": (
        *("J2", "JA", "shortjournal", "abbrev_source_title", "nbib:TA", "Journal Abbreviation"),
        *("Abbreviated Source Title", "periodical/abbr-1", "short-container-title", "container-title-short"),
    ),
    "series": (
        "T3",
        "T2",
        "series",
        "Series",
        "Series Title",
        "titles/tertiary-title",
        "titles/secondary-title",
        "collection-title",
    ),
    "affiliations": ("AD", "affiliation", "nbib:AD", "auth-address", "Affiliations"),
    "dates": ("DA", "Y1", "date", "month", "nbib:DP", "Date", "Publication Date", "dates/pub-dates/date", "issued"),
    "notes": ("N1", "note", "notes", "Notes", "Extra", "annote", "annotation"),
}
_MARC: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "keywords": (("650", "653"), "a"),
    "urls": (("856",), "u"),
    "notes": (("500",), "a"),
}
_SEPARATED: Final = re.compile(r"\s*;\s+")
_LISTED: Final = re.compile(r"\s*[;,]\s+")
_AND: Final = re.compile(r"\s+and\s+|\s*;\s+")


class Parts(msgspec.Struct, frozen=True):
    """The parts of a record that its `extra` holds, in one form, and what is left of it."""

    keywords: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    editors: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    abbreviation: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    affiliations: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rest: Mapping[str, Any] = {}


def parts(record: Record) -> Parts:
    """The parts of a record, each value once; a value of an unusual shape is left in `rest`."""
    rest = dict(record.extra)
    marc = from_kept(rest.get(KEPT)) or Marc("", ())
    found: dict[str, tuple[str, ...]] = {}
    for part, names in _NAMES.items():
        values = [value for name in names if name in rest for value in _taken(rest, part, name, record.year)]
        tags, code = _MARC.get(part, ((), ""))
        values += [squeeze(value) for field in marc.each(*tags) for value in field.all(code)]
        known = (record.publication, str(record.year))
        found[part] = tuple(dict.fromkeys(value for value in values if value not in known))
    found["notes"] += tuple(note for note in found_notes(record) if note not in found["notes"])
    return Parts(rest=rest, **found)


def found_notes(record: Record) -> list[str]:
    """Where a canonical record was found and of how many records it is made, in words."""
    databases, records = record.extra.get(DATABASES), record.extra.get(RECORDS)
    if not isinstance(databases, list) or not isinstance(records, list):
        return []
    return [
        f"Found in: {', '.join(map(str, databases))}",
        f"Records folded: {len(records)} ({', '.join(map(str, records))})",
    ]


def _taken(rest: dict[str, Any], part: str, name: str, year: int | None) -> list[str]:
    """Remove and return the values of a name, unless one of them is neither text nor a name in parts."""
    given = rest[name] if isinstance(rest[name], list) else [rest[name]]
    if name == "month":
        given = [f"{year} {item}" for item in given]
    texts = [iso_date(item) or None if part == "dates" else _text(part, item) for item in given]
    if None in texts:
        return []
    del rest[name]
    values = [value for text in texts if text for value in _split(part, name, text)]
    return [inverted(value) for value in values] if part == "editors" else values


def _text(part: str, item: Any) -> str | None:
    match item:
        case str():
            return item.strip()
        case {"title": str(title), **more} if part == "series" and not more:
            return title
        case {"family": str(family), "given": str(given), **more} if part == "editors":
            return None if more.keys() - {"sequence"} else f"{family}, {given}"
        case {"name": str(whole)} | {"literal": str(whole)} if part == "editors":
            return whole
        case _:
            return None


def _split(part: str, name: str, text: str) -> list[str]:
    if part == "keywords":
        values = (_LISTED if name in ("keywords", "keyword") and ";" not in text else _SEPARATED).split(text)
    elif part == "editors":
        values = _AND.split(text)
    elif part == "affiliations":
        values = [value for line in text.splitlines() for value in _SEPARATED.split(line)]
    else:
        values = text.splitlines() if part == "notes" else [text]
    return [squeeze(value) for value in values if value.strip()]
