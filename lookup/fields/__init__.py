"""The fields of records and how each is compared: one module a field."""

from collections.abc import Mapping
from typing import Final

from lookup.fields import identifiers, numbering, people, publications, texts, titles, years
from lookup.pairs import Comparator

COMPARATORS: Final[Mapping[str, Comparator]] = {
    "titles.similar": Comparator(titles.similar, titles.say, titles.TITLE, titles.look),
    "people.similar": Comparator(people.similar, people.say, people.PEOPLE, people.look, dear=True),
    "publications.similar": Comparator(
        publications.similar, publications.say, publications.NAME, publications.look, dear=True
    ),
    "years.close": Comparator(years.close, years.say, years.YEAR),
    "years.near": Comparator(years.near, years.say, years.YEAR),
    "numbering.volume": Comparator(numbering.volume, numbering.say_volume, numbering.VOLUME),
    "numbering.issue": Comparator(numbering.issue, numbering.say_issue, numbering.ISSUE),
    "numbering.pages": Comparator(numbering.pages, numbering.say_pages, numbering.FIRST_PAGE),
    "identifiers.shared": Comparator(identifiers.shared, identifiers.say, identifiers.IDENTIFIERS, identifiers.look),
    **texts.comparators(texts.FOLDED),
}
"""Every comparator by name; those that read texts read them folded."""

CLEANED: Final[Mapping[str, Comparator]] = texts.comparators(texts.CLEANED)
"""The comparators that can read texts in the Mendeley paper's form."""

COMPARATORS_VERSION: Final = 1
"""Part of every profile file; raise it whenever what a comparator finds changes."""


def comparator_of(name: str, text: str = "folded") -> Comparator:
    """The comparator of this name that reads texts in this form."""
    return CLEANED[name] if text == "cleaned" else COMPARATORS[name]
