"""Texts compared as sets of words or as letters: the ground of several comparators."""

from collections.abc import Callable

import numpy as np
from rapidfuzz.distance import OSA, Levenshtein
from rapidfuzz.process import cpdist

from bibfold.records.columns import Bags, Flags, Floats
from bibfold.records.prepare import Prepared
from lookup.pairs import Pairs, Say, Scores

MANY = 1_000
"""From so many pairs on edit distances are worth a thread for each core."""


def jaccard(pairs: Pairs, column: Bags) -> Scores:
    """The share of all words of two texts that both hold; missing where one is empty."""
    ours, theirs, shared = pairs.overlap(column)
    missing = (ours == 0) | (theirs == 0)
    return Scores(shared / np.where(missing, 1, ours + theirs - shared), missing)


def say_jaccard(field: str, text_of: Callable[[Prepared], str]) -> Say:
    """Says of a field how many of all words are shared."""

    def say(ours: Prepared, theirs: Prepared, score: float) -> str:
        mine, yours = set(text_of(ours).split()), set(text_of(theirs).split())
        return f"{field}: {len(mine & yours)} of {len(mine | yours)} words shared"

    return say


def letters(pairs: Pairs, text_of: Callable[[Prepared], str]) -> Scores:
    """One minus the edit distance in characters over the length of the longer text; missing where one is empty."""
    rows = pairs.columns.rows
    ours = [text_of(rows[place]) for place in pairs.left]
    theirs = [text_of(rows[place]) for place in pairs.right]
    missing: Flags = np.array([not (mine and yours) for mine, yours in zip(ours, theirs, strict=True)], np.bool_)
    workers = -1 if pairs.size >= MANY else 1
    found: Floats = cpdist(ours, theirs, scorer=Levenshtein.normalized_similarity, dtype=np.float64, workers=workers)
    return Scores(found, missing)


def say_letters(field: str) -> Say:
    """Says of a field how many letters agree."""
    return lambda ours, theirs, score: f"{field}: {score:.0%} of the letters agree"


def take_alike(left: list[str], right: list[str]) -> None:
    """Takes pairs of near spellings ("behaviour", "behavior") out of both lists."""
    for word in left[:]:
        for other in right:
            if word[0] == other[0] and alike(word, other):
                left.remove(word)
                right.remove(other)
                break


def alike(word: str, other: str) -> bool:
    """Whether two words differ by a spelling: one edit or swap in five letters."""
    longer = max(len(word), len(other))
    most = longer // 5
    if not most or longer - min(len(word), len(other)) > most:
        return False
    return OSA.distance(word, other, score_cutoff=most) <= most
