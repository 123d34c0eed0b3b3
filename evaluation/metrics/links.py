"""How links between two sources compare with the true ones, link by link and record by record."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

Link = tuple[str, str]
"""A left record and a right one."""


class Side(msgspec.Struct, frozen=True):
    """The records of one side: those whose links are just the true ones, and the ways to fall short.

    `wrong`: linked, but to none that is true. `partly`: some links true, but one too many or too few. `missed`:
    has a true link and was not linked at all.
    """

    right: int
    partly: int
    wrong: int
    missed: int


class Linkage(msgspec.Struct, frozen=True):
    """Links that are right, wrong and missed; how the records of each side fared; records in more than one link.

    One to one, a record that is `crowded` is an error by itself; one to many, a left one may be.
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
    ours, theirs = set(found), set(true)
    sides = [(_by(ours, at), _by(theirs, at)) for at in (0, 1)]
    left, right = (_side(*side) for side in sides)
    crowded = [sum(len(others) > 1 for others in side[0].values()) for side in sides]
    return Linkage(len(ours & theirs), len(ours - theirs), len(theirs - ours), left, right, *crowded)


def oriented(links: Iterable[Link], true: Iterable[Link]) -> list[Link]:
    """True links turned the way that the found ones stand: a record that was found on the right stands there."""
    lefts, rights = set[str](), set[str]()
    for one, other in links:
        lefts.add(one)
        rights.add(other)
    return [(b, a) if a in rights or b in lefts else (a, b) for a, b in true]


def _by(links: Iterable[Link], at: int) -> dict[str, set[str]]:
    grouped: dict[str, set[str]] = defaultdict(set)
    for link in links:
        grouped[link[at]].add(link[1 - at])
    return grouped


def _side(found: Mapping[str, set[str]], true: Mapping[str, set[str]]) -> Side:
    right = partly = wrong = 0
    for key, others in found.items():
        wanted = true.get(key, set())
        if others == wanted:
            right += 1
        elif others & wanted:
            partly += 1
        else:
            wrong += 1
    return Side(right, partly, wrong, sum(key not in found for key in true))
