"""Volume, issue and pages: where in a publication a work stands."""

from operator import attrgetter

import numpy as np

from bibfold.records.columns import Codes
from bibfold.records.prepare import Prepared
from lookup.pairs import Pairs, Scores, scores

VOLUME = Codes(attrgetter("volume"))
ISSUE = Codes(attrgetter("issue"))
FIRST_PAGE = Codes(attrgetter("first_page"))
LAST_PAGE = Codes(attrgetter("last_page"))


def volume(pairs: Pairs) -> Scores:
    """1 for the same volume, else 0."""
    return _equal(pairs, VOLUME)


def issue(pairs: Pairs) -> Scores:
    """1 for the same issue, else 0."""
    return _equal(pairs, ISSUE)


def pages(pairs: Pairs) -> Scores:
    """1 for the same first page, a half where only the last agrees, else 0."""
    first, other_first = pairs.both(FIRST_PAGE)
    last, other_last = pairs.both(LAST_PAGE)
    half = np.where((last == other_last) & (last != 0), 0.5, 0.0)
    return scores(np.where(first == other_first, 1.0, half), (first == 0) | (other_first == 0))


def say_volume(ours: Prepared, theirs: Prepared, score: float) -> str:
    """The two volumes."""
    return _say("volume", ours.volume, theirs.volume)


def say_issue(ours: Prepared, theirs: Prepared, score: float) -> str:
    """The two issues."""
    return _say("issue", ours.issue, theirs.issue)


def say_pages(ours: Prepared, theirs: Prepared, score: float) -> str:
    """The first pages, and the last where they agree."""
    first = _say("first page", ours.first_page, theirs.first_page)
    return f"{first}, last page {ours.last_page}: equal" if score == 0.5 else first


def _equal(pairs: Pairs, column: Codes) -> Scores:
    ours, theirs = pairs.both(column)
    return scores((ours == theirs).astype(np.float64), (ours == 0) | (theirs == 0))


def _say(what: str, ours: str, theirs: str) -> str:
    return f"{what} {ours}: equal" if ours == theirs else f"{what} {ours} against {theirs}"
