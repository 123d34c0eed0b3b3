"""Where in a publication a work stands, taken together, and how an abstract begins."""

from operator import attrgetter

import numpy as np

from bibfold.records.columns import Bags, Codes, Numbers
from bibfold.records.prepare import Prepared
from bibfold.text import fold
from lookup.fields import identifiers, title_words, words
from lookup.fields.numbering import FIRST_PAGE, VOLUME
from lookup.fields.people import PEOPLE
from lookup.fields.titles import TITLE
from lookup.pairs import Pairs, Scores


def _digits(text: str) -> int:
    return int(text) + 1 if text.isdigit() and len(text) < 9 else 0


PAGE_NUMBER = Numbers(lambda record: _digits(record.first_page))
ABSTRACT = Codes(attrgetter("abstract"))
ABSTRACT_WORDS = Bags(lambda record: fold(record.abstract).split())


def place(pairs: Pairs) -> Scores:
    """1 for the same volume and first page, 0.5 for the page alone, 0.2 for the volume alone, 0 for neither."""
    volume, other_volume = pairs.both(VOLUME)
    page, other_page = pairs.both(FIRST_PAGE)
    missing = (volume == 0) | (other_volume == 0) | (page == 0) | (other_page == 0)
    same_volume, same_page = volume == other_volume, page == other_page
    score = np.select([same_volume & same_page, same_page, same_volume], [1.0, 0.5, 0.2], 0.0)
    return Scores(score, missing)


def say_place(ours: Prepared, theirs: Prepared, score: float) -> str:
    """What volume and first page, taken together, tell."""
    said = {1.0: "the same volume and first page", 0.2: "another first page in the same volume"}
    return said.get(score, "another place in the publication")


def page_near(pairs: Pairs) -> Scores:
    """1 / (1 + d/10) for first pages that are d apart."""
    ours, theirs = pairs.both(PAGE_NUMBER)
    return Scores(1 / (1 + np.abs(ours - theirs) / 10), (ours == 0) | (theirs == 0))


def abstract(pairs: Pairs) -> Scores:
    """Jaccard similarity of the words with which the abstracts begin."""
    return words.jaccard(pairs, ABSTRACT_WORDS)


def say_abstract(ours: Prepared, theirs: Prepared, score: float) -> str:
    """How far the abstracts begin alike."""
    return f"abstract: {score:.0%} of the first words shared"


def related(pairs: Pairs) -> Scores:
    """1 for a shared identifier or the same volume and page, else the share of the shorter title that the other holds.

    Equal lists of authors add a fifth. What is below the need of this part is not looked at any further.
    """
    held = np.maximum(title_words.contained(pairs).score, title_words.bare_contained(pairs).score)
    people, other_people = pairs.both(PEOPLE)
    named = ~identifiers.shared(pairs).missing
    here = place(pairs)
    title, other_title = pairs.both(TITLE)
    certain = named | ((here.score == 1) & ~here.missing)
    score = np.where(certain, 1.0, np.minimum(held + 0.2 * ((people == other_people) & (people != 0)), 1.0))
    return Scores(score, ((title == 0) | (other_title == 0)) & ~certain)
