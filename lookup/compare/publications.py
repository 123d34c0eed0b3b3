"""Whether two records appeared in the same place: journal, proceedings, book."""

from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from bibfold.records.numerals import numerals
from bibfold.records.prepare import Prepared
from bibfold.text import stopwords
from lookup.compare.words import alike, jaccard
from lookup.evidence import Finding

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


def similar(ours: Prepared, theirs: Prepared) -> Finding | None:
    """The share of the shorter name's words that the longer one holds, abbreviated ("J Chem", "VLDB") or not.

    Two numbered volumes ("16th Workshop", "17th Workshop") are two publications. A name made of general words
    alone ("Proceedings of the Conference") says nothing.
    """
    one, other = ours.publication, theirs.publication
    if not one or not other:
        return None
    if one == other:
        return Finding(1.0, "publication: equal")
    return _names(one, other) if one < other else _names(other, one)


def words_shared(ours: Prepared, theirs: Prepared) -> Finding | None:
    """Jaccard similarity of the publications' sets of words."""
    return jaccard("publication", ours.publication, theirs.publication)


def letters(ours: Prepared, theirs: Prepared) -> Finding | None:
    """One minus the publications' edit distance in characters over the length of the longer."""
    if not ours.publication or not theirs.publication:
        return None
    score = Levenshtein.normalized_similarity(ours.publication, theirs.publication)
    return Finding(score, f"publication: {score:.0%} of the letters agree")


@lru_cache(maxsize=1 << 16)
def _names(one: str, other: str) -> Finding | None:
    mine, yours = sorted((_content(one), _content(other)), key=len)
    if not mine:
        return None
    numbers, numbers2 = _numbers(one), _numbers(other)
    if numbers and numbers2 and numbers.isdisjoint(numbers2):
        return Finding(0.0, f"publication: number {min(numbers)} against {min(numbers2)}")
    found = sum(any(_stands_for(word, other) for other in yours) for word in mine)
    if found < len(mine) and (_acronym(one, other) or _acronym(other, one)):
        return Finding(0.9, f"publication: {min(one, other, key=len)} abbreviates the other")
    reason = f"publication: {found} of {len(mine)} and {len(yours)} words agree"
    if not found and len(mine) == 1 and len(mine[0]) < 8:
        return Finding(0.0, f"publication: {mine[0]} is not among the words of the other", 0.25)
    if found == len(mine):
        return Finding(0.8 + 0.2 * found / len(yours), reason)
    return Finding(0.6 * found / len(mine), reason)


def _content(name: str) -> list[str]:
    words = [word for word in name.split() if word not in _SMALL and word.isalpha()]
    return [word for word in words if word not in _GENERIC]


def _numbers(name: str) -> set[str]:
    return {number for number in numerals(name.split())[0] if len(number) < 3}


def _stands_for(one: str, other: str) -> bool:
    """Whether one word is the other, begins it ("med", "medicine") or contracts it ("natl", "national")."""
    if len(one) > len(other):
        one, other = other, one
    if one[0] != other[0]:
        return False
    return other.startswith(one) or alike(one, other) or (len(one) > 2 and _contracts(one, other))


def _contracts(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _acronym(short: str, long: str) -> bool:
    """Whether a word of the one is made of the initials of neighbouring words of the other.

    Small words may be left out of the acronym or of the other name: "TODS" is "ACM Trans. Database Syst.".
    """
    words = [word for word in long.split() if word.isalpha()]
    every = "".join([word[0] for word in words])
    weighty = "".join([word[0] for word in words if word not in _SMALL])
    return any(
        len(word) > 2 and (word in every or word in weighty or _without_small(word, weighty)) for word in short.split()
    )


def _without_small(acronym: str, initials: str) -> bool:
    return len(acronym) > 3 and any(
        acronym[:at] + acronym[at + 1 :] in initials for at, letter in enumerate(acronym) if letter in "oafti"
    )
