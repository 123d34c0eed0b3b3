"""How alike two titles are."""

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import ratio

from bibfold.records.prepare import Prepared
from bibfold.text import stopwords
from lookup.compare.words import jaccard, take_alike
from lookup.evidence import Finding

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


def similar(ours: Prepared, theirs: Prepared) -> Finding | None:
    """The share of the titles' words that both hold, weighed by length, near spellings counted as shared.

    Words that only one title holds do not count against it where they name an author, the publication or the
    year of either record: they strayed into the title. A title that is the other's main title, without the
    subtitle, is nearly as good as an equal one, and one that stands whole in the other is better than its words
    alone. The agreement of long titles counts for more than that of short ones.
    """
    one, other = ours.title, theirs.title
    if not one or not other:
        return None
    if one == other or one.replace(" ", "") == other.replace(" ", ""):
        return Finding(1.0, "title: equal", share(one, other, 1.0))
    (mine, weight), (yours, weight2) = _weighed(one), _weighed(other)
    shared = mine & yours
    both = letters_in(shared)
    score = both / (weight + weight2 - both)
    if score < KINDRED and not _lacks_subtitle(ours, theirs):
        reason = f"title: {len(shared)} words shared, {len(mine) + len(yours) - 2 * len(shared)} not"
        return Finding(score, reason, share(one, other, score))
    return _kindred(ours, theirs, shared, mine ^ yours)


def _kindred(ours: Prepared, theirs: Prepared, shared: frozenset[str], unshared: frozenset[str]) -> Finding:
    """Titles with much in common: spelling, spacing, strayed words and subtitles are allowed for."""
    one, other = ours.title, theirs.title
    left = [word for word in one.split() if word in unshared]
    right = [word for word in other.split() if word in unshared]
    both = letters_in(shared) + _take_near(left, right)
    if left or right:
        stray = _strayed(ours, theirs)
        left = [word for word in left if word not in stray]
        right = [word for word in right if word not in stray]
    score = both / (both + letters_in(left) + letters_in(right))
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if _is_main_title(ours, theirs):
        score = max(score, 0.9)
    elif shorter.count(" ") > 2 and shorter.replace(" ", "") in longer.replace(" ", ""):
        score = max(score, 1 - 0.7 * (1 - len(shorter) / len(longer)))
    reason = f"title: {len(shared)} words shared, {len(left) + len(right)} not"
    if _is_main_title(ours, theirs):
        reason = "title: equal but for the subtitle"
    return Finding(score, reason, share(one, other, score))


def _is_main_title(ours: Prepared, theirs: Prepared) -> bool:
    """Whether one title is the other's without the subtitle."""
    return ours.title == theirs.head or theirs.title == ours.head


def _lacks_subtitle(ours: Prepared, theirs: Prepared) -> bool:
    """The same, where that is no chance: few words, such as "Introduction", need a page in common."""
    return _is_main_title(ours, theirs) and (
        min(ours.title.count(" "), theirs.title.count(" ")) + 1 >= MAIN_TITLE
        or (ours.first_page != "" and ours.first_page == theirs.first_page)
    )


def words_shared(ours: Prepared, theirs: Prepared) -> Finding | None:
    """Jaccard similarity of the titles' sets of words."""
    return jaccard("title", ours.title, theirs.title)


def letters(ours: Prepared, theirs: Prepared) -> Finding | None:
    """One minus the titles' edit distance in characters over the length of the longer."""
    if not ours.title or not theirs.title:
        return None
    score = Levenshtein.normalized_similarity(ours.title, theirs.title)
    return Finding(score, f"title: {score:.0%} of the letters agree")


@lru_cache(maxsize=1 << 13)
def _weighed(title: str) -> tuple[frozenset[str], int]:
    """The words that tell a title from others, and their weight: all but the small ones, unless it has no others."""
    words = frozenset(title.split())
    words = words - SMALL_WORDS or words
    return words, letters_in(words)


def letters_in(words: Collection[str]) -> int:
    """How much words weigh: their letters, and one for each word."""
    return len("".join(words)) + len(words)


def share(one: str, other: str, score: float) -> float:
    """How far the weight applies: fully to long titles that agree, less to short ones, 0.7 to those that do not."""
    words = min(one.count(" "), other.count(" ")) + 1
    return 0.7 + (min(1.0, words / LONG) - 0.7) * score * score


def _take_near(left: list[str], right: list[str]) -> int:
    """Takes out what differs by spelling or spacing ("data base", "database"); how many letters that was."""
    if not left or not right:
        return 0
    before = letters_in(left) + letters_in(right)
    take_alike(left, right)
    if left and right and ratio("".join(left), "".join(right)) >= 90:
        left.clear()
        right.clear()
    return (before - letters_in(left) - letters_in(right)) // 2


def _strayed(ours: Prepared, theirs: Prepared) -> frozenset[str]:
    names = [name for person in (*ours.people[:20], *theirs.people[:20]) for name in person]
    texts = [*names, ours.publication, theirs.publication, str(ours.year), str(theirs.year)]
    return _KINDS.union(" ".join(texts).split())
