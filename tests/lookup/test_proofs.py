"""Step 1 of the Mendeley paper: a shared file, or an identifier from a threshold on, comes ahead of the metric."""

import pytest
from msgspec.structs import replace

from bibfold.errors import SettingsError
from bibfold.records.prepare import Prepared
from bibfold.settings import Settings
from lookup.comparing import compare
from lookup.matcher import profile_of
from lookup.profile import Proof
from lookup.profiles import BIBFOLD, MENDELEY, PROFILES
from lookup.proofs import without_generic
from tests.lookup.examples import comparison, crossed, many, prepared

HASH, OTHER_HASH = "a" * 40, "b" * 40
ARTICLE = prepared("Erdős-Rényi graphs: a survey", year=2001, identifiers={"filehash": (HASH,), "pmid": ("7",)})


def copy(title: str, **identifiers: str) -> Prepared:
    return prepared(title, year=2001, identifiers={kind: (value,) for kind, value in identifiers.items()})


def test_a_shared_file_is_the_same_under_any_title() -> None:
    found = comparison(ARTICLE, copy("scan0001.pdf", filehash=HASH), MENDELEY)
    assert (found.decision, found.precedence) == ("same", 2)
    assert found.score < MENDELEY.same
    assert found.summary.startswith(
        f"filehash {HASH}: equal, which makes them the same whatever the score; title: 0 of"
    )


def test_another_file_proves_nothing() -> None:
    assert comparison(ARTICLE, copy("scan0001.pdf", filehash=OTHER_HASH), MENDELEY).decision == "different"


@pytest.mark.parametrize(
    ("title", "decision", "precedence"),
    [
        ("Erdős-Rényi graphs: a survey", "same", 1),  # 0.767, above both thresholds
        ("Erdős-Rényi graphs: the other survey", "same", 0),  # 0.417, which is enough without the identifier alone
        ("Erdős-Rényi paths", "different", 0),  # 0.207
    ],
)
def test_a_shared_identifier_needs_a_higher_score_than_the_metric(title: str, decision: str, precedence: int) -> None:
    found = comparison(ARTICLE, copy(title, pmid="7"), MENDELEY)
    assert (found.decision, found.precedence) == (decision, precedence)


@pytest.mark.parametrize("profile", [profile for profile in PROFILES.values() if profile.proofs])
def test_the_papers_profiles_ask_the_file_first_and_more_of_an_identifier(profile) -> None:
    file, identifier = profile.proofs
    assert (file.kinds, file.score) == (("filehash",), 0)
    assert "pmid" in identifier.kinds
    assert identifier.score > profile.same


def test_many_pairs_are_proved_as_few_are() -> None:
    rows = [ARTICLE, copy("scan0001.pdf", filehash=HASH), copy("scan0002.pdf", pmid="7"), copy("Else", doi="10.1/1")]
    every, early = (compare(many(crossed(rows)), MENDELEY, every=every) for every in (True, False))
    assert early.kept.tolist() == every.decision.nonzero()[0].tolist()
    assert early.precedence.tolist() == every.precedence[early.kept].tolist()
    assert {0, 1, 2} == set(every.precedence.tolist())


def test_generic_identifiers_prove_nothing() -> None:
    pairs = crossed([ARTICLE, copy("scan0001.pdf", filehash=HASH)])
    assert compare(pairs, MENDELEY, every=True, generic={f"filehash:{HASH}"}).precedence.tolist()[1:3] == [0, 0]
    assert compare(pairs, MENDELEY, every=True, generic={"doi:10.1/1"}).precedence.tolist()[1:3] == [2, 2]


def test_a_file_is_generic_where_a_cluster_holds_many_titles_of_it() -> None:
    titles = ["on folding", "a preface", "letters to us", "quantum tea", "the next step"]
    members = [copy(title, filehash=HASH) for title in titles]
    found = comparison(ARTICLE, members[0], MENDELEY)
    assert without_generic(found, ARTICLE, lambda: members[:4], MENDELEY) == found
    left = without_generic(found, ARTICLE, lambda: members, MENDELEY)
    assert (left.decision, left.precedence, left.score) == ("different", 0, found.score)
    assert [part.field for part in left.evidence] == ["title", "year"]


def test_a_veto_overrules_a_proof_and_a_caution_does_not() -> None:
    profile = replace(BIBFOLD, proofs=MENDELEY.proofs)
    ours, theirs = copy("Preface", filehash=HASH), copy("Preface", filehash=HASH)
    assert comparison(ours, theirs, BIBFOLD).decision != "different"
    assert comparison(ours, theirs, profile).precedence == 2
    apart = [copy("Preface", filehash=HASH, doi=f"10.1000/{number}") for number in (1, 2)]
    found = comparison(*apart, profile)
    assert (found.decision, found.precedence) == ("different", 0)
    assert found.vetoes == ("doi 10.1000/1 against 10.1000/2",)


def test_the_threshold_of_identifiers_is_a_setting() -> None:
    file, identifier = profile_of(Settings(profile="mendeley", same_identifier=0.9)).proofs
    assert (file, identifier.score) == (Proof(("filehash",)), 0.9)
    assert profile_of(Settings(profile="mendeley", identifiers=False)).proofs == ()
    with pytest.raises(SettingsError, match="same_identifier: by the profile bibfold a shared identifier alone"):
        profile_of(Settings(same_identifier=0.9))
