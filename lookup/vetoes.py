"""Reasons that forbid two records to be the same work, whatever their score."""

from bibfold.records.identifiers import UNIQUE
from bibfold.records.prepare import Prepared
from lookup.compare.identifiers import by_kind
from lookup.evidence import Veto


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
    mine, yours = ours.numerals, theirs.numerals
    if mine == yours:
        return None
    if ours.series != theirs.series and (not ours.series or not theirs.series):
        number = (ours.series or theirs.series)[0]
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
