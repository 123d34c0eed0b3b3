"""The fields of records and how each is compared: one module a field."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Final

from lookup.fields import citations, identifiers, numbering, people, publications, titles, words, years
from lookup.pairs import Comparator

COMPARATORS: Final[Mapping[str, Comparator]] = {
    "titles.similar": Comparator(titles.similar, titles.say, titles.TITLE, titles.look),
    "titles.words_shared": Comparator(
        titles.words_shared, words.say_jaccard("title", attrgetter("title")), titles.TITLE
    ),
    "titles.letters": Comparator(titles.letters, words.say_letters("title"), titles.TITLE),
    "people.similar": Comparator(people.similar, people.say, people.PEOPLE, people.look, dear=True),
    "people.strings": Comparator(people.strings, words.say_jaccard("authors", people.text), people.PEOPLE, dear=True),
    "publications.similar": Comparator(
        publications.similar, publications.say, publications.NAME, publications.look, dear=True
    ),
    "publications.words_shared": Comparator(
        publications.words_shared,
        words.say_jaccard("publication", attrgetter("publication")),
        publications.NAME,
        dear=True,
    ),
    "publications.letters": Comparator(
        publications.letters, words.say_letters("publication"), publications.NAME, dear=True
    ),
    "years.close": Comparator(years.close, years.say, years.YEAR),
    "years.near": Comparator(years.near, years.say, years.YEAR),
    "numbering.volume": Comparator(numbering.volume, numbering.say_volume, numbering.VOLUME),
    "numbering.issue": Comparator(numbering.issue, numbering.say_issue, numbering.ISSUE),
    "numbering.pages": Comparator(numbering.pages, numbering.say_pages, numbering.FIRST_PAGE),
    "identifiers.shared": Comparator(identifiers.shared, identifiers.say, identifiers.IDENTIFIERS, identifiers.look),
    "citations.words": Comparator(citations.words, citations.say, citations.LENGTH, citations.look, dear=True),
}
"""Every comparator by name."""

COMPARATORS_VERSION: Final = 1
"""Part of every profile file; raise it whenever what a comparator finds changes."""
