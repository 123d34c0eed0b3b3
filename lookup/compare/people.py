"""How far two records name the same people."""

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from bibfold.records.people import Person
from bibfold.records.prepare import Prepared
from lookup.compare.words import jaccard
from lookup.evidence import Finding


def similar(ours: Prepared, theirs: Prepared) -> Finding | None:
    """The share of the shorter list of authors that the longer also names, initials serving for given names.

    A longer list costs little, since many sources cut theirs short.
    """
    mine, yours = ours.people, theirs.people
    if not mine or not yours:
        return None
    if mine == yours:
        return Finding(1.0, f"authors: the same {len(mine)}", _share(len(mine)))
    if len(mine) > len(yours):
        mine, yours = yours, mine
    found = _matched(mine, yours)
    score = found / len(mine) * (0.75 + 0.25 * len(mine) / len(yours))
    share = 1 - (1 - _share(len(mine))) * score
    return Finding(score, f"authors: {found:g} of {len(mine)} and {len(yours)} agree", share)


def _share(number: int) -> float:
    """Several authors who agree say more than one."""
    return 1.0 if number > 2 else 0.85 if number == 2 else 0.7


def strings(ours: Prepared, theirs: Prepared) -> Finding | None:
    """Jaccard similarity of the words in the authors' names."""
    return jaccard("authors", _text(ours.people), _text(theirs.people))


def _text(people: Sequence[Person]) -> str:
    return " ".join([f"{family} {given}" for family, given in people]).strip()


def _matched(mine: Sequence[Person], yours: Sequence[Person]) -> float:
    """How many of mine have a partner among yours, each used once; a doubtful one counts a half."""
    left = list(yours)
    found = 0.0
    for person in mine:
        best, place = 0.0, -1
        for at, other in enumerate(left):
            degree = one_person(person, other)
            if degree > best:
                best, place = degree, at
                if degree == 1:
                    break
        if best:
            del left[place]
            found += best
    return found


def one_person(one: Person, other: Person) -> float:
    """How well two names may be one person's: 1, or a half where only the family name agrees, or 0."""
    (family, given), (family2, given2) = one, other
    if family == family2:
        return 1.0 if not given or not given2 or given[0] == given2[0] else 0.5
    if not family or not family2:
        return 0.0
    if given and given2 and (family == given2 or given == family2):
        return 1.0 if family[0] == given2[0] and given[0] == family2[0] else 0.0
    if given and given2 and given[0] != given2[0]:
        return 0.0
    return _near(family, family2)


def _near(one: str, other: str) -> float:
    """Whether family names differ by a slip of the pen, or one is the other's last part."""
    if len(one) > 4 and len(other) > 4 and (one[0] == other[0] or len(one) > 6):
        return float(OSA.distance(one, other, score_cutoff=1) <= 1)
    return float(one.endswith(f" {other}") or other.endswith(f" {one}"))
