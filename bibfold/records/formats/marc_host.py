"""What a MARC record says of the journal or book that it is a part of (field 773)."""

import re

import msgspec

from bibfold.records.formats import isbd
from bibfold.records.formats.marc import Field, Marc

_NUMBER = r"\b\.?\s*:?\s*([0-9]+[A-Za-z]?(?:[/–-][0-9]+)?|[IVXLC]+\b)"
_PAGE = r"[A-Za-z]{0,2}[0-9]+[A-Za-z]?"
_RANGE = rf"({_PAGE}(?:\s*[-–—]\s*{_PAGE})?)"
_VOLUME = re.compile(
    r"\b(?:vol(?:ume|umen)?s?|v|bd|band|tome?|t|jahrg(?:ang)?|årg(?:ång|ang)?|vuosik(?:erta)?)" + _NUMBER,
    re.IGNORECASE,
)
_ISSUE = re.compile(r"\b(?:nos?|nr|nro|num(?:ber|ero)?|issue|iss|heft|h|häfte|fasc|pt|part)" + _NUMBER, re.IGNORECASE)
_PAGES = re.compile(r"\b(?:pages?|pp?|s|seiten?|str|sivut?|sid|side)\b\.?\s*:?\s*" + _RANGE, re.IGNORECASE)
_COMPACT = re.compile(rf"^\W*([0-9]+)\s*(?:\(([0-9][^)]*)\)|:([0-9]+)\b)?(?:.*?[:,<]\s*{_RANGE})?\W*$")
_SHORT = re.compile(r"(?=.*[0-9])[\w./ –-]{1,20}$")
_WHOLE = "cms"
"""Bibliographic levels (leader/07) of what is not a part: there a 773 names a collection, not a host."""


class Host(msgspec.Struct, frozen=True):
    """The host's title and where in it the part stands; `dates` is text that may hold a year."""

    publication: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    issn: tuple[str, ...] = ()
    isbn: tuple[str, ...] = ()
    dates: str = ""


def host(marc: Marc) -> Host:
    """The first host that has a title, a place or a number; empty where the record is no part."""
    whole = marc.leader[7:8] in _WHOLE if marc.leader[7:8] else False
    for field in marc.each("773"):
        if field.all("gqvx" if whole else "gqtpvxz"):
            return _host(field)
    return Host()


def _host(field: Field) -> Host:
    place = " ".join(field.all("g"))
    volume, issue, pages = _place(field.first("q") or place)
    return Host(
        publication=isbd.sentence(field.first("t") or field.first("p")),
        volume=_short(field.first("v")) or volume,
        issue=_short(field.first("n")) or issue,
        pages=_short(field.first("c")) or pages,
        issn=tuple(field.all("x")),
        isbn=tuple(field.all("z")),
        dates=" ".join([field.first("y"), place, field.first("d")]),
    )


def _place(text: str) -> tuple[str, str, str]:
    """Volume, issue and pages of "Vol. 24, no. 9 (Sept. 1993), p. 235-48", "24(9):235-48" or "24:9<235"."""
    volume, issue, pages = (pattern.search(text) for pattern in (_VOLUME, _ISSUE, _PAGES))
    if volume or issue or pages:
        return tuple(found[1] if found else "" for found in (volume, issue, pages))  # type: ignore[return-value]
    compact = _COMPACT.match(text)
    if not compact:
        return "", "", ""
    return compact[1], compact[2] or compact[3] or "", compact[4] or ""


def _short(text: str) -> str:
    return text if _SHORT.match(text) else ""
