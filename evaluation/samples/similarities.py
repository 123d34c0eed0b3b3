"""How like two titles are: the four measures between which uncertainty sampling looks for disagreement."""

from collections import Counter
from functools import lru_cache

from rapidfuzz.distance import Levenshtein


def characters(one: str, other: str) -> float:
    """One minus the edit distance in characters over the length of the longer."""
    return Levenshtein.normalized_similarity(one, other)


def words_shared(one: str, other: str) -> float:
    """The share of all different words that both hold."""
    mine, yours = _words(one)[1], _words(other)[1]
    shared = len(mine & yours)
    every = len(mine) + len(yours) - shared
    return shared / every if every else 0.0


def words(one: str, other: str) -> float:
    """One minus the edit distance in words over the number of words of the longer."""
    return Levenshtein.normalized_similarity(_words(one)[0], _words(other)[0])


def words_in_common(one: str, other: str) -> float:
    """The share of all words, repeated ones counted each time, that have a partner in the other title."""
    (mine, set_of_mine), (yours, set_of_yours) = _words(one), _words(other)
    every = len(mine) + len(yours)
    both = len(set_of_mine & set_of_yours)
    if both and len(mine) > len(set_of_mine) and len(yours) > len(set_of_yours):
        both = (Counter(mine) & Counter(yours)).total()
    return 2 * both / every if every else 0.0


def measures(one: str, other: str) -> tuple[float, float, float, float]:
    """All four."""
    return characters(one, other), words_shared(one, other), words(one, other), words_in_common(one, other)


@lru_cache(maxsize=1 << 16)
def _words(title: str) -> tuple[tuple[int, ...], frozenset[int]]:
    """A title's words as numbers, in order and as a set."""
    numbers = tuple([hash(word) for word in title.split()])
    return numbers, frozenset(numbers)
