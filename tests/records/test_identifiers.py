"""Identifiers in the forms that sources use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibfold.records.identifiers import KINDS, normalise, normalised
from bibfold.records.model import Record


@pytest.mark.parametrize(
    "value",
    [
        "10.1000/ABC", "doi:10.1000/abc", "https://doi.org/10.1000/abc", "http://dx.doi.org/10.1000/abc",
        "10.1000/abc.", "DOI 10.1000/abc;", "10.1000%2Fabc", "<10.1000/abc>", "(10.1000/abc)",
    ],
)  # fmt: skip
def test_doi(value):
    assert normalise("doi", value) == "10.1000/abc"


def test_doi_keeps_its_own_brackets():
    assert normalise("doi", "10.1016/S0140-6736(05)17866-0") == "10.1016/s0140-6736(05)17866-0"


@pytest.mark.parametrize(
    ("kind", "value", "normal"),
    [
        ("isbn", "0-14-043426-7", "9780140434262"),
        ("isbn", "0140434267 (pbk.)", "9780140434262"),
        ("isbn", "978-0-14-043426-2", "9780140434262"),
        ("isbn", "0140434268", None),
        ("isbn", "9780140434263", None),
        ("isbn", "000470147X", "9780004701479"),
        ("issn", "0378-5955", "0378-5955"),
        ("issn", "03785955", "0378-5955"),
        ("issn", "2434-561X", "2434-561X"),
        ("issn", "0378-5954", None),
        ("arxiv", "arXiv:1201.1393v2", "1201.1393"),
        ("arxiv", "https://arxiv.org/abs/1201.1393", "1201.1393"),
        ("arxiv", "math.GT/0309136", "math/0309136"),
        ("arxiv", "none", None),
        ("pmid", "PMID: 0017", "17"),
        ("pmid", "1234567890", None),
        ("pmcid", "pmc17", "PMC17"),
        ("oclc", "(OCoLC)ocm00042", "42"),
        ("lccn", "n78-890351", "n78890351"),
        ("lccn", "85-2 ", "85000002"),
        ("filehash", "MD5:D41D8CD98F00B204E9800998ECF8427E", "d41d8cd98f00b204e9800998ecf8427e"),
        ("filehash", "abc", None),
        ("doi", "NA", None),
        ("nonsense", "1", None),
    ],
)
def test_kinds(kind, value, normal):
    assert normalise(kind, value) == normal


@given(st.sampled_from(sorted(KINDS)), st.text(max_size=40) | st.from_regex(r"[0-9Xx/.\-]{4,20}"))
def test_normalising_what_is_normal_changes_nothing(kind, value):
    normal = normalise(kind, value)
    assert normal is None or normalise(kind, normal) == normal


def test_a_record_has_each_identifier_once_and_an_arxiv_doi_is_an_arxiv_number():
    given_values = {
        "doi": ("10.1000/A", "10.1000/a", "10.48550/arXiv.1201.1393"),
        "ARXIV": ("1201.1393v1",),
        "isbn": ("?",),
    }
    record = Record(source="x", id="1", identifiers=given_values)
    assert normalised(record) == (("doi", "10.1000/a"), ("arxiv", "1201.1393"))
