"""Checks whether records that share an identifier are one work, as the paper checks users' documents."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from rapidfuzz.distance import Levenshtein

from bibfold.records.prepare import Prepared
from bibfold.text import stopwords
from lookup.retrieve import GENERIC

ALIKE = 5
"""Two signatures or titles count as alike up to one edit in so many characters: at 80 % similarity."""

MOST_COMPARED = 200
"""Only so many of the most frequent signatures are considered as the reference."""


class Signed(Protocol):
    """A record with a folded title and a signature."""

    @property
    def title(self) -> str: ...
    @property
    def signature(self) -> str: ...


def keywords(title: str) -> list[str]:
    """The words of a folded title without the stopwords; all of them where it has no others."""
    words = title.split()
    return [word for word in words if word not in stopwords("en")] or words


def signature(record: Prepared) -> str:
    """The title's keywords and the last word of the first author's family name."""
    family = record.people[0][0].split()[-1:] if record.people and record.people[0][0] else []
    return " ".join([*keywords(record.title), *family])


def alike(first: str, second: str) -> bool:
    """Whether two texts agree in at least 80 % of the characters of the longer."""
    most = max(len(first), len(second)) // ALIKE
    return Levenshtein.distance(first, second, score_cutoff=most) <= most


def by_signature(group: Sequence[Signed]) -> list[bool]:
    """Which members have a signature like the group's reference; a member without a title has none.

    The paper compares users' records with the source's own. Where that is not known, the reference is the medoid, the
    signature nearest to all others: a wrong or empty record is far from most others, while the most complete record
    may be far from all.
    """
    signatures = [member.signature if member.title else "" for member in group]
    middle = _medoid(Counter(text for text in signatures if text))
    return [bool(text) and alike(text, middle) for text in signatures]


def by_majority(group: Sequence[Signed]) -> list[bool]:
    """Which members have the title of the group's majority, as the paper does for files.

    The first title is grouped with all that are at least 80 % like it, then the first of the rest, and so on. If the
    largest of these groups is no majority, no member is kept.
    """
    titles = [member.title for member in group]
    leaders = _leaders(titles)
    led = [next(leader for leader in leaders if alike(title, leader)) for title in titles]
    largest, size = Counter(led).most_common(1)[0]
    return [2 * size > len(group) and leader == largest and bool(leader) for leader in led]


def generic(titles: Iterable[str]) -> bool:
    """Whether an identifier names no work, since many different titles share it; similar titles count once."""
    return len(_leaders(dict.fromkeys(titles), most=GENERIC + 1)) > GENERIC


def _leaders(titles: Iterable[str], most: int | None = None) -> list[str]:
    """The titles that are like none of the earlier ones, at most `most`."""
    found: list[str] = []
    for title in titles:
        if not any(alike(title, leader) for leader in found):
            found.append(title)
            if len(found) == most:
                break
    return found


def _medoid(counted: Counter[str]) -> str:
    common = counted.most_common(MOST_COMPARED)
    if len(common) < 3:
        return common[0][0] if common else ""
    return max(
        (text for text, _ in common),
        key=lambda text: sum(Levenshtein.normalized_similarity(text, second) * times for second, times in common),
    )
