"""How alike two titles are."""

from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import ratio

from bibfold.records.prepare import Prepared
from bibfold.text import stopwords
from lookup.compare.words import jaccard, take_alike
from lookup.evidence import Finding

ENOUGH_WORDS = 5
"""A title of fewer words than this says less: its weight falls in proportion."""

_STOPWORDS = stopwords("en")
_KINDS = frozenset(
    "abstract panel session tutorial demonstration demo description paper invited talk extended poster keynote "
    "version preliminary award best".split()
)
"""Words by which one source, but not another, tells what kind of contribution a title belongs to."""
_MANY = 16
"""Titles with more unshared words than this are too far apart for spellings to matter."""


def similar(ours: Prepared, theirs: Prepared) -> Finding | None:
    """The share of the titles' words that both hold, weighed by length, near spellings counted as shared.

    Words that only one title holds do not count against it where they name an author, the publication or the
    year of either record: they strayed into the title. A title that is the other's main title, without the
    subtitle, is nearly as good as an equal one. The agreement of long titles counts for more than that of
    short ones.
    """
    one, other = ours.title, theirs.title
    if not one or not other:
        return None
    if one == other or one.replace(" ", "") == other.replace(" ", ""):
        return Finding(1.0, "title: equal", _share(one, 1.0))
    mine, yours = _content(one), _content(other)
    shared = mine & yours
    left = [word for word in one.split() if word in mine and word not in shared]
    right = [word for word in other.split() if word in yours and word not in shared]
    both = _letters(shared)
    if left and right and len(left) + len(right) <= _MANY:
        both += _near(left, right)
    if (left or right) and both:
        stray = _strayed(ours, theirs)
        left = [word for word in left if word not in stray]
        right = [word for word in right if word not in stray]
    score = both / (both + _letters(left) + _letters(right))
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if shorter == (theirs.head if longer is other else ours.head):
        score = max(score, 0.9)
    elif _within(shorter, longer):
        score = max(score, 1 - 0.7 * (1 - len(shorter) / len(longer)))
    reason = f"title: {len(shared)} words shared, {len(left) + len(right)} not"
    return Finding(score, reason, _share(shorter, score))


def words_shared(ours: Prepared, theirs: Prepared) -> Finding | None:
    """Jaccard similarity of the titles' sets of words."""
    return jaccard("title", ours.title, theirs.title)


def letters(ours: Prepared, theirs: Prepared) -> Finding | None:
    """One minus the titles' edit distance in characters over the length of the longer."""
    if not ours.title or not theirs.title:
        return None
    score = Levenshtein.normalized_similarity(ours.title, theirs.title)
    return Finding(score, f"title: {score:.0%} of the letters agree")


def _content(title: str) -> set[str]:
    words = set(title.split())
    return words - _STOPWORDS or words


def _letters(words: set[str] | list[str]) -> int:
    return len("".join(words)) + len(words)


def _near(left: list[str], right: list[str]) -> int:
    """Takes out what differs by spelling or by spacing ("data base", "database"); how many letters that was."""
    before = _letters(left) + _letters(right)
    take_alike(left, right)
    if left and right and ratio("".join(left), "".join(right)) >= 90:
        left.clear()
        right.clear()
    return (before - _letters(left) - _letters(right)) // 2


def _strayed(ours: Prepared, theirs: Prepared) -> frozenset[str]:
    texts = [ours.publication, theirs.publication, str(ours.year), str(theirs.year)]
    for family, given in (*ours.people, *theirs.people):
        texts += (family, given)
    return _KINDS.union(" ".join(texts).split())


def _within(shorter: str, longer: str) -> bool:
    """Whether one title, of more than a few words, stands whole in the other, however the words are spaced."""
    return shorter.count(" ") >= 3 and shorter.replace(" ", "") in longer.replace(" ", "")


def _share(shorter: str, score: float) -> float:
    """More than 1 for long titles that agree, less for short ones; a title that disagrees counts in full."""
    words = shorter.count(" ") + 1
    return 1 - (1 - min(1.4, words / ENOUGH_WORDS)) * score**2
