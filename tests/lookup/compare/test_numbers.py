"""Years, volumes, issues, pages and identifiers."""

import pytest

from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from lookup.compare import identifiers, numbers, years
from lookup.evidence import Finding


def _found(comparator, one, other):
    ours, theirs = (prepare(Record(source="x", id="1", **fields)) for fields in (one, other))
    return comparator(ours, theirs)


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        ("288-297", "288-97", 1),
        ("pp. 73-80.", "73", 1),
        ("S5-S9", "5-9", 0),
        ("10-20", "12-20", 0.5),
        ("e12", "E12", 1),
    ],
)
def test_pages(one, other, score):
    assert _found(numbers.pages, {"pages": one}, {"pages": other}).score == score


@pytest.mark.parametrize("other", ["", "NA", "no pagination specified"])
def test_absent_pages_say_nothing(other):
    assert _found(numbers.pages, {"pages": "288-297"}, {"pages": other}) is None


def test_volume_and_issue():
    one, other = {"volume": "14(3)"}, {"volume": "vol. 14", "issue": "4"}
    assert _found(numbers.volume, one, other) == Finding(1.0, "volume 14: equal")
    assert _found(numbers.issue, one, other) == Finding(0.0, "issue 3 against 4")
    assert _found(numbers.volume, one, {"volume": "n/a"}) is None


@pytest.mark.parametrize(("apart", "score"), [(0, 1), (1, 0.8), (4, 0.5), (8, 1 / 3)])
def test_years_as_in_the_paper(apart, score):
    assert _found(years.near, {"year": 2003}, {"year": 2003 + apart}).score == pytest.approx(score)


def test_years_apart_weigh_more_where_titles_differ():
    same = _found(years.close, {"year": 2003, "title": "A"}, {"year": 2004, "title": "A"})
    other = _found(years.close, {"year": 2003, "title": "A"}, {"year": 2004, "title": "B"})
    assert same.reason == other.reason == "year 2003 against 2004: 1 apart"
    assert same.share < other.share
    assert _found(years.close, {"year": 2003}, {"year": 2006}).score == 0


@pytest.mark.parametrize("year", [None, 20022, 0])
def test_no_year_says_nothing(year):
    assert _found(years.close, {"year": 2003}, {"year": year}) is None
    assert _found(years.near, {"year": 2003}, {"year": year}) is None


def test_shared_identifiers():
    doi = {"identifiers": {"doi": ("https://doi.org/10.1000/A",), "issn": ("0378-5955",)}}
    assert _found(identifiers.shared, doi, {"identifiers": {"doi": ("10.1000/a",)}}).reason == "doi 10.1000/a: equal"
    assert _found(identifiers.shared, doi, {"identifiers": {"issn": ("0378-5955",)}}) is None
    assert _found(identifiers.shared, doi, {}) is None
