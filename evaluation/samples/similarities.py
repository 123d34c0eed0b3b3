"""The four measures of the similarity of two titles that uncertainty sampling compares."""

from collections import Counter
from functools import lru_cache

from rapidfuzz.distance import Levenshtein


def characters(first: str, second: str) -> float:
    """One minus the edit distance in characters over the length of the longer."""
    return Levenshtein.normalized_similarity(first, second)


def words_shared(first: str, second: str) -> float:
    """The share of all different words that both hold."""
    left, right = _words(first)[1], _words(second)[1]
    shared = len(left & right)
    every = len(left) + len(right) - shared
    return shared / every if every else 0.0


def words(first: str, second: str) -> float:
    """One minus the edit distance in words over the number of words of the longer."""
    return Levenshtein.normalized_similarity(_words(first)[0], _words(second)[0])


def words_in_common(first: str, second: str) -> float:
    """The share of all words, repeated ones counted each time, that have a partner in the other title."""
    (left, set_of_mine), (right, set_of_yours) = _words(first), _words(second)
    every = len(left) + len(right)
    both = len(set_of_mine & set_of_yours)
    if both and len(left) > len(set_of_mine) and len(right) > len(set_of_yours):
        both = (Counter(left) & Counter(right)).total()
    return 2 * both / every if every else 0.0


def measures(first: str, second: str) -> tuple[float, float, float, float]:
    """All four."""
    return characters(first, second), words_shared(first, second), words(first, second), words_in_common(first, second)


@lru_cache(maxsize=1 << 16)
def _words(title: str) -> tuple[tuple[int, ...], frozenset[int]]:
    """A title's words as numbers, in order and as a set."""
    numbers = tuple([hash(word) for word in title.split()])
    return numbers, frozenset(numbers)
