"""Whole citations, word by word."""

from lookup.evidence import Evidence
from tests.lookup.examples import finding, prepared

OURS = prepared("Folding proteins fast", authors=("Roe, R", "Doe, Jane"), publication="Nature", year=2003)


def test_words_that_differ() -> None:
    theirs = prepared("Folding proteins slowly", authors=("Roe, R",), publication="Nature Physics", year=2007)
    # of the 9 words "fast" and "2003" are replaced, "doe" and "jane" left out, "physics" added
    assert finding("citations.words", OURS, theirs) == Evidence("x", 1 - 5 / 9, 1.0, "citation: 5 of 9 words differ")


def test_the_order_of_authors_does_not_count() -> None:
    theirs = prepared("Folding proteins fast", authors=("Doe, Jane", "Roe, R"), publication="Nature", year=2003)
    assert finding("citations.words", OURS, theirs) == Evidence("x", 1.0, 1.0, "citation: 0 of 9 words differ")


def test_nothing_at_all_says_nothing() -> None:
    assert finding("citations.words", OURS, prepared(volume="7")) is None
