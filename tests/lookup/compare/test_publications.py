"""Journals and proceedings under their several names."""

import pytest

from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from lookup.compare import publications


def _found(one, other):
    ours, theirs = (prepare(Record(source="x", id="1", publication=name)) for name in (one, other))
    found = publications.similar(ours, theirs)
    assert publications.similar(theirs, ours) == found
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Nature", "NATURE"),
        ("Curr Opin Lipidol", "Current Opinion in Lipidology"),
        ("SIGMOD Record", "ACM SIGMOD Record"),
        ("VLDB", "Proceedings of the International Conference on Very Large Data Bases"),
        ("ACM TODS", "ACM Trans. Database Syst."),
        ("JAMA", "Journal of the American Medical Association"),
        ("Proc Natl Acad Sci USA", "Proceedings of the National Academy of Sciences of the United States of America"),
        ("Proc. of the Tenth Workshop on Logic", "Proceedings of the 10th Workshop on Logic"),
        ("American Journal of Obstetrics & Gynecology", "Am J Obstet Gynecol"),
    ],
)
def test_one_publication(one, other):
    assert _found(one, other).score >= 0.8


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cancer Prevention Research", "Clinical Cancer Research"),
        ("Brain Injury", "Physical Therapy"),
        ("Proceedings of the 16th Workshop on Logic", "Proceedings of the 17th Workshop on Logic"),
        ("Journal of Lower Genital Tract Disease", "CME Journal of Gynecologic Oncology"),
    ],
)
def test_two_publications(one, other):
    assert _found(one, other).score < 0.5


@pytest.mark.parametrize(("one", "other"), [("", "Nature"), ("N/A", "Nature"), ("Proc. of the Conference", "Nature")])
def test_what_names_no_publication_says_nothing(one, other):
    assert _found(one, other) is None


def test_an_acronym_that_cannot_be_resolved_says_little():
    assert _found("SIGMOD Conference", "International Conference on Management of Data").share < 0.5
