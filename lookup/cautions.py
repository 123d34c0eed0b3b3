"""Reasons to leave a pair to a person, however good its score: each lowers `same` to `unsure`."""

from collections.abc import Callable, Mapping
from typing import Final

from bibfold.records.numerals import numerals
from bibfold.records.prepare import Prepared
from lookup import senses
from lookup.evidence import Finding, FindingsByField, Veto

Caution = Callable[[Prepared, Prepared, FindingsByField], Veto | None]
"""Looks at the evidence of one pair as a whole and says why a good score should not yet be believed."""

FEW_WORDS: Final = 3
"""Titles of no more words than this recur: "Preface", "Editorial", "Book review column"."""


def untitled(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """One record has no title, so that only authors and numbers speak."""
    if "title" in findings or "identifier" in findings:
        return None
    return Veto("no title to compare", "unsure")


def title_alone(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """Nothing but the titles can be compared, and they are short or not equal."""
    if len(findings) > 1 or "title" not in findings:
        return None
    if findings["title"].score >= 0.95 and ours.title.count(" ") >= FEW_WORDS:
        return None
    return Veto("nothing but the title to compare", "unsure")


def short_title(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """A title of few words, with no author to compare and no page in common, is likely another column's."""
    if "authors" in findings or "identifier" in findings or _agrees(findings.get("pages")):
        return None
    if min(ours.title.count(" "), theirs.title.count(" ")) >= FEW_WORDS:
        return None
    return Veto("a short title and no author to compare", "unsure")


def recurring(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """A title of few words in another year, with no page in common: a column that comes back each time."""
    if "identifier" in findings or _agrees(findings.get("pages")) or ours.year == theirs.year:
        return None
    if not ours.year or not theirs.year or min(ours.title.count(" "), theirs.title.count(" ")) > FEW_WORDS:
        return None
    return Veto(f"a short title in {ours.year} and {theirs.year}", "unsure")


def elsewhere(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """Two of publication, volume, pages and year disagree: an abstract and its article, or a reprint."""
    if "identifier" in findings or _agrees(findings.get("pages")):
        return None
    apart = [
        field
        for field in ("publication", "volume", "pages", "year")
        if (finding := findings.get(field)) is not None and finding.score < 0.35 and finding.share > 0.5
    ]
    if len(apart) < 2:
        return None
    return Veto(f"appeared elsewhere: {' and '.join(apart)} differ", "unsure")


def another_edition(ours: Prepared, theirs: Prepared, findings: FindingsByField) -> Veto | None:
    """Books, or what else has no publication around it, of another edition, publisher, ISBN or year."""
    if "identifier" in findings or ours.publication or theirs.publication:
        return None
    apart = []
    if _disjoint(_numbers(ours.edition), _numbers(theirs.edition)):
        apart.append("edition")
    if _disjoint(_house(ours.publisher), _house(theirs.publisher)):
        apart.append("publisher")
    if _disjoint(_isbns(ours), _isbns(theirs)):
        apart.append("ISBN")
    if ours.year and theirs.year and ours.year != theirs.year:
        apart.append("year")
    return Veto(f"another edition: {' and '.join(apart)} differ", "unsure") if apart else None


_HOUSES = frozenset((
    "press", "university", "univ", "books", "publishing", "publishers", "publisher", "verlag", "pub", "co",
    "inc", "ltd", "company", "sons", "group", "the", "and", "of", "editions", "house", "de", "s", "n",
))  # fmt: skip
"""Words that many publishers' names share."""


def _house(publisher: str) -> set[str]:
    words = set(publisher.split())
    return words - _HOUSES or words


def _numbers(edition: str) -> set[str]:
    return set(numerals(edition.split())[0]) if edition else set()


def _isbns(record: Prepared) -> set[str]:
    return {value for kind, value in record.identifiers if kind == "isbn"}


def _disjoint(ours: set[str], theirs: set[str]) -> bool:
    return bool(ours and theirs and ours.isdisjoint(theirs))


def _agrees(finding: Finding | None) -> bool:
    return finding is not None and finding.score == 1


CAUTIONS: Final[Mapping[str, Caution]] = {
    "untitled": untitled,
    "title_alone": title_alone,
    "short_title": short_title,
    "recurring": recurring,
    "elsewhere": elsewhere,
    "another_edition": another_edition,
    "sense_turned": senses.sense_turned,
    "order_turned": senses.order_turned,
    "another_word": senses.another_word,
    "other_people": senses.other_people,
    "long_after": senses.long_after,
    "same_volume": senses.same_volume,
}
"""Every caution by name."""
