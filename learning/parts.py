"""The parts that trees are learnt over: what they ask of a pair, and which of them have no direction."""

from typing import Final

from lookup.profile import Part

RELATED: Final = 0.3
"""Pairs that are related less than this are different: it loses 1 in 180 Scholar pairs and 1 in 23 retitled ones."""

PARTS: Final = (
    Part("related", "related", 0, needed=RELATED),
    Part("title", "titles.similar", 1),
    Part("title.rare_shared", "titles.rare_shared", 1),
    Part("title.rare_contained", "titles.rare_contained", 1),
    Part("title.bare_shared", "titles.bare_shared", 1),
    Part("title.bare_contained", "titles.bare_contained", 1),
    Part("title.telling", "titles.telling", 1),
    Part("title.unshared_less", "titles.unshared_less", 1),
    Part("title.unshared_more", "titles.unshared_more", 1),
    Part("title.main", "titles.main", 1),
    Part("title.letters", "titles.bare_letters", 1),
    Part("title.prefix", "titles.prefix", 1),
    Part("title.numbers", "titles.numbers", 1),
    Part("authors", "people.similar", 1),
    Part("authors.first", "people.first", 1),
    Part("authors.given", "people.given", 1),
    Part("authors.count", "people.count", 1),
    Part("authors.number", "people.number", 1),
    Part("authors.stated", "people.stated", 1),
    Part("publication", "publications.similar", 1),
    Part("year", "years.near", 1),
    Part("volume", "numbering.volume", 1),
    Part("issue", "numbering.issue", 1),
    Part("pages", "numbering.pages", 1),
    Part("pages.place", "numbering.place", 1),
    Part("pages.near", "numbering.near", 1),
    Part("identifier", "identifiers.shared", 1),
    Part("abstract", "abstracts.similar", 1),
)

FREE: Final = frozenset({"titles.telling", "people.count", "people.number"})
"""Comparators of which more is neither for nor against the same work: they say how much the others count."""

DROPPED: Final = (
    (("identifier",), 0.5),
    (("abstract",), 0.6),
    (("year",), 0.15),
    (("publication",), 0.2),
    (("issue",), 0.3),
    (("volume", "pages.place"), 0.1),
    (("pages", "pages.place", "pages.near"), 0.15),
    (("volume", "issue", "pages", "pages.place", "pages.near"), 0.2),
    (("authors", "authors.first", "authors.given", "authors.count", "authors.number", "authors.stated"), 0.1),
    (("authors.given",), 0.1),
)
"""Fields that a copy of an example lacks, and how often: other collections lack other fields than these examples."""
