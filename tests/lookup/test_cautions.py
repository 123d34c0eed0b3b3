"""When a good score is not enough."""

import pytest

from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from lookup import cautions
from lookup.evidence import Finding

YES, NO = Finding(1.0, "equal"), Finding(0.0, "not")
LONG = "A title of quite enough words"


def _record(title=LONG, **fields):
    return prepare(Record(source="x", id="1", title=title, **fields))


def test_a_title_is_needed():
    assert cautions.untitled(_record(), _record(""), {"authors": YES})
    assert not cautions.untitled(_record(), _record(""), {"authors": YES, "identifier": YES})


def test_a_title_alone_must_be_long_and_equal():
    assert not cautions.title_alone(_record(), _record(), {"title": YES})
    assert cautions.title_alone(_record("Editorial"), _record("Editorial"), {"title": YES})
    assert cautions.title_alone(_record(), _record(), {"title": Finding(0.9, "near")})
    assert not cautions.title_alone(_record("Editorial"), _record("Editorial"), {"title": YES, "authors": YES})


def test_a_short_title_needs_authors_or_a_page():
    one = _record("Front matter")
    assert cautions.short_title(one, one, {"title": YES, "year": YES, "publication": YES})
    assert not cautions.short_title(one, one, {"title": YES, "pages": YES})
    assert not cautions.short_title(one, one, {"title": YES, "authors": YES})
    assert not cautions.short_title(_record(), _record(), {"title": YES, "year": YES})


@pytest.mark.parametrize(
    ("findings", "cautious"),
    [
        ({"volume": NO, "pages": NO}, True),
        ({"publication": NO, "year": NO}, True),
        ({"volume": NO, "year": NO, "pages": YES}, False),
        ({"volume": NO}, False),
        ({"volume": NO, "pages": NO, "identifier": YES}, False),
        ({"publication": Finding(0.0, "an unknown acronym", 0.25), "volume": NO}, False),
    ],
)
def test_two_numbers_that_differ_are_another_place(findings, cautious):
    assert bool(cautions.elsewhere(_record(), _record(), findings)) is cautious


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        ({"edition": "2nd ed."}, {"edition": "Third edition"}, "edition"),
        ({"publisher": "Penguin"}, {"publisher": "Oxford University Press"}, "publisher"),
        ({"publisher": "Oxford University Press"}, {"publisher": "Cambridge University Press"}, "publisher"),
        ({"publisher": "Penguin"}, {"publisher": "Penguin Books"}, None),
        ({"year": 1996}, {"year": 2003}, "year"),
        ({"year": 1996, "publication": "Nature"}, {"year": 2003}, None),
        ({"identifiers": {"isbn": ("0140434267",)}}, {"identifiers": {"isbn": ("0141439513",)}}, "ISBN"),
    ],
)
def test_editions(one, other, differs):
    veto = cautions.another_edition(_record(**one), _record(**other), {"title": YES})
    assert (veto and veto.reason) == (differs and f"another edition: {differs} differ")
