"""Whether two records appeared in the same place: journal, proceedings, book."""

from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from bibfold.records.columns import Codes
from bibfold.records.numerals import numerals
from bibfold.records.prepare import Prepared
from bibfold.text import stopwords
from lookup.evidence import Finding
from lookup.fields import words
from lookup.pairs import Pairs, Scores

_SMALL = stopwords("en", "de", "fr", "es", "pt", "it")
_GENERIC = frozenset((
    "proceedings", "proc", "conference", "conf", "international", "int", "intl", "annual", "symposium",
    "symp", "workshop", "meeting", "congress", "journal", "j", "transactions", "trans", "volume", "vol",
    "number", "no", "issue", "part", "technical", "report", "tech", "rep", "press", "university",
    "edition", "ed", "eds", "editors", "editor", "series", "lecture", "notes", "hellip", "january",
    "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december", "online", "print", "thesis", "phd", "dissertation",
))  # fmt: skip
"""Words that name a kind of publication, or a time, rather than one."""

NAME = Codes(attrgetter("publication"))


def similar(pairs: Pairs) -> Scores:
    """The share of the shorter name's words that the longer one holds, abbreviated ("J Chem", "VLDB") or not.

    Two numbered volumes ("16th Workshop", "17th Workshop") are two publications. A name made of general words
    alone ("Proceedings of the Conference") says nothing.
    """
    ours, theirs = pairs.both(NAME)
    missing = (ours == 0) | (theirs == 0)
    return Scores(np.ones(pairs.size), missing, open=ours != theirs)


def look(ours: Prepared, theirs: Prepared) -> Finding | None:
    """Equal names, or how far their words stand for each other; None where one is made of general words alone."""
    if ours.publication == theirs.publication:
        return Finding(1.0)
    named = _names(ours.publication, theirs.publication)
    return None if named is None else named.finding


def say(ours: Prepared, theirs: Prepared, score: float) -> str:
    """How many words of the names agree, or what else tells whether they are one."""
    if ours.publication == theirs.publication:
        return "publication: equal"
    named = _names(ours.publication, theirs.publication)
    return named.reason if named else ""


class _Named(NamedTuple):
    finding: Finding
    reason: str


def _names(name: str, other: str) -> _Named | None:
    return _ordered_names(name, other) if name < other else _ordered_names(other, name)


@lru_cache(maxsize=1 << 16)
def _ordered_names(name: str, other: str) -> _Named | None:
    mine, yours = sorted((_content(name), _content(other)), key=len)
    if not mine:
        return None
    numbers, other_numbers = _numbers(name), _numbers(other)
    if numbers and other_numbers and numbers.isdisjoint(other_numbers):
        return _Named(Finding(0.0), f"publication: number {min(numbers)} against {min(other_numbers)}")
    agree = sum(any(_stands_for(word, candidate) for candidate in yours) for word in mine)
    if agree < len(mine) and (_acronym(name, other) or _acronym(other, name)):
        return _Named(Finding(0.9), f"publication: {min(name, other, key=len)} abbreviates the other")
    reason = f"publication: {agree} of {len(mine)} and {len(yours)} words agree"
    if not agree and len(mine) == 1 and len(mine[0]) < 8:
        return _Named(Finding(0.0, 0.25), f"publication: {mine[0]} is not among the words of the other")
    if agree == len(mine):
        return _Named(Finding(0.8 + 0.2 * agree / len(yours)), reason)
    return _Named(Finding(0.6 * agree / len(mine)), reason)


def _content(name: str) -> list[str]:
    return [word for word in name.split() if word.isalpha() and word not in _SMALL and word not in _GENERIC]


def _numbers(name: str) -> set[str]:
    return {number for number in numerals(name.split())[0] if len(number) < 3}


def _stands_for(word: str, other: str) -> bool:
    """Whether one word is the other, begins it ("med", "medicine") or contracts it ("natl", "national")."""
    if len(word) > len(other):
        word, other = other, word
    if word[0] != other[0]:
        return False
    return other.startswith(word) or words.alike(word, other) or (len(word) > 2 and _contracts(word, other))


def _contracts(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _acronym(short: str, long: str) -> bool:
    """Whether a word of the one is made of the initials of neighbouring words of the other.

    Small words may be left out of the acronym or of the other name: "TODS" is "ACM Trans. Database Syst.".
    """
    names = [word for word in long.split() if word.isalpha()]
    every = "".join([word[0] for word in names])
    weighty = "".join([word[0] for word in names if word not in _SMALL])
    return any(
        len(word) > 2 and (word in every or word in weighty or _without_small(word, weighty)) for word in short.split()
    )


def _without_small(acronym: str, initials: str) -> bool:
    return len(acronym) > 3 and any(
        acronym[:at] + acronym[at + 1 :] in initials for at, letter in enumerate(acronym) if letter in "oafti"
    )
