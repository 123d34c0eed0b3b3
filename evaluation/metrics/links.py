"""Compares links between two sources with the true ones, by link and by record."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

Link = tuple[str, str]
"""A left record and a right one."""


class Side(msgspec.Struct, frozen=True):
    """The numbers of records of one side by the quality of their links.

    `right`: linked exactly as in the truth. `partly`: some links are true, but some are wrong or missing. `wrong`: no
    link is true. `missed`: not linked at all, although the truth has a link.
    """

    right: int
    partly: int
    wrong: int
    missed: int


class Linkage(msgspec.Struct, frozen=True):
    """The numbers of right, wrong and missed links, of records by side, and of records with several links.

    In a link one to one, any record with several links (`crowded`) is an error; one to many, left records may have
    several.
    """

    right: int
    wrong: int
    missed: int
    left_records: Side
    right_records: Side
    crowded_left: int
    crowded_right: int


def linkage(found: Iterable[Link], true: Iterable[Link]) -> Linkage:
    """Count links, and records by how they were linked."""
    found_links, true_links = set(found), set(true)
    sides = [(_by(found_links, at), _by(true_links, at)) for at in (0, 1)]
    left, right = (_side(*side) for side in sides)
    crowded = [sum(len(linked) > 1 for linked in side[0].values()) for side in sides]
    return Linkage(
        len(found_links & true_links),
        len(found_links - true_links),
        len(true_links - found_links),
        left,
        right,
        *crowded,
    )


def oriented(links: Iterable[Link], true: Iterable[Link]) -> list[Link]:
    """True links in the orientation of the found ones: records that were found on the right come second."""
    lefts, rights = set[str](), set[str]()
    for left, right in links:
        lefts.add(left)
        rights.add(right)
    return [(b, a) if a in rights or b in lefts else (a, b) for a, b in true]


def _by(links: Iterable[Link], at: int) -> dict[str, set[str]]:
    grouped: dict[str, set[str]] = defaultdict(set)
    for link in links:
        grouped[link[at]].add(link[1 - at])
    return grouped


def _side(found: Mapping[str, set[str]], true: Mapping[str, set[str]]) -> Side:
    right = partly = wrong = 0
    for key, linked in found.items():
        expected = true.get(key, set())
        if linked == expected:
            right += 1
        elif linked & expected:
            partly += 1
        else:
            wrong += 1
    return Side(right, partly, wrong, sum(key not in found for key in true))
