"""Identifiers that name no work, since many different titles share them."""

from collections.abc import Iterable
from typing import Final

from rapidfuzz.distance import Levenshtein

GENERIC: Final = 5
"""An identifier that more different titles than this share names no work and proposes nothing."""

ALIKE: Final = 0.8
"""Titles that agree in so many of the characters of the longer count as one."""


def is_generic(titles: Iterable[str]) -> bool:
    """Whether an identifier that these titles share is generic; similar titles count once."""
    return len(leaders(dict.fromkeys(titles), GENERIC + 1)) > GENERIC


def leaders(titles: Iterable[str], most: int | None = None, least: float = ALIKE) -> list[str]:
    """The titles that are like none of the earlier ones, at most `most`."""
    found: list[str] = []
    for title in titles:
        if not any(alike(title, leader, least) for leader in found):
            found.append(title)
            if len(found) == most:
                break
    return found


def alike(first: str, second: str, least: float = ALIKE) -> bool:
    """Whether two texts agree in at least this share of the characters of the longer."""
    most = int(max(len(first), len(second)) * (1 - least) + 1e-9)
    return Levenshtein.distance(first, second, score_cutoff=most) <= most
