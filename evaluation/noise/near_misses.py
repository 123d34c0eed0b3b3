"""Works that are nearly another but not the same: the next part, the next year's edition, a reply, an erratum."""

import re
from random import Random

from msgspec.structs import replace

from bibfold.records.model import Record

_NUMBER = re.compile(r"(?<![\w.,-])(?:(?P<ordinal>\d{1,3})(?:st|nd|rd|th)|(?P<year>(?:19|20)\d\d))(?![\w%-])", re.ASCII)
_PART = re.compile(r"\b(Part|part|PART|Vol\.|Volume|No\.) (I{1,3}|\d{1,2})\b", re.ASCII)
_NUMBERED = re.compile(r"(?:\d|\b[IVX]+)\W*$")
_ROMAN = ("I", "II", "III", "IV", "V")
_MORE = ("Limitations of {}", "{}: a critical appraisal", "Further results on {}", "{}: ten years later")
"""Titles of the same authors' next work."""


def next_part(record: Record, rng: Random) -> Record | None:
    """The next part of a work: a numbered one counted on, "Part II" behind the title of another."""
    if found := _PART.search(record.title):
        number = found[2]
        after = _ROMAN[_ROMAN.index(number) + 1] if number in _ROMAN else str(int(number) + 1)
        title = f"{record.title[: found.start(2)]}{after}{record.title[found.end(2) :]}"
    elif record.title and not _NUMBERED.search(record.title):
        title = f"{record.title.rstrip('.')}{rng.choice((': Part II', '. Part 2', ', part two', ' II'))}"
    else:
        return None
    return _elsewhere(record, rng, title=title, later=rng.randint(0, 1))


def next_edition(record: Record, rng: Random) -> Record | None:
    """The next year's edition of a series: the 17th workshop after the 16th, the report of 2005 after that of 2004."""
    found = _NUMBER.search(record.title)
    if not found:
        return None
    number = int(found["ordinal"] or found["year"]) + 1
    after = f"{number}{_ending(number)}" if found["ordinal"] else str(number)
    title = record.title[: found.start()] + after + record.title[found.end() :]
    return _elsewhere(record, rng, title=title, later=1)


def reply(record: Record, rng: Random) -> Record | None:
    """A reply to the work, or a comment on it, by someone else or by one of its authors."""
    if not record.title:
        return None
    form = rng.choice(('Reply to: "{}"', "Comment on “{}”", "Reply to {}", "A comment on {}"))
    authors = record.authors[-1:] if rng.random() < 0.5 else ()
    changed = _elsewhere(record, rng, title=form.format(record.title), later=rng.randint(0, 1))
    return replace(changed, authors=authors)


def erratum(record: Record, rng: Random) -> Record | None:
    """An erratum to the work, by the same authors in the same place."""
    if not record.title:
        return None
    form = rng.choice(("Erratum: {}", "Correction to: {}", "Erratum to “{}”", "Corrigendum to {}", "{}: erratum"))
    return _elsewhere(record, rng, title=form.format(record.title), later=rng.randint(0, 1))


def next_work(record: Record, rng: Random) -> Record | None:
    """Another work of the same authors on the same matter."""
    if not record.title:
        return None
    title = rng.choice(_MORE).format(record.title.rstrip("."))
    return _elsewhere(record, rng, title=title, later=rng.randint(1, 3))


def _elsewhere(record: Record, rng: Random, *, title: str, later: int) -> Record:
    """A record of another work: its own title, year, volume and pages, and none of the identifiers."""
    first = rng.randint(1, 900)
    volume = str(int(record.volume) + later) if record.volume.isdecimal() and record.volume.isascii() else record.volume
    return replace(
        record,
        title=title,
        year=record.year + later if record.year is not None else None,
        volume=volume,
        pages=f"{first}-{first + rng.randint(1, 20)}" if record.pages else "",
        identifiers={},
        abstract="",
    )


def _ending(number: int) -> str:
    if 10 < number % 100 < 14:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
