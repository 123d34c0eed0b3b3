"""Plain texts: bibfold's folded form, and the Mendeley paper's, to the letter."""

import pytest

from bibfold.records.prepare import Prepared
from lookup.evidence import Evidence
from lookup.fields.texts import CLEANED, FOLDED, clean
from lookup.profile import Part, Profile, TextForm
from tests.lookup.examples import comparison, finding, prepared

OURS = prepared("Folding proteins fast", authors=("Roe, R", "Doe, Jane"), publication="Nature", year=2003)


def found(comparator: str, ours: Prepared, theirs: Prepared, text: TextForm = "cleaned") -> Evidence | None:
    """What a comparator finds in the paper's text form."""
    profile = Profile("p", "P", (Part("x", comparator, 1, text=text),), same=1, unsure=1)
    evidence = comparison(ours, theirs, profile).evidence
    return evidence[0] if evidence else None


def test_words_that_differ() -> None:
    theirs = prepared("Folding proteins slowly", authors=("Roe, R",), publication="Nature Physics", year=2007)
    # of the 9 words "fast" and "2003" are replaced, "doe" and "jane" left out, "physics" added
    assert finding("citations.words", OURS, theirs) == Evidence("x", 1 - 5 / 9, 1.0, "citation: 5 of 9 words differ")


def test_the_order_of_authors_does_not_count() -> None:
    theirs = prepared("Folding proteins fast", authors=("Doe, Jane", "Roe, R"), publication="Nature", year=2003)
    expected = Evidence("x", 1.0, 1.0, "citation: 0 of 9 words differ")
    assert finding("citations.words", OURS, theirs) == found("citations.words", OURS, theirs) == expected


def test_nothing_at_all_says_nothing() -> None:
    assert finding("citations.words", OURS, prepared(volume="7")) is None
    assert found("citations.words", OURS, prepared(volume="7")) is None


@pytest.mark.parametrize(
    ("written", "cleaned"),
    [
        ("Folding: a survey", "folding a survey"),
        ("Real-time O'Reilly co-ordination", "realtime oreilly coordination"),
        ("Erdős-Rényi graphs", "erdősrényi graphs"),
        ("H<sub>2</sub>O & $\\alpha$", "hsub2subo alpha"),
        ("A_b  C\tD", "ab c d"),
        ("  ... ", ""),
        ("ÄÖÜ 100 %", "äöü 100"),
        ("紅樓夢研究", "紅樓夢研究"),
    ],
)
def test_cleaning_is_the_papers(written: str, cleaned: str) -> None:
    """Section 2: what is not alphanumeric is stripped, letters turn to lower case, white space parts words."""
    assert clean(written) == cleaned
    assert CLEANED.title(prepared(written)) == cleaned


def test_what_only_folding_does() -> None:
    record = prepared("RETRACTED: Rényi's test of 1,000 cases [review]", subtitle="an outlook", publication="N/A")
    assert CLEANED.title(record) == "retracted rényis test of 1000 cases review"
    assert FOLDED.title(record) == "renyis test of 1000 cases an outlook"
    assert (CLEANED.publication(record), FOLDED.publication(record)) == ("na", "")


def test_author_strings_keep_particles_and_initials_as_written() -> None:
    record = prepared(authors=("van der Berg, J.-P.", "Doe JA", "Smith, Jr., John"))
    assert CLEANED.author_words(record) == "van der berg jp doe ja smith jr john"
    assert FOLDED.author_words(record) == "berg j p doe j a smith john"


def test_titles_by_words_and_by_letters() -> None:
    ours, theirs = prepared("Real-time folding"), prepared("Real time folding")
    assert found("titles.words_shared", ours, theirs).score == 1 / 4  # realtime, folding; real, time, folding
    assert found("titles.words_shared", ours, theirs, "folded").score == 1
    assert found("titles.letters", ours, theirs).score == pytest.approx(1 - 1 / 17)
    assert found("titles.words_shared", prepared("Café"), prepared("Cafe")).score == 0


def test_author_strings_by_words() -> None:
    ours, theirs = prepared(authors=("van der Berg, J.",)), prepared(authors=("J. Berg",))
    assert found("people.strings", ours, theirs).score == 2 / 4
    assert found("people.strings", ours, theirs, "folded").score == 1
    assert found("people.strings", ours, theirs).reason == "authors: 2 of 4 words shared"


def test_publications_by_words_and_by_letters() -> None:
    ours, theirs = prepared(publication="Phys. Rev. D"), prepared(publication="Phys Rev-D")
    assert found("publications.words_shared", ours, theirs).score == 1 / 4  # phys, rev, d; phys, revd
    assert found("publications.letters", ours, theirs).score == pytest.approx(1 - 1 / 10)


def test_a_citation_of_strings_as_they_are_written() -> None:
    ours = prepared("Self-made", authors=("Ng, A.", "de Boer, B."), publication="Rev. A", year=1999)
    theirs = prepared("Self made", authors=("de Boer, B.", "Ng, A."), publication="Rev. A", year=1999)
    # selfmade / self made; de boer b ng a rev a 1999 is equal, its authors in alphabetical order
    assert found("citations.words", ours, theirs).score == pytest.approx(1 - 2 / 10)
