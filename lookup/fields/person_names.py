"""What the lists of authors say beyond how far they agree: the first of them, given names, how many there are."""

from typing import Final

import numpy as np

from bibfold.records.columns import Codes, Floats, Numbers
from bibfold.records.people import Person
from bibfold.records.prepare import Prepared
from lookup.fields.people import COUNT, one_person
from lookup.pairs import Pairs, Scores

MANY: Final = 10
"""More authors than these tell no more."""


def _first_given(record: Prepared) -> str:
    """The first given name of the first author, or its initial."""
    return record.people[0][1].partition(" ")[0] if record.people else ""


FIRST_FAMILY = Codes(lambda record: record.people[0][0] if record.people else "")
FIRST_GIVEN = Codes(_first_given)
FIRST_INITIAL = Numbers(lambda record: ord(_first_given(record)[:1] or "\0"))
FIRST_LENGTH = Numbers(lambda record: len(_first_given(record)))
LAST_FAMILY = Codes(lambda record: record.people[-1][0] if record.people else "")


def first(pairs: Pairs) -> Scores:
    """1 where the first authors have one family name, a half where one is the other's last or misspelt, else 0."""
    ours, theirs = pairs.both(FIRST_FAMILY)
    last, other_last = pairs.both(LAST_FAMILY)
    missing = (ours == 0) | (theirs == 0)
    score = np.where(ours == theirs, 1.0, np.where((ours == other_last) | (theirs == last), 0.5, 0.0))
    for pair in ((score == 0.0) & ~missing).nonzero()[0].tolist():
        mine, yours = pairs.records(pair)
        if one_person(mine.people[0], yours.people[0]):
            score[pair] = 0.8
    return Scores(score, missing)


def given(pairs: Pairs) -> Scores:
    """1 for equal given names of the first authors, 0.8 where one begins or abbreviates the other, else at most 0.2.

    It is 0.2 where only the first letters agree, 0 where not even these do, and missing for other family names.
    """
    family, other_family = pairs.both(FIRST_FAMILY)
    ours, theirs = pairs.both(FIRST_GIVEN)
    initial, other_initial = pairs.both(FIRST_INITIAL)
    shorter = np.minimum(*pairs.both(FIRST_LENGTH))
    score = np.where(ours == theirs, 1.0, np.where(initial != other_initial, 0.0, np.where(shorter == 1, 0.8, 0.2)))
    missing = (family != other_family) | (initial == 0) | (other_initial == 0)
    for pair in ((score == 0.2) & ~missing).nonzero()[0].tolist():
        mine, yours = sorted(map(_first_given, pairs.records(pair)), key=len)
        if yours.startswith(mine):
            score[pair] = 0.8
    return Scores(score, missing)


def count(pairs: Pairs) -> Scores:
    """The shorter list's length over the longer's."""
    ours, theirs = pairs.both(COUNT)
    fewer, more = np.minimum(ours, theirs), np.maximum(ours, theirs)
    return Scores(fewer / np.maximum(more, 1), fewer == 0)


def number(pairs: Pairs) -> Scores:
    """How many authors the shorter list has, of a most of ten."""
    ours, theirs = pairs.both(COUNT)
    fewer = np.minimum(ours, theirs)
    return Scores(np.minimum(fewer / MANY, 1.0), fewer == 0)


def stated(pairs: Pairs) -> Scores:
    """The share of the shorter list's name words that the other record holds, in its authors or its title."""
    ours, theirs = pairs.both(COUNT)
    missing = (ours == 0) & (theirs == 0)
    score: Floats = np.zeros(pairs.size)
    for pair in (~missing).nonzero()[0].tolist():
        score[pair] = _stated(*pairs.records(pair))
    return Scores(score, missing)


def say_first(ours: Prepared, theirs: Prepared, score: float) -> str:
    """That the first authors differ."""
    return "" if score == 1 else f"first author {ours.people[0][0].title()} against {theirs.people[0][0].title()}"


def say_given(ours: Prepared, theirs: Prepared, score: float) -> str:
    """That the first author's given names differ."""
    return "" if score > 0.2 else f"given names {ours.people[0][1].title()} against {theirs.people[0][1].title()}"


def _stated(ours: Prepared, theirs: Prepared) -> float:
    if ours.people == theirs.people:
        return 1.0
    ways = [(ours, theirs), (theirs, ours)]
    fewest = min(len(named.people) for named, _ in ways if named.people)
    return max(_held(named, other) for named, other in ways if len(named.people) == fewest)


def _held(named: Prepared, other: Prepared) -> float:
    """The share of one record's name words that the other holds."""
    names = _words(named.people)
    return len(names & _words(other.people).union(other.title.split())) / len(names) if names else 0.0


def _words(people: tuple[Person, ...]) -> set[str]:
    """The words of names that are more than initials."""
    return {word for person in people for name in person for word in name.split() if len(word) > 1}
