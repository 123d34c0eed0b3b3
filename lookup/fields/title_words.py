"""What the words of two titles say beyond how alike these are: how rare they are, what only one of them holds."""

from collections.abc import Callable
from operator import attrgetter
from typing import Final

import numpy as np
from rapidfuzz.distance import Levenshtein, Prefix
from rapidfuzz.process import cpdist

from bibfold.records.columns import Bags, Codes, Flags, Floats
from bibfold.records.prepare import Prepared
from lookup.fields.titles import TITLE, telling
from lookup.pairs import Pairs, Scores

MOST: Final = 20.0
"""Rarities are held against this sum, about that of a title of twenty rare words."""

SHOWN: Final = 4
"""So many words that only one title holds are said."""

WORDS = Bags(lambda record: telling(record.title.split()), rare=True)
BARE_WORDS = Bags(lambda record: telling(record.bare.split()), rare=True)
BARE = Codes(lambda record: _joined(record.bare))
STEM = Codes(lambda record: _joined(record.stem))
NUMERALS = Codes(attrgetter("numerals"))


def shared(pairs: Pairs) -> Scores:
    """The share of the titles' words that both hold, weighed by how rare they are."""
    ours, theirs, common = pairs.overlap(WORDS)
    return Scores(_ratio(common, ours + theirs - common), _untitled(pairs))


def contained(pairs: Pairs) -> Scores:
    """The share of the shorter title's words that the other holds, weighed by how rare they are."""
    ours, theirs, common = pairs.overlap(WORDS)
    return Scores(_ratio(common, np.minimum(ours, theirs)), _untitled(pairs))


def bare_shared(pairs: Pairs) -> Scores:
    """The share of words that both titles hold, without statements of responsibility, series, edition and notes."""
    ours, theirs, common = pairs.overlap(BARE_WORDS)
    return Scores(_ratio(common, ours + theirs - common), _untitled(pairs))


def bare_contained(pairs: Pairs) -> Scores:
    """The share of the shorter title's words that the other holds, without statements and notes."""
    ours, theirs, common = pairs.overlap(BARE_WORDS)
    return Scores(_ratio(common, np.minimum(ours, theirs)), _untitled(pairs))


def telling_shared(pairs: Pairs) -> Scores:
    """How much the words tell that both titles hold: their rarity, added up, of a most of twenty."""
    _, _, common = pairs.overlap(BARE_WORDS)
    return Scores(np.minimum(common / MOST, 1.0), _untitled(pairs))


def unshared_less(pairs: Pairs) -> Scores:
    """How little the words tell that only one title holds, on the side that has fewer of them: 1 for none."""
    ours, theirs, common = pairs.overlap(BARE_WORDS)
    return Scores(_little(np.minimum(ours, theirs) - common), _untitled(pairs))


def unshared_more(pairs: Pairs) -> Scores:
    """How little the words tell that only one title holds, on the side that has more of them: 1 for none."""
    ours, theirs, common = pairs.overlap(BARE_WORDS)
    return Scores(_little(np.maximum(ours, theirs) - common), _untitled(pairs))


def main(pairs: Pairs) -> Scores:
    """1 for equal titles without notes, 0.8 where one is the other's main title, 0.4 for equal main titles, else 0."""
    bare, other_bare = pairs.both(BARE)
    stem, other_stem = pairs.both(STEM)
    one_main = (bare == other_stem) | (other_bare == stem)
    score = np.select([bare == other_bare, one_main, stem == other_stem], [1.0, 0.8, 0.4], 0.0)
    return Scores(score, _untitled(pairs))


def letters(pairs: Pairs) -> Scores:
    """One minus the edit distance in letters, spaces left out, of the titles without notes."""
    return Scores(_by_letters(pairs, Levenshtein.normalized_similarity), _untitled(pairs))


def prefix(pairs: Pairs) -> Scores:
    """How much of the shorter title, in letters, begins the longer one."""
    rows = pairs.columns.rows
    shorter = np.array(
        [min(len(rows[a].title), len(rows[b].title)) for a, b in zip(pairs.left, pairs.right, strict=True)], np.float64
    )
    same: Floats = cpdist(
        [rows[place].title for place in pairs.left],
        [rows[place].title for place in pairs.right],
        scorer=Prefix.similarity,
        dtype=np.float64,
    )
    return Scores(_ratio(same, shorter), _untitled(pairs))


def numbers(pairs: Pairs) -> Scores:
    """1 for the same numbers in both titles, a half where only one has some, 0 for others."""
    ours, theirs = pairs.both(NUMERALS)
    score = np.where(ours == theirs, 1.0, np.where((ours == 0) | (theirs == 0), 0.5, 0.0))
    return Scores(score, (ours == 0) & (theirs == 0))


def silent(ours: Prepared, theirs: Prepared, score: float) -> str:
    """Nothing: another part of the field says it."""
    return ""


def say_main(ours: Prepared, theirs: Prepared, score: float) -> str:
    """In which way the titles are equal, if they are not all through."""
    if ours.title == theirs.title or score == 0:
        return ""
    return {1.0: "equal without statements and notes", 0.8: "one is the other's main title"}.get(
        score, "main titles equal"
    )


def say_unshared(ours: Prepared, theirs: Prepared, score: float) -> str:
    """The first words that only one title holds."""
    mine, yours = telling(ours.bare.split()), telling(theirs.bare.split())
    alone = [word for word in mine if word not in yours] + [word for word in yours if word not in mine]
    return f"in one title alone: {', '.join(alone[:SHOWN])}" + (" …" if len(alone) > SHOWN else "") if alone else ""


def say_numbers(ours: Prepared, theirs: Prepared, score: float) -> str:
    """The numbers, where they differ."""
    if score == 1:
        return ""
    return f"numbers {' '.join(ours.numerals) or 'none'} against {' '.join(theirs.numerals) or 'none'}"


def _joined(title: str) -> str:
    """A title without spaces and without the articles of a catalogue's order."""
    words = title.split()
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return "".join(words)


_ARTICLES: Final = frozenset({"the", "a", "an", "der", "die", "das", "le", "la", "les", "el", "los", "il"})


def _by_letters(pairs: Pairs, scorer: Callable[..., float]) -> Floats:
    rows = pairs.columns.rows
    ours = [_joined(rows[place].bare) for place in pairs.left]
    theirs = [_joined(rows[place].bare) for place in pairs.right]
    found: Floats = cpdist(ours, theirs, scorer=scorer, dtype=np.float64)
    return found


def _ratio(part: Floats, whole: Floats) -> Floats:
    return part / np.maximum(whole, 1e-9)


def _little(rarity: Floats) -> Floats:
    return 1 / (1 + np.maximum(rarity, 0.0))


def _untitled(pairs: Pairs) -> Flags:
    ours, theirs = pairs.both(TITLE)
    return np.asarray((ours == 0) | (theirs == 0))
