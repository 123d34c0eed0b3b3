"""When a good score is not enough."""

import pytest

from bibfold.records.prepare import Prepared
from lookup import cautions
from lookup.evidence import Finding, Veto
from tests.lookup.examples import prepared

YES, NO = Finding(1.0), Finding(0.0)
LONG = "A title of quite enough words"


def _record(title: str = LONG, **fields: object) -> Prepared:
    return prepared(title, **fields)


def test_a_title_is_needed() -> None:
    assert cautions.untitled(_record(), _record(""), {"authors": YES})
    assert not cautions.untitled(_record(), _record(""), {"authors": YES, "identifier": YES})


def test_a_title_alone_must_be_long_and_equal() -> None:
    assert not cautions.title_alone(_record(), _record(), {"title": YES})
    assert cautions.title_alone(_record("Editorial"), _record("Editorial"), {"title": YES})
    assert cautions.title_alone(_record(), _record(), {"title": Finding(0.9)})
    assert not cautions.title_alone(_record("Editorial"), _record("Editorial"), {"title": YES, "authors": YES})


def test_a_short_title_needs_authors_or_a_page() -> None:
    matter = _record("Front matter")
    assert cautions.short_title(matter, matter, {"title": YES, "year": YES, "publication": YES})
    assert not cautions.short_title(matter, matter, {"title": YES, "pages": YES})
    assert not cautions.short_title(matter, matter, {"title": YES, "authors": YES})
    assert not cautions.short_title(_record(), _record(), {"title": YES, "year": YES})


@pytest.mark.parametrize(
    ("findings", "cautious"),
    [
        ({"volume": NO, "pages": NO}, True),
        ({"publication": NO, "year": NO}, True),
        ({"volume": NO, "year": NO, "pages": YES}, False),
        ({"volume": NO}, False),
        ({"volume": NO, "pages": NO, "identifier": YES}, False),
        ({"publication": Finding(0.0, 0.25), "volume": NO}, False),
    ],
)
def test_two_numbers_that_differ_are_another_place(findings: dict[str, Finding], cautious: bool) -> None:
    assert bool(cautions.elsewhere(_record(), _record(), findings)) is cautious


@pytest.mark.parametrize(
    ("fields", "other", "differs"),
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
def test_editions(fields: dict, other: dict, differs: str | None) -> None:
    veto = cautions.another_edition(_record(**fields), _record(**other), {"title": YES})
    assert (veto and veto.reason) == (differs and f"another edition: {differs} differ")


def test_several_differences_of_an_edition_are_named_together() -> None:
    ours, theirs = _record(publisher="Penguin", year=1996), _record(publisher="Oxford", year=2003)
    assert cautions.another_edition(ours, theirs, {"title": YES}) == Veto(
        "another edition: publisher and year differ", "unsure"
    )
    assert cautions.another_edition(ours, theirs, {"title": YES, "identifier": YES}) is None


@pytest.mark.parametrize(
    ("title", "years", "findings", "cautious"),
    [
        ("Book review column", (2001, 2002), {}, True),
        ("Book review column", (2001, 2001), {}, False),
        ("Book review column", (2001, None), {}, False),
        ("Book review column", (2001, 2002), {"pages": YES}, False),
        ("Book review column", (2001, 2002), {"pages": NO}, True),
        ("Book review column", (2001, 2002), {"identifier": YES}, False),
        (LONG, (2001, 2002), {}, False),
    ],
)
def test_a_short_title_in_another_year_recurs(
    title: str, years: tuple[int, int | None], findings: dict[str, Finding], cautious: bool
) -> None:
    veto = cautions.recurring(_record(title, year=years[0]), _record(title, year=years[1]), findings)
    assert veto == (Veto("a short title in 2001 and 2002", "unsure") if cautious else None)


@pytest.mark.parametrize("name", cautions.CAUTIONS)
def test_a_caution_is_documented_and_goes_by_its_own_name(name: str) -> None:
    assert cautions.CAUTIONS[name].__doc__
    assert cautions.CAUTIONS[name].__name__ == name
