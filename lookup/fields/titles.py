"""How alike two titles are."""

from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np
from rapidfuzz.fuzz import ratio

from bibfold.records.columns import Bags, Codes, Flags, Number, Numbers, Places
from bibfold.records.prepare import Prepared
from bibfold.text import stopwords
from lookup.evidence import Finding
from lookup.fields import words
from lookup.fields.numbering import FIRST_PAGE
from lookup.pairs import Pairs, Scores

KINDRED: Final = 1 / 3
"""Titles that share less than this are not looked at more closely: no mending brings them together."""

SMALL_WORDS: Final = stopwords("en")
"""Words that tell no title from another; they count only in a title that has no others."""

LONG: Final = 7
"""A title of so many words is as good as any; the agreement of shorter ones counts in proportion."""

MAIN_TITLE: Final = 3
"""A main title of so many words tells a work even where most of the other's words are in the subtitle."""

_KINDS = frozenset((
    "abstract", "panel", "session", "tutorial", "demonstration", "demo", "description", "paper", "invited",
    "talk", "extended", "poster", "keynote", "version", "preliminary", "award", "best",
))  # fmt: skip
"""Words by which one source, but not another, tells what kind of contribution a title belongs to."""

TITLE = Codes(attrgetter("title"))
MAIN = Codes(attrgetter("head"))
UNSPACED = Codes(lambda record: record.title.replace(" ", ""))
WORD_COUNT = Numbers(lambda record: record.title.count(" ") + 1)
TELLING_WORDS = Bags(lambda record: telling(record.title.split()), lambda word: len(word) + 1.0)


def similar(pairs: Pairs) -> Scores:
    """The share of the titles' words that both hold, weighed by length, near spellings counted as shared.

    Words that only one title holds do not count against it where they name an author, the publication or the
    year of either record: they strayed into the title. A title that is the other's main title, without the
    subtitle, is nearly as good as an equal one, and one that stands whole in the other is better than its words
    alone. The agreement of long titles counts for more than that of short ones.
    """
    title, other_title = pairs.both(TITLE)
    missing = (title == 0) | (other_title == 0)
    unspaced, other_unspaced = pairs.both(UNSPACED)
    equal = unspaced == other_unspaced
    weight, other_weight, shared = pairs.overlap(TELLING_WORDS)
    score = np.where(equal, 1.0, shared / np.maximum(weight + other_weight - shared, 1))
    kindred = ~equal & ((score >= KINDRED) | _lack_subtitle(pairs, title, other_title))
    full = np.minimum(1.0, np.minimum(*pairs.both(WORD_COUNT)) / LONG)
    share = np.where(kindred, 1.0, _share(full, score))
    return Scores(np.where(kindred, 1.0, score), missing, share, kindred)


def look(ours: Prepared, theirs: Prepared) -> Finding:
    """1 for equal titles, else by words; kindred ones may differ in spelling, spacing, strayed words and subtitle."""
    score = 1.0
    if not _equal(ours, theirs):
        words_of = _words_of(ours, theirs)
        score = words_of.alike
        if score >= KINDRED or _lacks_subtitle(ours, theirs):
            score = _mended(ours, theirs, words_of).score
    count = min(ours.title.count(" "), theirs.title.count(" ")) + 1
    return Finding(score, _share(min(1.0, count / LONG), score))


def say(ours: Prepared, theirs: Prepared, score: float) -> str:
    """How many words both titles hold, or in which way they are equal."""
    if _equal(ours, theirs):
        return "title: equal"
    words_of = _words_of(ours, theirs)
    if words_of.alike < KINDRED and not _lacks_subtitle(ours, theirs):
        return f"title: {len(words_of.shared)} words shared, {len(words_of.unshared)} not"
    if _is_main_title(ours, theirs):
        return "title: equal but for the subtitle"
    return f"title: {len(words_of.shared)} words shared, {_mended(ours, theirs, words_of).unshared} not"


def letters_in(some: Collection[str]) -> int:
    """How much words weigh: their letters, and one for each word."""
    return len("".join(some)) + len(some)


