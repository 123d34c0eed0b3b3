"""How far two records name the same people."""

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from bibfold.records.people import Person
from bibfold.records.prepare import Prepared
from lookup.compare.words import jaccard
from lookup.evidence import Finding

FEW = 4
"""In longer lists, names are looked at for slips of the pen only once some family name agrees."""

MOST_DOUBTFUL = 20
"""How many names without an equal family name are looked at for slips of the pen."""


def similar(ours: Prepared, theirs: Prepared) -> Finding | None:
    """The share of the shorter list of authors that the longer also names, initials serving for given names.

    A longer list costs little, since many sources cut theirs short. Several authors who agree say more than one.
    """
    mine, yours = ours.people, theirs.people
    if not mine or not yours:
        return None
    if mine == yours:
        return Finding(1.0, f"authors: the same {len(mine)}", _share(len(mine)))
    if len(mine) > len(yours):
        mine, yours = yours, mine
    found = _matched(mine, yours)
    if len(mine) == len(yours) and found < len(mine):
        found = max(found, _matched(yours, mine))
    score = found / len(mine) * (0.75 + 0.25 * len(mine) / len(yours))
    share = 1 - (1 - _share(len(mine))) * score
    if found == len(mine) == len(yours) == 1:
        return Finding(score, f"author {_name(mine[0])} and {_name(yours[0])}: agree", share)
    return Finding(score, f"authors: {found:g} of {len(mine)} and {len(yours)} agree", share)


def _share(number: int) -> float:
    return 1.0 if number > 2 else 0.8 if number == 2 else 0.6


def _name(person: Person) -> str:
    return f"{person[0]} {person[1]}".strip().title()


def strings(ours: Prepared, theirs: Prepared) -> Finding | None:
    """Jaccard similarity of the words in the authors' names."""
    return jaccard("authors", _text(ours.people), _text(theirs.people))


def _text(people: Sequence[Person]) -> str:
    return " ".join([f"{family} {given}" for family, given in people]).strip()


def _matched(mine: Sequence[Person], yours: Sequence[Person]) -> float:
    """How many of mine have a partner among yours, each used once; a doubtful one counts a half."""
    left: dict[str, list[str]] = {}
    for family, given in yours:
        left.setdefault(family, []).append(given)
    found = 0.0
    others = []
    for family, given in mine:
        if left.get(family):
            found += _take(left[family], given)
        else:
            others.append((family, given))
    if others and (found or len(mine) < FEW or _swapped(others, left)):
        rest = [(family, given) for family, givens in left.items() for given in givens]
        found += _misspelt(others[:MOST_DOUBTFUL], rest[:MOST_DOUBTFUL])
    return found


def _take(givens: list[str], given: str) -> float:
    """Takes the given names that fit best: 1 where initials agree or are unknown, else a half."""
    for at, other in enumerate(givens):
        if not given or not other or given[0] == other[0]:
            del givens[at]
            return 1.0
    del givens[0]
    return 0.5


def _swapped(mine: list[Person], yours: dict[str, list[str]]) -> bool:
    """Whether the families of one list are given names in the other."""
    if not yours.keys().isdisjoint([given for _, given in mine]):
        return True
    return not {family for family, _ in mine}.isdisjoint([given for givens in yours.values() for given in givens])


def _misspelt(mine: list[Person], yours: list[Person]) -> float:
    found = 0.0
    for person in mine:
        for other in yours:
            if one_person(person, other):
                yours.remove(other)
                found += 1
                break
    return found


def one_person(one: Person, other: Person) -> bool:
    """Whether two names with other family names may yet be one person's.

    Family and given name may have been taken for each other, a letter may be wrong, or a part be missing.
    """
    (family, given), (family2, given2) = one, other
    if family == given2 or family2 == given:
        return given[:1] == family2[:1] and family[:1] == given2[:1]
    if given and given2 and given[0] != given2[0]:
        return False
    if family[0] == family2[0] and len(family) > 4 and len(family2) > 4:
        return OSA.distance(family, family2, score_cutoff=1) <= 1
    return family.endswith(f" {family2}") or family2.endswith(f" {family}")
