"""Names of people and organisations, as formats write them: "Family, Given", and an organisation as it is."""

import re
from typing import Final

import msgspec

from bibfold.records.formats.values import squeeze
from bibfold.records.people import PARTICLES


class Name(msgspec.Struct, frozen=True):
    """A person's family name, given names and suffix, or the whole name of an organisation."""

    family: str = ""
    given: str = ""
    suffix: str = ""
    organisation: str = ""

    @property
    def inverted(self) -> str:
        """ "Family, Given, Suffix", or the organisation's name."""
        return self.organisation or ", ".join(part for part in (self.family, self.given, self.suffix) if part)


_ORGANISATION: Final = re.compile(
    r"(?i)\b(?:academy|agenc(?:y|ia)|alliance|association|associates|authority|bank|board|bureau|centers?|centres?|centrum"
    r"|clinic|collaborat(?:ion|ive|ors)|college|commission|committee|company|confederation|congress|consorti(?:um|a)"
    r"|corporation|council|department|federation|forum|foundation|gmbh|government|groupe?|hospital|inc|initiative"
    r"|instituti?on|institute?|institut[aos]?|investigators|laborator(?:y|ies)|league|library|ltd|ministry|museum"
    r"|nations|network|office|organi[sz]ation|partnership|panel|press|program(?:me)?|project|publishers?|registry"
    r"|research|school|service|society|societ[eéà]|staff|stud(?:y|ies)|subcommittee|task ?force|team"
    r"|trial(?:ists)?|trust|union|universit\w+|workgroup|working|gesellschaft|verein|stiftung|ministerium|bibliothek|conference)\b"
)
_NOT_PERSONAL: Final = re.compile(r"[\d&/@()\[\]:;|]|(?<!\S)(?:of|for|the|and|für|und|et|des|on|in|at)(?!\S)")
_SUFFIX: Final = re.compile(r"(?:Jr|Sr|jr|sr)\.?|I{2,3}|IV|2nd|3rd|4th")
_INITIALS: Final = re.compile(r"(?:[^\W\d_a-zß-ÿ]\.?-?){1,4}")
_LONGEST: Final = 5


def name_of(text: str) -> Name:
    """The name that a text gives, whichever way round: "Family, Given", "Given Family" or "Family GI"."""
    text = squeeze(text)
    if text.endswith(",") or _is_organisation(text):
        return Name(organisation=text.rstrip(", ") or text)
    family, comma, given = text.partition(",")
    if comma:
        return _by_comma(family.strip(), given.strip())
    words = text.split(" ")
    if len(words) == 1:
        return Name(family=text)
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    if _INITIALS.fullmatch(words[-1]) and not _INITIALS.fullmatch(words[0]):
        return Name(" ".join(words[:-1]), words[-1], suffix)
    start = len(words) - 1
    while start > 1 and words[start - 1].lower() in PARTICLES and not words[start - 1][0].isupper():
        start -= 1
    return Name(" ".join(words[start:]), " ".join(words[:start]), suffix)


def inverted(text: str) -> str:
    """A name as lists of authors have it: "Family, Given", or an organisation as it is."""
    return name_of(text).inverted


def _by_comma(family: str, given: str) -> Name:
    """A suffix stands behind the given names, or, as BibTeX has it, before them."""
    parts = [part.strip() for part in given.split(",")]
    for place in (-1, 0):
        if len(parts) > 1 and _SUFFIX.fullmatch(parts[place]):
            suffix = parts.pop(place)
            return Name(family, ", ".join(parts), suffix)
    return Name(family, given)


def _is_organisation(text: str) -> bool:
    """Whether a text names no person: by a telling word, or by words and signs that names of people lack.

    Before a comma only the family name is looked at: "Bank, Jonas" is a person, "World Bank, Washington" is none.
    """
    family, comma, _ = text.partition(",")
    words = family.split(" ")
    if comma:
        return len(words) > 1 and bool(_ORGANISATION.search(family))
    if len(words) == 1:
        return len(text) > 1 and text.isupper() and text.isascii()
    return len(words) > _LONGEST or bool(_ORGANISATION.search(text) or _NOT_PERSONAL.search(text))
