"""How formats write years, pages and serial numbers."""

import pytest

from bibfold.records.formats.values import (
    gather,
    left,
    linked,
    noted,
    page_range,
    serials,
    take,
    take_all,
    take_year,
    unique,
    year_of,
)


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("2001", 2001),
        (" 2001 ", 2001),
        ("20022", 20022),
        ("-44", -44),
        ("12", 12),
        ("2001/05//", 2001),
        ("May 2001", 2001),
        ("c1999", 1999),
        ("1998-99", 1998),
        ("2001.0", 2001),
        ("in press", None),
        ("12345/6", None),
        ("199?", None),
        ("", None),
        ("1" * 5000, None),
    ],
)
def test_year_of(text: str, year: int | None) -> None:
    assert year_of(text) == year


@pytest.mark.parametrize(
    ("first", "last", "pages"),
    [("1", "9", "1-9"), ("1", "", "1"), ("", "9", "9"), ("1", "1", "1"), ("1-9", "9", "1-9"), ("", "", "")],
)
def test_page_range(first: str, last: str, pages: str) -> None:
    assert page_range(first, last) == pages


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1234-5679", [("issn", "1234-5679")]),
        ("1234567x", [("issn", "1234567x")]),
        ("1234-5679 2049-3630", [("issn", "1234-5679"), ("issn", "2049-3630")]),
        ("1234-5679 (Print); 2049-3630 (Online)", [("issn", "1234-5679"), ("issn", "2049-3630")]),
        ("978-0-306-40615-7, 0306406152", [("isbn", "978-0-306-40615-7"), ("isbn", "0306406152")]),
        ("978 0 306 40615 7", [("isbn", "978 0 306 40615 7")]),
        ("9780306406157 (hbk.)", [("isbn", "9780306406157")]),
        ("n/a", [("issn", "n/a")]),
        ("ISSN 1234-5679", [("issn", "ISSN 1234-5679")]),
        ("", [("issn", "")]),
    ],
)
def test_serials(text: str, expected: list[tuple[str, str]]) -> None:
    assert list(serials(text, "issn")) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://doi.org/10.5555/a/b", ("doi", "10.5555/a/b")),
        ("http://dx.doi.org/10.5555/A", ("doi", "10.5555/A")),
        ("https://arxiv.org/abs/2101.00001v2", ("arxiv", "2101.00001v2")),
        ("http://arxiv.org/pdf/math/0309136.pdf", ("arxiv", "math/0309136")),
        ("https://pubmed.ncbi.nlm.nih.gov/12345/", ("pmid", "12345")),
        ("http://www.ncbi.nlm.nih.gov/pubmed/12345", ("pmid", "12345")),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC678", ("pmcid", "PMC678")),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC678/", ("pmcid", "PMC678")),
        ("https://example.org/10.5555/a", None),
    ],
)
def test_linked(url: str, expected: tuple[str, str] | None) -> None:
    assert linked(url) == expected


def test_noted() -> None:
    note = "Place: Bern PMID: 12 PMCID: PMC34 arXiv:2101.00001v2 [cs]"
    assert list(noted(note)) == [("pmid", "12"), ("pmcid", "PMC34"), ("arxiv", "2101.00001v2")]
    assert list(noted("nothing")) == []


def test_gather_leaves_out_blanks_and_repeats() -> None:
    assert gather([("doi", "a"), ("issn", "b"), ("doi", "c"), ("doi", "a"), ("pmid", "")]) == {
        "doi": ("a", "c"),
        "issn": ("b",),
    }


def test_take_removes_what_it_returns() -> None:
    fields = {"a": ["", " x  y ", "z"], "b": ["w"]}
    assert take(fields, "none", "a") == "x y"
    assert take(fields, "b", "a") == "w"
    assert fields == {"a": ["", "z"]}
    assert take_all(fields, "a", "b") == ("z",)
    assert fields == {}


def test_a_date_that_says_more_than_the_year_stays() -> None:
    fields = {"PY": ["soon", "2001/05"], "DA": ["2002"]}
    assert take_year(fields, "PY", "DA") == 2001
    assert fields == {"PY": ["soon", "2001/05"], "DA": ["2002"]}
    assert take_year(fields, "DA", "PY") == 2002
    assert fields == {"PY": ["soon", "2001/05"]}


def test_what_is_left_does_not_hide_the_model() -> None:
    fields = {"type": ["x"], "KW": ["a", "b"], "year": ["n.d."]}
    assert left(fields, "ris", None) == {"ris:type": "x", "KW": ["a", "b"], "year": "n.d."}
    assert left(fields, "nbib", None) == {"nbib:type": "x", "nbib:KW": ["a", "b"], "year": "n.d."}
    assert left({"year": ["n.d."]}, "csv", 2001) == {"csv:year": "n.d."}


def test_unique_names() -> None:
    seen: dict[str, int] = {}
    assert [unique(name, seen) for name in ["a", "a", "a-2", "b", "a"]] == ["a", "a-2", "a-2-2", "b", "a-3"]
