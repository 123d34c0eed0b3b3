"""Author names as comparable people: "Family, Given", "Given Family" and "Family GI" become one form."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from bibfold.text import fold, plain

Person = tuple[str, str]
"""Folded family name and folded given names (or their initials, separated by spaces); either may be empty."""

PARTICLES = frozenset((
    "al", "af", "bin", "ibn", "da", "dal", "dalla", "das", "de", "degli", "dei", "del", "della", "den",
    "der", "di", "do", "dos", "du", "el", "la", "las", "le", "les", "lo", "los", "mac", "san", "st", "ten",
    "ter", "van", "vande", "vander", "von", "zu", "zum", "zur", "av",
))  # fmt: skip
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md", "dr", "prof", "msc", "esq", "mph", "dphil"})
UNKNOWN = frozenset((
    "", "n a", "na", "nan", "null", "none", "unknown", "anonymous", "anon", "not available", "no author",
    "s n", "authors not listed", "various", "no pagination specified", "no pagination", "not specified",
    "s l",
))  # fmt: skip
"""Folded texts that only say that nothing is known."""

_NO_GIVEN = PARTICLES | _SUFFIXES
_NO_FAMILY = _NO_GIVEN | {text.split()[-1] for text in UNKNOWN if text}
_JOINED = re.compile(r"\s*;\s*|\s+and\s+|\s+&\s+")
_OTHERS = re.compile(r"\bet\.?\s*al\b\.?|\band others\b|\bothers$|â.?¦|…|\.\.\.", re.IGNORECASE)
_CAPITALS = re.compile(r"[A-ZÀ-ÖØ-Þ]{1,3}|(?:[A-ZÀ-ÖØ-Þ]\.?-?){1,4}")
_INITIALS = re.compile(r"\W*[A-ZÀ-ÖØ-Þ](?:[.\s-]+[A-ZÀ-ÖØ-Þ]){0,3}\W*")
_FAMILY_INITIALS = re.compile(r"\w[\w'-]{2,}(?: \w[\w'-]{2,})? [A-ZÀ-ÖØ-Þ]{1,3}")
_GIVEN_BRACKETED = re.compile(
    r"([^\W\d_][^()\[\],]*?)\s*\((?!(?i:eds?|editors?|authors?|translators?|compilers?|illustrators?|hrsg|comp|trans|illus)\b)((?:[A-ZÀ-ÖØ-Þ][\w'’-]*\.?\s*){1,4})\)\W*"
)
"""A family name with the given names in brackets, as older registers write it: "Roe (Jane Mary)"."""

_ROLE = re.compile(r"\s*[\(\[][^()\[\]]*[\)\]]|,?\s*\b\d{4}-?(?:\d{4})?\.?$")


_ACCENTS = re.compile("[\u0300-\u036f]")
_PLAIN = re.compile(
    r"(?a:[A-Z](?:[a-z]+|\.?)(?:[ -][A-Z](?:[a-z]+|\.?))*) ([A-Z](?:[a-z]+[A-Z]?)?[a-z]+(?:-[A-Z][a-z]+)?)"
)
"""Most names: given names and initials, a family name; what `parse` would make of them is made at once."""


def people(authors: Iterable[str]) -> tuple[Person, ...]:
    """The people that author strings name, in order; strings that join several names are split.

    A string of initials alone belongs to the family name before it: "Aha", "D. W." is one person.
    """
    found: list[Person] = []
    for author in authors:
        for person in _named(author):
            if person[0]:
                found.append(person)
            elif found and not found[-1][1]:
                found[-1] = (found[-1][0], person[1])
    return tuple(found)


@lru_cache(maxsize=1 << 17)
def _named(author: str) -> tuple[Person, ...]:
    """The people that one string names; one without a family name has initials alone."""
    bare = author if author.isascii() else _ACCENTS.sub("", unicodedata.normalize("NFKD", _mended(author)))
    simple = _PLAIN.fullmatch(bare)
    if simple and (family := simple[1].lower().split("-"))[0] not in _NO_FAMILY:
        given = bare[: simple.start(1)].lower().replace(".", " ").replace("-", " ").split()
        return ((" ".join(family), " ".join(given[:1] + [part for part in given[1:] if part not in _NO_GIVEN])),)
    return _parse_all(author)


def _parse_all(author: str) -> tuple[Person, ...]:
    author = _OTHERS.sub("", plain(_mended(" ".join(author.split()))))
    parts = _JOINED.split(author) if ";" in author or "&" in author or " and " in author else [author]
    if len(parts) == 1 and "," in author:
        parts = _by_commas(author)
    return tuple(
        ("", fold(part)) if _INITIALS.fullmatch(part) else person
        for part in parts
        if (person := parse(part)) != ("", "")
    )


def _mended(text: str) -> str:
    """The text as it was before its UTF-8 was taken for Latin-1 ("PÃ´ssas" is "Pôssas")."""
    if "Ã" not in text:
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _by_commas(author: str) -> list[str]:
    """The names in "Aha, D., Kibler, D." and in "Aha D, Kibler D"; anything else is one name."""
    parts = [part.strip() for part in author.split(",") if part.strip()]
    if len(parts) > 3 and len(parts) % 2 == 0 and all(map(_INITIALS.fullmatch, parts[1::2])):
        return [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=True)]
    if len(parts) > 1 and all(_FAMILY_INITIALS.fullmatch(part) for part in parts):
        return parts
    return [author]


def parse(name: str) -> Person:
    """One name: folded family name, folded given names."""
    if "(" in name and (register := _GIVEN_BRACKETED.fullmatch(name)):
        return parse(register[1])[0], _given(register[2].split())
    name = _ROLE.sub("", name).strip(" ,.;:")
    if fold(name) in UNKNOWN:
        return "", ""
    family, comma, given = name.partition(",")
    if comma and fold(given) not in UNKNOWN:
        return _by_comma(family, given)
    words = family.split()
    if len(words) < 2:
        return fold(family), ""
    while len(words) > 2 and fold(words[-1]) in _SUFFIXES:
        words.pop()
    if _CAPITALS.fullmatch(words[-1]) and not _CAPITALS.fullmatch(words[0]):
        start = next(i for i in range(len(words)) if all(map(_CAPITALS.fullmatch, words[i:])))
        return _family(words[:start]), _given(words[start:])
    start = len(words) - 1
    while start > 1 and fold(words[start - 1]) in PARTICLES:
        start -= 1
    return _family(words[start:]), _given(words[:start])


def _by_comma(family: str, given: str) -> Person:
    """Family before the comma; a suffix there or behind ("Smith, Jr., John") is no name."""
    parts = [part for part in given.split(",") if fold(part) not in _SUFFIXES]
    return _family(family.split()), _given(" ".join(parts).split())


def _family(words: list[str]) -> str:
    """The family name without leading particles: "van der Berg" and "Berg" are one name."""
    folded = [word for text in words for word in fold(text).split()]
    while len(folded) > 1 and folded[0] in PARTICLES:
        folded.pop(0)
    while len(folded) > 1 and folded[-1] in _SUFFIXES:
        folded.pop()
    return " ".join(folded)


def _given(words: list[str]) -> str:
    """Given names; capitals run together ("JA") are split into initials."""
    split_words = [" ".join(word) if word.isupper() and 1 < len(word) < 4 else word for word in words]
    folded = [part for word in split_words for part in fold(word).split()]
    return " ".join(folded[:1] + [part for part in folded[1:] if part not in _NO_GIVEN])
