"""Publisher and year of a MARC record (fields 260, 264 and 008)."""

import re
from collections.abc import Iterator

from bibfold.records.formats import isbd
from bibfold.records.formats.marc import Field, Marc

_YEAR = re.compile(r"(?<!\d)(?:1[0-9]|20)\d\d(?!\d)")
_BRACKETED_YEAR = re.compile(r"\[[^\]]{0,40}?(?<![\dc©p])((?:1[0-9]|20)\d\d)(?!\d)")
_UNNAMED = re.compile(r"^\W*(?:s\.?\s*n\.?|n\.?\s*p\.?|publisher not identified|\W*)\W*$", re.IGNORECASE)
_NO_DATE = "|nb"
"""Kinds of date (008/06) that give no year: not coded, unknown, before Christ."""

_GUESSED = "q"
_CLOSE = 10


def publisher(marc: Marc) -> str:
    """The first publisher that is named."""
    for field in _statements(marc):
        for value in field.all("b"):
            if not _UNNAMED.match(value):
                return isbd.sentence(value)
    return ""


def year(marc: Marc, other: str = "") -> int | None:
    """The year of publication: as stated, else as coded, else the first in the other text.

    Of several years in a statement the coded one is taken, else one that the cataloguer supplied in brackets
    ("2040 [1983 or 1984]", "1998 [i.e. 1999]"), else the first.
    """
    coded = _coded(marc.control("008"))
    for field in _statements(marc):
        stated = " ".join(field.all("c"))
        years = [int(found) for found in _YEAR.findall(stated)]
        if coded in years:
            return coded
        if supplied := _BRACKETED_YEAR.search(stated):
            return int(supplied[1])
        if years:
            return years[0]
    if coded:
        return coded
    found = _YEAR.search(other)
    return int(found.group()) if found else None


def _statements(marc: Marc) -> Iterator[Field]:
    """Publication before distribution, manufacture and production; copyright dates last."""
    traced = list(marc.each("264"))
    yield from (field for field in traced if field.indicators[1:2] == "1")
    yield from marc.each("260")
    yield from (field for field in traced if field.indicators[1:2] not in ("1", "4"))
    yield from (field for field in traced if field.indicators[1:2] == "4")


def _coded(fixed: str) -> int | None:
    """The first coded date, unless a guess between years far apart."""
    kind, first, last = fixed[6:7], fixed[7:11], fixed[11:15]
    if kind in _NO_DATE or not _YEAR.fullmatch(first):
        return None
    if kind == _GUESSED and _YEAR.fullmatch(last) and int(last) - int(first) > _CLOSE:
        return None
    return int(first)
