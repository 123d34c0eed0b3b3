"""The fields of records and how each is compared: one module a field."""

from collections.abc import Mapping
from typing import Final

from lookup.fields import citations, identifiers, numbering, people, publications, titles, years
from lookup.pairs import Comparator

COMPARATORS: Final[Mapping[str, Comparator]] = {
    "titles.similar": Comparator(titles.similar, titles.say, titles.look),
    "titles.words_shared": Comparator(titles.words_shared, titles.say_words_shared),
    "titles.letters": Comparator(titles.letters, titles.say_letters),
    "people.similar": Comparator(people.similar, people.say, people.look, people.PEOPLE),
    "people.strings": Comparator(people.strings, people.say_strings, column=people.PEOPLE),
    "publications.similar": Comparator(publications.similar, publications.say, publications.look, publications.NAME),
    "publications.words_shared": Comparator(
        publications.words_shared, publications.say_words_shared, column=publications.NAME
    ),
    "publications.letters": Comparator(publications.letters, publications.say_letters, column=publications.NAME),
    "years.close": Comparator(years.close, years.say),
    "years.near": Comparator(years.near, years.say),
    "numbering.volume": Comparator(numbering.volume, numbering.say_volume),
    "numbering.issue": Comparator(numbering.issue, numbering.say_issue),
    "numbering.pages": Comparator(numbering.pages, numbering.say_pages),
    "identifiers.shared": Comparator(identifiers.shared, identifiers.say),
    "citations.words": Comparator(citations.words, citations.say, citations.look, citations.LENGTH),
}
"""Every comparator by name."""

COMPARATORS_VERSION: Final = 1
"""Part of every profile file; raise it whenever what a comparator finds changes."""
