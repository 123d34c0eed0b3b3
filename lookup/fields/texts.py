"""Titles, publications, author strings and whole citations compared as plain text, folded or cleaned.

*Folded* is bibfold's own form (`bibfold/text.py`). *Cleaned* is that of the Mendeley paper: what is not a letter or a
digit is stripped, the rest is lower case and parted at white space. Nothing else happens to a cleaned text: hyphens and
apostrophes join what they stood between, accents, markup and particles stay, and a subtitle is not part of the title.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from bibfold.records.columns import Bags, Codes, Numbers
from bibfold.records.prepare import Prepared
from lookup.evidence import Finding
from lookup.fields import words
from lookup.pairs import Comparator, Pairs, Scores

TextOf = Callable[[Prepared], str]


class TextForm(NamedTuple):
    """How texts are read from a record: words separated by single spaces; `authors` has a text for each author."""

    title: TextOf
    publication: TextOf
    authors: Callable[[Prepared], Sequence[str]]

    def author_words(self, record: Prepared) -> str:
        """All author strings as one text."""
        return " ".join(self.authors(record)).strip()

    def citation(self, record: Prepared) -> list[str]:
        """The words of title, authors in alphabetical order, publication and year."""
        year = "" if record.year is None else str(record.year)
        return " ".join((self.title(record), *sorted(self.authors(record)), self.publication(record), year)).split()


_STRIPPED = re.compile(r"[^\w\s]|_")


@lru_cache(maxsize=1 << 16)
def clean(text: str) -> str:
    """A text in the Mendeley paper's form."""
    return " ".join(_STRIPPED.sub("", text).lower().split())


FOLDED: Final = TextForm(
    attrgetter("title"),
    attrgetter("publication"),
    lambda record: [f"{family} {given}" for family, given in record.people],
)
CLEANED: Final = TextForm(
    lambda record: clean(record.written_title),
    lambda record: clean(record.written_publication),
    lambda record: [clean(author) for author in record.written_authors],
)


def comparators(form: TextForm) -> Mapping[str, Comparator]:
    """The comparators that read plain texts, by name."""
    return {
        "titles.words_shared": _words_shared("title", "titles' sets of words", form.title),
        "titles.letters": _letters("title", form.title),
        "people.strings": _words_shared("authors", "words in the authors' names", form.author_words),
        "publications.words_shared": _words_shared("publication", "publications' sets of words", form.publication),
        "publications.letters": _letters("publication", form.publication),
        "citations.words": _citations(form),
    }


def _words_shared(field: str, what: str, text_of: TextOf) -> Comparator:
    column = Bags(lambda record: text_of(record).split())

    def compare(pairs: Pairs) -> Scores:
        return words.jaccard(pairs, column)

    compare.__doc__ = f"Jaccard similarity of the {what}."
    return Comparator(compare, words.say_jaccard(field, text_of), Codes(text_of), dear=field != "title")


def _letters(field: str, text_of: TextOf) -> Comparator:
    def compare(pairs: Pairs) -> Scores:
        return words.letters(pairs, text_of)

    compare.__doc__ = f"One minus the {field}s' edit distance in characters over the length of the longer."
    return Comparator(compare, words.say_letters(field), Codes(text_of), dear=field != "title")


def _citations(form: TextForm) -> Comparator:
    length = Numbers(lambda record: len(form.citation(record)))

    def compare(pairs: Pairs) -> Scores:
        """One minus the edit distance, in words, of title, sorted authors, publication and year over the maximum."""
        ours, theirs = pairs.both(length)
        missing = (ours == 0) | (theirs == 0)
        at_best = np.minimum(ours, theirs) / np.maximum(np.maximum(ours, theirs), 1)
        return Scores(at_best, missing, open=~missing)

    def differ(ours: Prepared, theirs: Prepared) -> tuple[int, int]:
        mine, yours = form.citation(ours), form.citation(theirs)
        return Levenshtein.distance(mine, yours), max(len(mine), len(yours))

    def look(ours: Prepared, theirs: Prepared) -> Finding:
        edits, most = differ(ours, theirs)
        return Finding(1 - edits / most)

    def say(ours: Prepared, theirs: Prepared, score: float) -> str:
        edits, most = differ(ours, theirs)
        return f"citation: {edits} of {most} words differ"

    return Comparator(compare, say, length, look, dear=True)
