"""Batches of pairs: early ruling out drops nothing that matters, and no pair knows what else is in its batch."""

import os
import string
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bibfold.records.columns import Columns, Places
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared, prepare
from lookup.comparing import Compared, compare, possible, vetoed, vetoes_of
from lookup.evidence import RANK
from lookup.pairs import Pairs
from lookup.profile import Part, Profile
from lookup.profiles import BIBFOLD, PROFILES
from tests.lookup.baseline import SETS, baseline
from tests.lookup.examples import batches, comparison, crossed, many, neighbours, prepared, records

MORE_SETS = Path(os.environ.get("BIBFOLD_DATA", SETS.parents[2] / "shared" / "data"))
FOLDERS = (SETS / "stroke", SETS / "cora", SETS / "dblp-acm", MORE_SETS / "diabetes")
LENIENT = msgspec.structs.replace(BIBFOLD, same=0.3, unsure=0.1)


def _outcomes(compared: Compared) -> list[tuple]:
    """All that is found of each pair: score, decision, and the score and share of each part that is not missing."""
    findings = [compared.findings(pair) for pair in range(compared.pairs.size)]
    return list(zip(compared.score.tolist(), compared.decision.tolist(), findings, strict=True))


def _check_early(pairs: Pairs, profile: Profile) -> Compared:
    """The early way keeps exactly what is not different, and finds the same of it."""
    every, early = compare(pairs, profile, every=True), compare(pairs, profile)
    assert every.kept.tolist() == list(range(pairs.size))
    assert early.kept.tolist() == np.flatnonzero(every.decision > RANK["different"]).tolist()
    outcomes = _outcomes(every)
    assert _outcomes(early) == [outcomes[place] for place in early.kept]
    assert (early.pairs.left.tolist(), early.pairs.right.tolist()) == (
        pairs.left[early.kept].tolist(),
        pairs.right[early.kept].tolist(),
    )
    assert set(early.kept.tolist()) <= set(early.possible.tolist())
    assert early.possible.tolist() == possible(pairs, profile).tolist()
    return early


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
@pytest.mark.parametrize("name", PROFILES)
def test_no_real_pair_is_ruled_out_that_is_not_different(folder: Path, name: str) -> None:
    if not folder.is_dir():
        pytest.skip(f"no {folder.name} set; set BIBFOLD_DATA to the folder of the data sets")
    early = _check_early(neighbours(folder), PROFILES[name])
    assert len(early.kept)


@given(batches, st.sampled_from([*PROFILES.values(), LENIENT]))
@settings(max_examples=60)
def test_no_made_up_pair_is_ruled_out_that_is_not_different(pairs: Pairs, profile: Profile) -> None:
    _check_early(pairs, profile)
    _check_early(many(pairs), profile)


def test_the_default_rules_out_most_hopeless_pairs_before_names_are_compared() -> None:
    pairs = neighbours(SETS / "dblp-acm")
    hopeless = compare(pairs, BIBFOLD, every=True).score < 0.4
    kept = np.zeros(pairs.size, np.bool_)
    kept[possible(pairs, BIBFOLD)] = True
    assert kept[hopeless].mean() < 0.2


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
@pytest.mark.parametrize("every", [True, False])
def test_nothing_to_compare(profile: Profile, every: bool) -> None:
    compared = compare(crossed([]), profile, every=every)
    assert (compared.kept.tolist(), compared.possible.tolist(), _outcomes(compared)) == ([], [], [])
    assert possible(crossed([]), profile).tolist() == []


def _batches_of(pairs: Pairs, size: int, profile: Profile) -> Iterator[tuple]:
    for start in range(0, pairs.size, size):
        yield from _outcomes(compare(pairs.only(slice(start, start + size)), profile, every=True))


def _elsewhere(rows: Sequence[Prepared], left: Places, right: Places, others: Iterable[Prepared]) -> Pairs:
    """The same pairs in columns that hold other records before them, and the rows in another order."""
    columns = Columns()
    before = columns.add(others)
    compare(Pairs(columns, before, before), BIBFOLD)
    places = columns.add(rows[::-1])[::-1]
    return Pairs(columns, places[left], places[right])


def _check_independence(pairs: Pairs, profile: Profile, others: Iterable[Prepared]) -> None:
    outcomes = _outcomes(compare(pairs, profile, every=True))
    rows = pairs.columns.rows
    assert _outcomes(compare(many(pairs), profile, every=True))[: pairs.size] == outcomes
    assert [*_batches_of(pairs, 7, profile)] == outcomes
    assert [*_batches_of(pairs, 1, profile)] == outcomes
    elsewhere = _elsewhere(rows, pairs.left, pairs.right, others)
    assert _outcomes(compare(elsewhere, profile, every=True)) == outcomes
    order = np.random.default_rng(7).permutation(pairs.size)
    assert _outcomes(compare(pairs.only(order), profile, every=True)) == [outcomes[place] for place in order]
    for place in range(0, pairs.size, 5):
        alone = crossed(pairs.records(place)).only(np.array([1]))
        assert _outcomes(compare(alone, profile, every=True)) == [outcomes[place]]


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_what_is_found_of_a_real_pair_does_not_depend_on_its_batch(profile: Profile) -> None:
    stored = baseline()
    pairs = stored.pairs()
    some = np.arange(0, pairs.size, 30)
    _check_independence(pairs.only(some), profile, stored.records[::-2])
    outcomes = _outcomes(compare(pairs, profile, every=True))
    assert _outcomes(compare(pairs.only(some), profile, every=True)) == [outcomes[place] for place in some]


