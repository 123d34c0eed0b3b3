"""What is never the same work, and what only looks like it."""

import pytest

from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from lookup import vetoes


def _record(title="", **identifiers):
    given = {kind: (value,) if isinstance(value, str) else value for kind, value in identifiers.items()}
    return prepare(Record(source="x", id="1", title=title, identifiers=given))


def _at_most(veto):
    return veto and veto.at_most


@pytest.mark.parametrize(
    ("one", "other", "vetoed"),
    [
        ({"doi": "10.1000/1"}, {"doi": "10.1000/2"}, True),
        ({"doi": "https://doi.org/10.1000/A"}, {"doi": "10.1000/a"}, False),
        ({"doi": ("10.1000/1", "10.1000/2")}, {"doi": "10.1000/2"}, False),
        ({"doi": "10.1000/1"}, {"pmid": "17"}, False),
        ({"arxiv": "1201.1393v2"}, {"doi": "10.48550/arXiv.1201.1393"}, False),
        ({"doi": "NA"}, {"doi": "10.1000/2"}, False),
        ({"isbn": "0140434267"}, {"isbn": "0141439513"}, False),
        ({"doi": "10.1000/1", "pmid": "1"}, {"doi": "10.1000/1", "pmid": "2"}, True),
    ],
)
def test_identifiers(one, other, vetoed):
    assert bool(vetoes.identifiers_differ(_record(**one), _record(**other))) is vetoed


@pytest.mark.parametrize(
    ("one", "other", "at_most"),
    [
        ("Zeta functions, part 1", "Zeta functions, part 2", "different"),
        ("Zeta functions, part two", "Zeta functions, Part II", None),
        ("The 16th workshop", "The 17th workshop", "different"),
        ("The sixteenth workshop", "The 16th workshop", None),
        ("Zeta functions", "Zeta functions II", "unsure"),
        ("Getting started", "Getting started in 2018", None),
        ("One-to-one maps", "Oneto-one maps", None),
        ("HPV 16 and 18", "HPV-16 and HPV-18", None),
        ("Trends from 1990 to 2000", "Trends from 1990 to 2010", "different"),
    ],
)
def test_numerals(one, other, at_most):
    for ours, theirs in ((one, other), (other, one)):
        assert _at_most(vetoes.numerals_differ(_record(ours), _record(theirs))) == at_most


@pytest.mark.parametrize(
    ("one", "other", "vetoed"),
    [
        ("Erratum: Folding fast", "Folding fast", True),
        ("Reply to Folding fast", "Comment on Folding fast", True),
        ("Folding fast: authors' reply", "Folding fast", True),
        ("Retraction notice to Folding fast", "Folding fast", True),
        ("RETRACTED: Folding fast", "Folding fast", False),
        ("Response surfaces", "Response surfaces", False),
    ],
)
def test_notices(one, other, vetoed):
    assert bool(vetoes.notice_differs(_record(one), _record(other))) is vetoed


def test_reasons_name_the_values():
    assert (
        "10.1000/1 against 10.1000/2"
        in vetoes.identifiers_differ(_record(doi="10.1000/1"), _record(doi="10.1000/2")).reason
    )
    assert "1 against 2" in vetoes.numerals_differ(_record("part 1"), _record("part 2")).reason
    assert vetoes.notice_differs(_record("Erratum to x"), _record("x")).reason == "erratum against article"
