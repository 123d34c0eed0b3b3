"""The Mendeley paper's definitions, worked by hand on records with accents, particles, punctuation, a shared file."""

import pytest
from msgspec.structs import replace

from bibfold.records.prepare import Prepared
from lookup.profiles import PROFILES
from tests.lookup.examples import comparison, prepared

FILE = {"filehash": ("0123456789abcdef" * 2,)}
OURS = prepared(
    "Erdős–Rényi graphs: a re-examination",
    authors=("van der Berg, J.-P.", "O'Neil, Ann"),
    publication="Phys. Rev. E",
    year=2003,
)
THEIRS = prepared(
    "Erdos-Renyi Graphs - A Reexamination", authors=("J.-P. van der Berg",), publication="Phys Rev E", year=2007
)
TITLE = 3 / 5  # graphs, a, reexamination; erdősrényi, erdosrenyi
PUBLICATION = 1  # phys, rev, e
YEAR = 1 / (1 + 4 / 4)
AUTHORS = 4 / 6  # van, der, berg, jp; oneil, ann
SCORES = {
    "mendeley": (21 * TITLE + 7 * PUBLICATION + 2 * YEAR) / 30,
    "mendeley-title": TITLE,
    "mendeley-levenshtein": (21 * (1 - 2 / 33) + 7 * PUBLICATION + 2 * YEAR) / 30,  # ő, é in 33 characters
    "mendeley-authors": (21 * TITLE + 7 * PUBLICATION + 2 * YEAR + 10 * AUTHORS) / 40,
    # erdősrényi graphs a reexamination oneil ann van der berg jp phys rev e 2003: two words are replaced by others'
    # spelling and year, "oneil" and the second "jp" left out, "ann" replaced by "jp"
    "mendeley-citation": 1 - 5 / 14,
}


def _with(record: Prepared, **fields: object) -> Prepared:
    return replace(record, **fields)


@pytest.mark.parametrize("name", SCORES)
def test_the_score_is_that_of_the_papers_text_form(name: str) -> None:
    assert comparison(OURS, THEIRS, PROFILES[name]).score == pytest.approx(SCORES[name])
    assert comparison(THEIRS, OURS, PROFILES[name]).score == pytest.approx(SCORES[name])


@pytest.mark.parametrize("name", SCORES)
def test_a_record_is_its_copy_in_other_punctuation_and_case(name: str) -> None:
    copy = prepared(
        "ERDŐSRÉNYI GRAPHS, A REEXAMINATION!",
        authors=("oneil ann", "VAN DER BERG JP"),
        publication="(Phys Rev. E)",
        year=2003,
    )
    assert comparison(OURS, copy, PROFILES[name]).score == pytest.approx(1)


@pytest.mark.parametrize("name", SCORES)
def test_a_shared_file_is_the_same_work_whatever_is_written(name: str) -> None:
    identifiers = tuple((kind, values[0]) for kind, values in FILE.items())
    ours = _with(OURS, identifiers=identifiers)
    theirs = prepared("Sin título", authors=("Ó Súilleabháin, D.",), identifiers=FILE)
    found = comparison(ours, theirs, PROFILES[name])
    assert found.score < PROFILES[name].same
    assert (found.decision, found.precedence) == ("same", 2)
    assert found.evidence[0].reason.startswith("filehash 0123456789abcdef")
    assert comparison(OURS, theirs, PROFILES[name]).decision == "different"


@pytest.mark.parametrize("name", SCORES)
def test_a_record_without_anything_scores_nothing(name: str) -> None:
    assert comparison(OURS, prepared(volume="7"), PROFILES[name]).score == 0


def test_what_is_missing_on_either_side_counts_with_its_full_weight() -> None:
    bare = prepared("Erdős–Rényi graphs: a re-examination", year=2003)
    assert comparison(OURS, bare, PROFILES["mendeley"]).score == pytest.approx(23 / 30)
    assert comparison(OURS, bare, PROFILES["mendeley-authors"]).score == pytest.approx(23 / 40)


@pytest.mark.parametrize(
    ("name", "threshold"), [("mendeley", 0.4), ("mendeley-title", 0.3), ("mendeley-citation", 0.5)]
)
def test_thresholds(name: str, threshold: float) -> None:
    """0.4 is that of step 2c, 0.3 the best of table 7; 0.5 is ours."""
    assert (PROFILES[name].same, PROFILES[name].unsure) == (threshold, threshold)
