"""Journals and proceedings under their several names."""

import pytest

from lookup.evidence import Evidence
from tests.lookup.examples import finding, prepared


def _found(name: str, other: str, comparator: str = "publications.similar") -> Evidence | None:
    return finding(comparator, prepared(publication=name), prepared(publication=other))


def _similar(name: str, other: str) -> Evidence:
    found = _found(name, other)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "other"),
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
def test_one_publication(name: str, other: str) -> None:
    assert _similar(name, other).score >= 0.8


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Cancer Prevention Research", "Clinical Cancer Research"),
        ("Brain Injury", "Physical Therapy"),
        ("Proceedings of the 16th Workshop on Logic", "Proceedings of the 17th Workshop on Logic"),
        ("Journal of Lower Genital Tract Disease", "CME Journal of Gynecologic Oncology"),
    ],
)
def test_two_publications(name: str, other: str) -> None:
    assert _similar(name, other).score < 0.5


@pytest.mark.parametrize(
    ("name", "other"), [("", "Nature"), ("N/A", "Nature"), ("Proc. of the Conference", "Nature"), ("", "")]
)
def test_what_names_no_publication_says_nothing(name: str, other: str) -> None:
    assert _found(name, other) is None


@pytest.mark.parametrize("comparator", ["publications.words_shared", "publications.letters"])
def test_absent_is_not_different(comparator: str) -> None:
    assert _found("", "Nature", comparator) is None


def test_equal_names_of_general_words_are_equal() -> None:
    assert _similar("Proc. of the Conference", "Proc. of the Conference").score == 1.0


def test_an_acronym_that_cannot_be_resolved_says_little() -> None:
    assert _similar("SIGMOD Conference", "International Conference on Management of Data").weight < 0.5


@pytest.mark.parametrize(
    ("comparator", "name", "other", "score", "reason"),
    [
        ("publications.similar", "Nature", "NATURE", 1, "publication: equal"),
        ("publications.similar", "Nature", "Nature Physics", 0.9, "publication: 1 of 1 and 2 words agree"),
        ("publications.similar", "Brain Injury", "Brain Research", 0.3, "publication: 1 of 2 and 2 words agree"),
        ("publications.similar", "VLDB", "Very Large Data Bases", 0.9, "publication: vldb abbreviates the other"),
        ("publications.similar", "Cell", "Plant Methods", 0, "publication: cell is not among the words of the other"),
        ("publications.similar", "16th Logic", "17th Logic", 0, "publication: number 16 against 17"),
        ("publications.words_shared", "Nature", "Nature Physics", 0.5, "publication: 1 of 2 words shared"),
        ("publications.letters", "Nature", "Nature Physics", 6 / 14, "publication: 43% of the letters agree"),
    ],
)
def test_scores_and_reasons(comparator: str, name: str, other: str, score: float, reason: str) -> None:
    found = _found(name, other, comparator)
    assert found is not None
    assert (found.score, found.reason) == (pytest.approx(score), reason)
