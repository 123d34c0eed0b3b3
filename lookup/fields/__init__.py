"""The fields of records and how each is compared: one module a field."""

from collections.abc import Mapping
from typing import Final

from lookup.fields import (
    identifiers,
    numbering,
    people,
    person_names,
    place,
    publications,
    texts,
    title_words,
    titles,
    years,
)
from lookup.fields.title_words import silent
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
    "titles.rare_shared": Comparator(title_words.shared, silent, titles.TITLE),
    "titles.rare_contained": Comparator(title_words.contained, silent, titles.TITLE),
    "titles.bare_shared": Comparator(title_words.bare_shared, silent, titles.TITLE),
    "titles.bare_contained": Comparator(title_words.bare_contained, silent, titles.TITLE),
    "titles.telling": Comparator(title_words.telling_shared, silent, titles.TITLE),
    "titles.unshared_less": Comparator(title_words.unshared_less, silent, titles.TITLE),
    "titles.unshared_more": Comparator(title_words.unshared_more, title_words.say_unshared, titles.TITLE),
    "titles.main": Comparator(title_words.main, title_words.say_main, titles.TITLE),
    "titles.bare_letters": Comparator(title_words.letters, silent, titles.TITLE, dear=True),
    "titles.prefix": Comparator(title_words.prefix, silent, titles.TITLE, dear=True),
    "titles.numbers": Comparator(title_words.numbers, title_words.say_numbers, title_words.NUMERALS),
    "people.first": Comparator(person_names.first, person_names.say_first, people.PEOPLE, dear=True),
    "people.given": Comparator(person_names.given, person_names.say_given, people.PEOPLE),
    "people.count": Comparator(person_names.count, silent, people.PEOPLE),
    "people.number": Comparator(person_names.number, silent, people.PEOPLE),
    "people.stated": Comparator(person_names.stated, silent, titles.TITLE, dear=True),
    "numbering.place": Comparator(place.place, place.say_place, numbering.FIRST_PAGE),
    "numbering.near": Comparator(place.page_near, silent, numbering.FIRST_PAGE),
    "abstracts.similar": Comparator(place.abstract, place.say_abstract, place.ABSTRACT),
    "related": Comparator(place.related, silent, titles.TITLE),
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