@given(batches, st.lists(records, max_size=3), st.sampled_from(sorted(PROFILES)))
@settings(max_examples=30)
def test_what_is_found_of_a_made_up_pair_does_not_depend_on_its_batch(
    pairs: Pairs, others: list[Prepared], name: str
) -> None:
    _check_independence(pairs, PROFILES[name], others)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
@pytest.mark.parametrize("every", [True, False])
def test_chunks_make_no_difference(monkeypatch: pytest.MonkeyPatch, profile: Profile, every: bool) -> None:
    pairs = baseline().pairs()
    whole = compare(pairs, profile, every=every)
    monkeypatch.setattr("lookup.comparing.CHUNK", 700)
    chunks = compare(pairs, profile, every=every)
    assert _outcomes(chunks) == _outcomes(whole)
    assert chunks.kept.tolist() == whole.kept.tolist()
    assert chunks.possible.tolist() == whole.possible.tolist()
    assert chunks.pairs.left.tolist() == whole.pairs.left.tolist()
    assert possible(pairs, profile).tolist() == whole.possible.tolist() or every


@given(batches, st.sampled_from(sorted(PROFILES)))
@settings(max_examples=40)
def test_order_does_not_matter_and_scores_stay_in_bounds(pairs: Pairs, name: str) -> None:
    found = compare(pairs, PROFILES[name], every=True)
    turned = compare(Pairs(pairs.columns, pairs.right, pairs.left), PROFILES[name], every=True)
    assert found.decision.tolist() == turned.decision.tolist()
    assert found.score == pytest.approx(turned.score)
    for pair in range(pairs.size):
        words, other_words = found.comparison(pair), turned.comparison(pair)
        assert 0 <= words.score <= 1
        assert all(0 <= part.score <= 1 and part.weight >= 0 and part.reason for part in words.evidence)
        assert len(words.vetoes) == len(other_words.vetoes)


words = st.text(string.ascii_lowercase, min_size=4, max_size=9)


@given(st.lists(words, min_size=5, max_size=12, unique=True), st.lists(words, min_size=1, max_size=4))
@settings(max_examples=50)
def test_a_record_with_enough_fields_is_the_same_as_itself(title: list[str], authors: list[str]) -> None:
    names = tuple(f"{name.title()}, J." for name in authors)
    row = prepare(Record(source="x", id="1", title=" ".join(title), authors=names))
    assert comparison(row, row, BIBFOLD).decision == "same"


YEARS = Profile("p", "P", (Part("year", "years.near", 1),), same=0.8, unsure=0.5)


@pytest.mark.parametrize(
    ("apart", "decision"), [(0, "same"), (1, "same"), (2, "unsure"), (4, "unsure"), (5, "different")]
)
def test_thresholds_belong_to_the_better_decision(apart: int, decision: str) -> None:
    assert comparison(prepared(year=2000), prepared(year=2000 + apart), YEARS).decision == decision


@pytest.mark.parametrize(
    ("title", "other", "apart", "decision"),
    [
        ("Maps", "Maps II", 0, "unsure"),
        ("Maps", "Maps II", 2, "unsure"),
        ("Maps", "Maps II", 9, "different"),
        ("Maps I", "Maps II", 0, "different"),
        ("Maps", "Reply to Maps II", 0, "different"),
    ],
)
def test_a_veto_lowers_and_never_raises(title: str, other: str, apart: int, decision: str) -> None:
    profile = msgspec.structs.replace(YEARS, vetoes=("numerals_differ", "notice_differs"))
    found = comparison(prepared(title, year=2000), prepared(other, year=2000 + apart), profile)
    assert found.decision == decision
    assert found.vetoes


def test_cautions_are_asked_of_good_scores_alone() -> None:
    profile = msgspec.structs.replace(YEARS, cautions=("untitled",))
    good = comparison(prepared(year=2000), prepared(year=2001), profile)
    poor = comparison(prepared(year=2000), prepared(year=2002), profile)
    assert (good.decision, good.vetoes) == ("unsure", ("no title to compare",))
    assert (poor.decision, poor.vetoes) == ("unsure", ())


def test_vetoes_are_asked_of_two_records_whatever_their_score() -> None:
    ours, theirs = prepared("Maps I", identifiers={"doi": ("10.1/a",)}), prepared("Erratum: Maps II")
    assert [veto.reason for veto in vetoes_of(ours, theirs, BIBFOLD)] == [
        "numbers in the titles: 1 against 2",
        "article against erratum",
    ]
    assert vetoes_of(ours, theirs, YEARS) == []


@given(batches)
@settings(max_examples=40)
def test_vetoes_by_the_batch_are_those_of_each_pair(pairs: Pairs) -> None:
    found = vetoed(pairs, BIBFOLD).tolist()
    assert found == [bool(vetoes_of(*pairs.records(pair), BIBFOLD)) for pair in range(pairs.size)]
    assert not vetoed(pairs, YEARS).any()


def test_nothing_in_common_to_compare_is_different() -> None:
    found = comparison(prepared(), prepared(), BIBFOLD)
    assert (found.decision, found.score, found.evidence, found.summary) == ("different", 0.0, (), "")
