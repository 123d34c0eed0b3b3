"""Cautions about titles that are nearly equal and mean two works: a word that turns the sense, another order."""

from collections.abc import Sequence
from typing import Final

from bibfold.records.prepare import Prepared
from lookup.evidence import FindingsByField, Veto
from lookup.fields.titles import telling
from lookup.fields.words import alike, take_alike

_OPPOSITES: Final = tuple(
    frozenset(words.split())
    for words in (
        "men women male female males females boys girls",
        "children adults adolescents elderly infants neonates adult pediatric paediatric",
        "increase decrease increased decreased increases decreases",
        "high low higher lower",
        "before after during",
        "early late",
        "left right",
        "acute chronic",
        "positive negative",
        "mother father mothers fathers maternal paternal",
        "upper lower",
        "north south east west northern southern eastern western",
        "type1 type2",
    )
)
"""Words of which each title holds another: then the two speak of different things."""

_TURNING: Final = frozenset(
    "not no non without never nor cannot re reply replies rejoinder protocol rationale comment comments commentary "
    "corrigendum erratum retraction retracted withdrawn addendum correspondence follow followup extension".split()
)
"""Words that only one of two titles holds where these are two works, or a work and what speaks of it."""

_ORDERED: Final = 3
"""A title of fewer telling words may be put in another order."""


def sense_turned(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """A word in one title alone that turns its sense ("not", "reply", "protocol"), or opposites ("men", "women")."""
    if ours.title == theirs.title or _placed_alike(findings):
        return None
    left, right = _unshared(ours, theirs)
    for word in (*left, *right):
        if word in _TURNING:
            return Veto(f"“{word}” in one title alone", "unsure")
    for words in _OPPOSITES:
        for word in words.intersection(left):
            for other in words.intersection(right):
                if word.rstrip("s") != other.rstrip("s"):
                    return Veto(f"“{word}” in one title, “{other}” in the other", "unsure")
    return None


def order_turned(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """The same words in another order: "insulin on diabetes", "diabetes on insulin"."""
    if ours.bare == theirs.bare or _placed_alike(findings):
        return None
    mine, yours = telling(ours.bare.split()), telling(theirs.bare.split())
    if len(mine) < _ORDERED or mine == yours or sorted(mine) != sorted(yours) or _turned(mine, yours):
        return None
    return Veto("the same words in another order", "unsure")


def another_word(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """Each title has a telling word that the other lacks, and neither authors, pages nor identifiers bear them out."""
    if ours.bare == theirs.bare or "authors" in findings or _placed_alike(findings):
        return None
    left, right = ([word for word in side if word in telling(side)] for side in _unshared(ours, theirs))
    take_alike(left, right)
    if not left or not right or alike("".join(left), "".join(right)):
        return None
    return Veto(f"“{left[0]}” against “{right[0]}” and no author to compare", "unsure")


def other_people(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """None of the authors agrees, no name of theirs stands in the other record, and no page or identifier agrees."""
    authors, stated = findings.get("authors"), findings.get("authors.stated")
    if authors is None or authors.score >= 0.2 or (stated is not None and stated.score >= 0.5):
        return None
    return None if _placed_alike(findings) else Veto("other authors", "unsure")


def long_after(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """Five years or more lie between the two, and no page or identifier is common to them: written anew."""
    if not ours.year or not theirs.year or abs(ours.year - theirs.year) < 5 or _placed_alike(findings):
        return None
    return Veto(f"{ours.year} and {theirs.year}", "unsure")


def same_volume(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """One journal and volume, but another first page or another issue: a column that comes back.

    Numbering of another kind ("S27" and "27", an article number) tells nothing.
    """
    publication, pages = findings.get("publication"), findings.get("pages")
    if "identifier" in findings or not ours.volume or ours.volume != theirs.volume:
        return None
    if publication is None or publication.score < 0.8:
        return None
    if pages is not None and pages.score == 0 and _one_kind(ours.first_page, theirs.first_page):
        if not _typo(ours.first_page, theirs.first_page):
            return Veto(f"pages {ours.first_page} and {theirs.first_page} of volume {ours.volume}", "unsure")
    elif pages is None and _one_kind(ours.issue, theirs.issue) and ours.issue != theirs.issue:
        return Veto(f"issues {ours.issue} and {theirs.issue} of volume {ours.volume}", "unsure")
    return None


def _placed_alike(findings: FindingsByField) -> bool:
    """Whether an identifier or the first page agrees."""
    pages = findings.get("pages")
    return "identifier" in findings or (pages is not None and pages.score == 1)


def _unshared(ours: Prepared, theirs: Prepared) -> tuple[list[str], list[str]]:
    mine, yours = ours.bare.split(), theirs.bare.split()
    return [word for word in mine if word not in yours], [word for word in yours if word not in mine]


def _turned(mine: Sequence[str], yours: Sequence[str]) -> bool:
    """Whether the end of one stands before its beginning in the other: a title with its parts exchanged."""
    return any([*mine[at:], *mine[:at]] == [*yours] for at in range(3, len(mine) - 2))


def _one_kind(mine: str, yours: str) -> bool:
    return mine.isdigit() and yours.isdigit() and abs(len(mine) - len(yours)) < 2


def _typo(mine: str, yours: str) -> bool:
    """Whether two page numbers differ by a slip: one digit, or two exchanged."""
    return len(mine) == len(yours) > 2 and (
        sum(a != b for a, b in zip(mine, yours, strict=True)) == 1 or sorted(mine) == sorted(yours)
    )