def telling(every: Sequence[str]) -> Sequence[str]:
    """The words that tell a title from others: all but the small ones, unless it has no others."""
    return [word for word in every if word not in SMALL_WORDS] or every


def _share(full: Number, score: Number) -> Number:
    """How far the weight applies: `full`, by length, to titles that agree, 0.7 to those that do not."""
    return 0.7 + (full - 0.7) * score * score


def _lack_subtitle(pairs: Pairs, title: Places, other_title: Places) -> Flags:
    """Where one title is the other's without the subtitle; few words, such as "Introduction", need a page in common."""
    main, other_main = pairs.both(MAIN)
    page, other_page = pairs.both(FIRST_PAGE)
    no_chance = (np.minimum(*pairs.both(WORD_COUNT)) >= MAIN_TITLE) | ((page == other_page) & (page != 0))
    return np.asarray(((title == other_main) | (other_title == main)) & no_chance)


def _equal(ours: Prepared, theirs: Prepared) -> bool:
    """Whether two titles are equal, however spaced."""
    return ours.title == theirs.title or ours.title.replace(" ", "") == theirs.title.replace(" ", "")


class _Words(NamedTuple):
    """The telling words of two titles that both hold, those that only one holds, and the share of the former."""

    shared: set[str]
    unshared: set[str]
    alike: float


def _words_of(ours: Prepared, theirs: Prepared) -> _Words:
    mine, yours = set(telling(ours.title.split())), set(telling(theirs.title.split()))
    shared = mine & yours
    weight = letters_in(shared)
    return _Words(shared, mine ^ yours, weight / (letters_in(mine) + letters_in(yours) - weight))


class _Mended(NamedTuple):
    score: float
    unshared: int


def _mended(ours: Prepared, theirs: Prepared, words_of: _Words) -> _Mended:
    """The score of titles with much in common, and how many words are left that only one of them holds."""
    title, other, unshared = ours.title, theirs.title, words_of.unshared
    left = [word for word in title.split() if word in unshared]
    right = [word for word in other.split() if word in unshared]
    both = letters_in(words_of.shared) + _take_near(left, right)
    if left or right:
        stray = _strayed(ours, theirs)
        left = [word for word in left if word not in stray]
        right = [word for word in right if word not in stray]
    score = both / (both + letters_in(left) + letters_in(right))
    shorter, longer = (title, other) if len(title) <= len(other) else (other, title)
    if _is_main_title(ours, theirs):
        score = max(score, 0.9)
    elif shorter.count(" ") > 2 and shorter.replace(" ", "") in longer.replace(" ", ""):
        score = max(score, 1 - 0.7 * (1 - len(shorter) / len(longer)))
    return _Mended(score, len(left) + len(right))


def _is_main_title(ours: Prepared, theirs: Prepared) -> bool:
    """Whether one title is the other's without the subtitle."""
    return ours.title == theirs.head or theirs.title == ours.head


def _lacks_subtitle(ours: Prepared, theirs: Prepared) -> bool:
    """The same, where that is no chance: few words, such as "Introduction", need a page in common."""
    return _is_main_title(ours, theirs) and (
        min(ours.title.count(" "), theirs.title.count(" ")) + 1 >= MAIN_TITLE
        or (ours.first_page != "" and ours.first_page == theirs.first_page)
    )


def _take_near(left: list[str], right: list[str]) -> int:
    """Takes out what differs by spelling or spacing ("data base", "database"); how many letters that was."""
    if not left or not right:
        return 0
    before = letters_in(left) + letters_in(right)
    words.take_alike(left, right)
    if left and right and ratio("".join(left), "".join(right)) >= 90:
        left.clear()
        right.clear()
    return (before - letters_in(left) - letters_in(right)) // 2


def _strayed(ours: Prepared, theirs: Prepared) -> frozenset[str]:
    names = [name for person in (*ours.people[:20], *theirs.people[:20]) for name in person]
    texts = [*names, ours.publication, theirs.publication, str(ours.year), str(theirs.year)]
    return _KINDS.union(" ".join(texts).split())
