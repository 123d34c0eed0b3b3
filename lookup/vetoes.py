"""Reasons that forbid two records to be the same work, whatever their score."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Final, NamedTuple

import msgspec
import numpy as np

from bibfold.records.columns import Codes, Flags, Numbers
from bibfold.records.identifiers import UNIQUE
from bibfold.records.prepare import UNIQUE_ORDER, Prepared
from lookup.evidence import Veto
from lookup.fields.identifiers import by_kind
from lookup.pairs import Pairs

Numerals = tuple[str, ...]


class Suspects(NamedTuple):
    """Pairs that a rule makes `different` for certain, and those that it has yet to look at one by one."""

    certain: Flags
    open: Flags


class VetoRule(msgspec.Struct, frozen=True):
    """A rule: which pairs of a batch it may concern, and what it says of one pair.

    It looks at two records alone, so that it can be asked of every member of a cluster. The docstring of `look` is
    what `bibfold profiles` prints.
    """

    suspects: Callable[[Pairs], Suspects]
    look: Callable[[Prepared, Prepared], Veto | None]


def identifiers_differ(ours: Prepared, theirs: Prepared) -> Veto | None:
    """Different DOIs, arXiv numbers, PMIDs or PMCIDs: each names one work."""
    if not ours.identifiers or not theirs.identifiers:
        return None
    mine, yours = by_kind(ours), by_kind(theirs)
    for kind in sorted(UNIQUE & mine.keys() & yours.keys()):
        if mine[kind].isdisjoint(yours[kind]):
            return Veto(f"{kind} {min(mine[kind])} against {min(yours[kind])}")
    return None


def numerals_differ(ours: Prepared, theirs: Prepared) -> Veto | None:
    """Different numbers in the titles: "Part 1" and "Part 2", "16th Workshop" and "17th Workshop"."""
    return _numbers_differ(ours.numerals, theirs.numerals, ours.series, theirs.series)


def bare_numerals_differ(ours: Prepared, theirs: Prepared) -> Veto | None:
    """Different numbers in the titles, those of series, edition and volume notes left out: "Part 1" and "Part 2"."""
    (mine, my_series), (yours, your_series) = ours.bare_numbers, theirs.bare_numbers
    return _numbers_differ(mine, yours, my_series, your_series)


def _numbers_differ(mine: Numerals, yours: Numerals, series: Numerals, other_series: Numerals) -> Veto | None:
    if mine == yours:
        return None
    if series != other_series and (not series or not other_series):
        number = (series or other_series)[0]
        if mine.count(number) != yours.count(number):
            return Veto(f"number {number} in one title alone", "unsure")
    if not mine or not yours or set(mine) <= set(yours) or set(yours) <= set(mine):
        return None
    return Veto(f"numbers in the titles: {' '.join(mine)} against {' '.join(yours)}")


def notice_differs(ours: Prepared, theirs: Prepared) -> Veto | None:
    """An erratum, a reply, a comment or a retraction against the article that it speaks of."""
    if ours.notice == theirs.notice:
        return None
    return Veto(f"{ours.notice or 'article'} against {theirs.notice or 'article'}")


MARKS = [Numbers(lambda record, place=place: record.marks[place]) for place in UNIQUE_ORDER.values()]  # type: ignore[misc]
NUMERALS = Codes(attrgetter("numerals"))
BARE_NUMERALS = Codes(lambda record: record.bare_numbers[0])
NOTICE = Codes(attrgetter("notice"))


def _identifiers_suspects(pairs: Pairs) -> Suspects:
    """By their marks: two that differ are two identifiers; a look is for equal ones and for several of a kind."""
    certain, open = np.zeros(pairs.size, np.bool_), np.zeros(pairs.size, np.bool_)
    for mark in MARKS:
        ours, theirs = pairs.both(mark)
        both = (ours != 0) & (theirs != 0)
        if both.any():
            differ = both & (ours != theirs) & (ours > 0) & (theirs > 0)
            certain |= differ
            open |= both & ~differ
    return Suspects(certain, open & ~certain)


def _numerals_suspects(pairs: Pairs) -> Suspects:
    ours, theirs = pairs.both(NUMERALS)
    return Suspects(np.zeros(pairs.size, np.bool_), ours != theirs)


def _bare_numerals_suspects(pairs: Pairs) -> Suspects:
    ours, theirs = pairs.both(BARE_NUMERALS)
    return Suspects(np.zeros(pairs.size, np.bool_), ours != theirs)


def _notice_suspects(pairs: Pairs) -> Suspects:
    ours, theirs = pairs.both(NOTICE)
    return Suspects(ours != theirs, np.zeros(pairs.size, np.bool_))


VETOES: Final[Mapping[str, VetoRule]] = {
    "identifiers_differ": VetoRule(_identifiers_suspects, identifiers_differ),
    "numerals_differ": VetoRule(_numerals_suspects, numerals_differ),
    "bare_numerals_differ": VetoRule(_bare_numerals_suspects, bare_numerals_differ),
    "notice_differs": VetoRule(_notice_suspects, notice_differs),
}
"""Every veto by name."""
