"""Noise in the names of people, and in accented letters of names and titles."""

import unicodedata
from collections.abc import Callable
from random import Random
from typing import Final

from msgspec.structs import replace

from bibfold.records.model import Record
from bibfold.records.people import PARTICLES

_EXPANDED: Final = str.maketrans({
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ø": "oe", "Ø": "Oe", "å": "aa",
    "Å": "Aa", "æ": "ae", "Æ": "Ae", "œ": "oe", "ñ": "nh", "ł": "l", "Ł": "L", "đ": "dj", "Đ": "Dj",
})  # fmt: skip
"""How accented letters are written on a keyboard without them."""


def accents(record: Record, rng: Random) -> Record | None:
    """Marks on letters dropped (Muller), written out (Mueller) or read in a wrong encoding (MÃ¼ller), as one does."""
    if record.title.isascii() and all(name.isascii() for name in record.authors):
        return None
    way = rng.choices((_dropped, _expanded, _misread), weights=(6, 3, 1))[0]
    changed = replace(record, title=way(record.title), authors=tuple(map(way, record.authors)))
    return changed if changed != record else None


def initials(record: Record, rng: Random) -> Record | None:
    """Given names cut to their first letters: "Doe, J. A.", "Doe, JA", "J. A. Doe", "Doe JA"."""
    style = rng.randrange(4)

    def short(family: str, given: str) -> str:
        letters = [part[0] for part in given.replace("-", " ").replace(".", " ").split() if part[0].isalpha()]
        if not letters:
            return ""
        dotted, joined = " ".join(f"{letter}." for letter in letters), "".join(letters)
        return (f"{family}, {dotted}", f"{family}, {joined}", f"{dotted} {family}", f"{family} {joined}")[style]

    return _renamed(record, short)


def name_order(record: Record, rng: Random) -> Record | None:
    """ "Doe, Jane" as "Jane Doe" or the reverse; sometimes family and given names are confused."""
    if rng.random() < 0.1:
        return _renamed(record, lambda family, given: f"{given}, {family}")
    if "," in (record.authors or ("",))[0]:
        return _renamed(record, lambda family, given: f"{given} {family}")
    return _renamed(record, lambda family, given: f"{family}, {given}")


def fewer_authors(record: Record, rng: Random) -> Record | None:
    """The list of authors cut short, with or without a word on it."""
    if len(record.authors) < 2:
        return None
    left = record.authors[: rng.randint(1, min(6, len(record.authors) - 1))]
    return replace(record, authors=left if rng.random() < 0.7 else (*left, "et al."))


def no_authors(record: Record, rng: Random) -> Record | None:
    """No authors."""
    return replace(record, authors=()) if record.authors else None


def _renamed(record: Record, written: Callable[[str, str], str]) -> Record | None:
    names = tuple((written(*parts) or name) if (parts := _parts(name)) else name for name in record.authors)
    return replace(record, authors=names) if names != record.authors else None


def _parts(name: str) -> tuple[str, str] | None:
    """Family and given names as written, if both can be identified."""
    family, comma, given = name.partition(",")
    if comma:
        parts = family.strip(), given.strip()
    else:
        words = name.split()
        start = len(words) - 1
        while start > 1 and words[start - 1].lower() in PARTICLES:
            start -= 1
        parts = " ".join(words[start:]), " ".join(words[:start])
    return parts if all(parts) and "," not in parts[1] else None


def _dropped(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(letter for letter in letters if not unicodedata.combining(letter)))


def _expanded(text: str) -> str:
    return _dropped(unicodedata.normalize("NFC", text).translate(_EXPANDED))


def _misread(text: str) -> str:
    try:
        return text.encode().decode("cp1252")
    except UnicodeDecodeError:
        return _dropped(text)
