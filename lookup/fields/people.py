"""How far two records name the same people."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

import numpy as np
from rapidfuzz.distance import OSA

from bibfold.records.columns import (
    Codes,
    Entries,
    Flags,
    Floats,
    ListRows,
    Lists,
    Number,
    Numbers,
    Places,
    found,
)
from bibfold.records.people import Person
from bibfold.records.prepare import Prepared
from lookup.evidence import Finding
from lookup.pairs import Pairs, Scores

FEW: Final = 4
"""In longer lists, names are looked at for slips of the pen only once some family name agrees."""

MOST_DOUBTFUL: Final = 20
"""How many names without an equal family name are looked at for slips of the pen."""

PEOPLE = Codes(attrgetter("people"))
COUNT = Numbers(lambda record: len(record.people))
NAMES = Lists(attrgetter("people"), lambda person: _described(*person))
"""For each person the family name, the first letter of the given names, and the forms of the name, as bits."""

_FAMILY, _INITIAL, _FORMS = range(3)
_HASH_BITS: Final = 40
_HASH: Final = (1 << _HASH_BITS) - 1
_ANY_FORM: Final = (1 << 62) - 1


def similar(pairs: Pairs) -> Scores:
    """The share of the shorter list of authors that the longer also names, initials serving for given names.

    A longer list costs little, since many sources cut theirs short. Several authors who agree say more than one.
    """
    ours, theirs = pairs.both(PEOPLE)
    missing = (ours == 0) | (theirs == 0)
    equal = ours == theirs
    count, other_count = pairs.both(COUNT)
    fewer, more = np.minimum(count, other_count), np.maximum(count, other_count)
    agree = fewer.astype(np.float64)
    unlike = np.flatnonzero(~equal & ~missing)
    open = np.zeros(pairs.size, np.bool_)
    agree[unlike], open[unlike] = _agreeing(pairs.only(unlike), fewer[unlike])
    score = np.where(equal, 1.0, _score(agree, np.maximum(fewer, 1.0), np.maximum(more, 1.0)))
    full = np.select([fewer > 2, fewer == 2], [1.0, 0.8], 0.6)
    return Scores(score, missing, np.where(open, 1.0, _share(full, score)), open)


def look(ours: Prepared, theirs: Prepared) -> Finding:
    """The people that agree, by equal family names first; others may be misspelt, taken for each other or cut."""
    mine, yours = ours.people, theirs.people
    if len(mine) > len(yours):
        mine, yours = yours, mine
    score = 1.0 if mine == yours else _score(_matched_either_way(mine, yours), len(mine), len(yours))
    return Finding(score, _share(1.0 if len(mine) > 2 else 0.8 if len(mine) == 2 else 0.6, score))


def say(ours: Prepared, theirs: Prepared, score: float) -> str:
    """How many of the authors agree."""
    mine, yours = ours.people, theirs.people
    if mine == yours:
        return f"authors: the same {len(mine)}"
    mine, yours = (mine, yours) if len(mine) <= len(yours) else (yours, mine)
    agree = _matched_either_way(mine, yours)
    if agree == len(mine) == len(yours) == 1:
        return f"author {_full_name(mine[0])} and {_full_name(yours[0])}: agree"
    return f"authors: {agree:g} of {len(mine)} and {len(yours)} agree"


def _score(agree: Number, fewer: Number, more: Number) -> Number:
    return agree / fewer * (0.75 + 0.25 * fewer / more)


def _share(full: Number, score: Number) -> Number:
    """How far the weight applies: `full`, by how many they are, to authors who agree, wholly to those who do not."""
    return 1 - (1 - full) * score


def _full_name(person: Person) -> str:
    return f"{person[0]} {person[1]}".strip().title()


def _described(family: str, given: str) -> tuple[int, int, int]:
    """Two names whose forms have no bit in common are not one person's, however misspelt or taken for each other.

    The bit stands for the first letters of family and given name in either order; every bit is set where one is
    missing or the family name has several parts.
    """
    forms = 1 << (ord(family[0]) * 31 ^ ord(given[0]) * 31) % 62 if given and " " not in family else _ANY_FORM
    return hash(family) & _HASH, ord(given[0]) if given else 0, forms


def _agreeing(pairs: Pairs, fewer: Places) -> tuple[Floats, Flags]:
    """How many people agree, and where that is only the most there can be and needs a look.

    Where each family name stands once on either side, equal ones are partners. A person whose family name the other
    side lacks may yet be there, misspelt, if somebody there who is left over has a form in common.
    """
    names = pairs.columns.lists(NAMES)
    ours, theirs = names.entries(pairs.left), names.entries(pairs.right)
    partner = found(
        (ours.owners << _HASH_BITS) + names.numbers(ours, _FAMILY),
        (theirs.owners << _HASH_BITS) + names.numbers(theirs, _FAMILY),
    )
    matched = partner >= 0
    mine, yours = names.numbers(ours, _INITIAL)[matched], names.numbers(theirs, _INITIAL)[partner[matched]]
    owners = ours.owners[matched]
    agree = np.bincount(owners, np.where((mine == yours) | (mine == 0) | (yours == 0), 1.0, 0.5), pairs.size)
    partners = np.bincount(owners, minlength=pairs.size)
    left_over = np.ones(len(theirs.at), np.bool_)
    left_over[partner[matched]] = False
    mistakable = _forms(names, ours, ~matched, pairs.size) & _forms(names, theirs, left_over, pairs.size) != 0
    repeated = names.repeated(pairs.left) | names.repeated(pairs.right)
    open = repeated | (mistakable & (partners < fewer))
    return np.where(repeated, fewer, np.where(open, agree + fewer - partners, agree)), open


def _forms(names: ListRows, entries: Entries, kept: Flags, size: int) -> Places:
    """All forms of the kept names of each pair together."""
    forms = np.zeros(size, np.int64)
    np.bitwise_or.at(forms, entries.owners[kept], names.numbers(entries, _FORMS)[kept])
    return forms


def _matched_either_way(mine: Sequence[Person], yours: Sequence[Person]) -> float:
    agree = _matched(mine, yours)
    if len(mine) == len(yours) and agree < len(mine):
        return max(agree, _matched(yours, mine))
    return agree


def _matched(mine: Sequence[Person], yours: Sequence[Person]) -> float:
    """How many of mine have a partner among yours, each used once; a doubtful one counts a half."""
    left: dict[str, list[str]] = {}
    for family, given in yours:
        left.setdefault(family, []).append(given)
    agree = 0.0
    others = []
    for family, given in mine:
        if left.get(family):
            agree += _take(left[family], given)
        else:
            others.append((family, given))
    if others and (agree or len(mine) < FEW or _swapped(others, left)):
        rest = [(family, given) for family, givens in left.items() for given in givens]
        agree += _misspelt(others[:MOST_DOUBTFUL], rest[:MOST_DOUBTFUL])
    return agree


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
    agree = 0.0
    for person in mine:
        for other in yours:
            if one_person(person, other):
                yours.remove(other)
                agree += 1
                break
    return agree


def one_person(person: Person, other: Person) -> bool:
    """Whether two names with other family names may yet be one person's.

    Family and given name may have been taken for each other, a letter may be wrong, or a part be missing.
    """
    (family, given), (family2, given2) = person, other
    if family == given2 or family2 == given:
        return given[:1] == family2[:1] and family[:1] == given2[:1]
    if given and given2 and given[0] != given2[0]:
        return False
    if family[0] == family2[0] and len(family) > 4 and len(family2) > 4:
        return OSA.distance(family, family2, score_cutoff=1) <= 1
    return family.endswith(f" {family2}") or family2.endswith(f" {family}")
