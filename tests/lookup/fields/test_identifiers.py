"""Identifiers that two records share."""

from lookup.evidence import Evidence
from lookup.fields.identifiers import by_kind
from tests.lookup.examples import finding, prepared

BOTH = prepared(identifiers={"doi": ("https://doi.org/10.1000/A",), "issn": ("0378-5955",)})


def test_one_in_common() -> None:
    other = prepared(identifiers={"doi": ("10.1000/b", "10.1000/a")})
    assert finding("identifiers.shared", BOTH, other) == Evidence("x", 1.0, 1.0, "doi 10.1000/a: equal")


def test_none_in_common_says_nothing() -> None:
    assert finding("identifiers.shared", BOTH, prepared(identifiers={"doi": ("10.1000/b",)})) is None
    assert finding("identifiers.shared", BOTH, prepared()) is None


def test_a_journal_in_common_says_nothing() -> None:
    assert finding("identifiers.shared", BOTH, prepared(identifiers={"issn": ("0378-5955",)})) is None


def test_values_by_kind() -> None:
    assert by_kind(BOTH) == {"doi": {"10.1000/a"}, "issn": {"0378-5955"}}
    assert by_kind(prepared(identifiers={"pmid": ("1", "2")})) == {"pmid": {"1", "2"}}
