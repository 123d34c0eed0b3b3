"""Why two records are one work or not, in words."""

import pytest

from lookup.evidence import Comparison, Evidence
from lookup.profiles import BIBFOLD, PROFILES
from tests.lookup.examples import comparison, prepared

ARTICLE = {
    "title": "Lipid metabolism and the risk of coronary heart disease",
    "authors": ("Zhai, Q. J.", "Miller, A."),
    "publication": "Current Opinion in Lipidology",
    "year": 2003,
    "volume": "14",
    "issue": "3",
    "pages": "288-297",
    "identifiers": {"doi": ("10.1000/1",)},
}
COPY = ARTICLE | {
    "authors": ("Zhai QJ",),
    "publication": "Curr Opin Lipidol",
    "year": 2004,
    "issue": "",
    "pages": "290-7",
}
BARE_COPY = COPY | {"identifiers": {}}
OTHER = ARTICLE | {"title": "Erratum: lipid metabolism, part 2", "identifiers": {"doi": ("10.1000/2",)}}


def test_vetoes_come_before_evidence_and_that_weightiest_first() -> None:
    evidence = (Evidence("a", 1, 2, "second"), Evidence("b", 0, 3, "first"), Evidence("c", 1, 2, "third"))
    assert Comparison("same", 0.5, "p", (), evidence).summary == "first; second; third"
    assert Comparison("unsure", 0.5, "p", ("no", "never"), evidence).summary == "no; never"


def test_the_evidence_of_each_field() -> None:
    found = comparison(prepared(**ARTICLE), prepared(**COPY), BIBFOLD)
    assert [(part.field, part.reason) for part in found.evidence] == [
        ("title", "title: equal"),
        ("authors", "authors: 1 of 1 and 2 agree"),
        ("publication", "publication: 3 of 3 and 3 words agree"),
        ("year", "year 2003 against 2004: 1 apart"),
        ("volume", "volume 14: equal"),
        ("pages", "first page 288 against 290, last page 297: equal"),
        ("identifier", "doi 10.1000/1: equal"),
    ]
    weights = [14, 6 * (1 - 0.4 * 0.875), 3, 4, 2, 3, 10]
    assert [part.weight for part in found.evidence] == pytest.approx(weights)
    assert [part.score for part in found.evidence] == pytest.approx([1, 0.875, 1, 0.3, 1, 0.5, 1])
    assert found.score == pytest.approx(sum(part.score * part.weight for part in found.evidence) / sum(weights))
    assert (found.decision, found.profile, found.vetoes) == ("same", "bibfold", ())


@pytest.mark.parametrize(
    ("profile", "fields", "summary"),
    [
        (
            "bibfold",
            COPY,
            "title: equal; doi 10.1000/1: equal; year 2003 against 2004: 1 apart; authors: 1 of 1 and 2 agree; "
            "publication: 3 of 3 and 3 words agree; first page 288 against 290, last page 297: equal; volume 14: equal",
        ),
        ("bibfold", OTHER, "doi 10.1000/1 against 10.1000/2; number 2 in one title alone; article against erratum"),
        (
            "mendeley",
            BARE_COPY,
            "title: 9 of 9 words shared; publication: 0 of 7 words shared; year 2003 against 2004: 1 apart",
        ),
        (
            "mendeley",
            COPY,
            "doi 10.1000/1: equal, which makes them the same from a score of 0.5 on; title: 9 of 9 words shared; "
            "publication: 0 of 7 words shared; year 2003 against 2004: 1 apart",
        ),
        ("mendeley-title", OTHER, "title: 2 of 12 words shared"),
        (
            "mendeley-levenshtein",
            BARE_COPY,
            "title: 100% of the letters agree; publication: 59% of the letters agree; year 2003 against 2004: 1 apart",
        ),
        (
            "mendeley-authors",
            BARE_COPY,
            "title: 9 of 9 words shared; authors: 1 of 6 words shared; publication: 0 of 7 words shared; "
            "year 2003 against 2004: 1 apart",
        ),
        ("mendeley-citation", BARE_COPY, "citation: 9 of 19 words differ"),
    ],
)
def test_summaries(profile: str, fields: dict, summary: str) -> None:
    assert comparison(prepared(**ARTICLE), prepared(**fields), PROFILES[profile]).summary == summary


def test_a_caution_is_the_reason_where_it_decides() -> None:
    preface = prepared("Preface", year=1999, publication="Computational Linguistics")
    found = comparison(preface, preface, BIBFOLD)
    assert (found.decision, found.summary) == ("unsure", "a short title and no author to compare")
