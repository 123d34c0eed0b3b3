"""What a MARC record says of the journal or book that it is a part of (field 773)."""

import re

import msgspec

from bibfold.records.formats import isbd
from bibfold.records.formats.citation import place
from bibfold.records.formats.marc import Field, Marc

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
    level = marc.leader[7:8]
    telling = "gqvx" if level and level in _WHOLE else "gqtpvxz"
    return next((_host(field) for field in marc.each("773") if field.all(telling)), Host())


def _host(field: Field) -> Host:
    """Volume, issue and pages stand in `$g` or `$q`; some systems use `$v`, `$n` and `$c`."""
    said = " ".join(field.all("g"))
    volume, issue, pages = place(field.first("q") or said)
    return Host(
        publication=isbd.sentence(field.first("t") or field.first("p")),
        volume=_short(field.first("v")) or volume,
        issue=_short(field.first("n")) or issue,
        pages=_short(field.first("c")) or pages,
        issn=tuple(field.all("x")),
        isbn=tuple(field.all("z")),
        dates=" ".join([field.first("y"), said, field.first("d")]),
    )


def _short(text: str) -> str:
    return text if _SHORT.match(text) else ""
