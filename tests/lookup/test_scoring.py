"""What holds for any two records, whatever they say."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from lookup.evidence import Finding, Profile, Veto, Weighted
from lookup.profiles import BIBFOLD, PROFILES
from lookup.scoring import compare, decide

texts = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from("on the mean values of zeta functions part 2 II reply erratum 16th".split())).map(
        " ".join
    ),
)
names = st.one_of(
    st.text(max_size=20), st.sampled_from(["Doe, Jane", "Jane Doe", "Doe J", "J. Doe", "Doe", "D.", "Roe R", "N/A"])
)
records = st.builds(
    Record,
    source=st.just("x"),
    id=st.just("1"),
    title=texts,
    subtitle=texts,
    authors=st.lists(names, max_size=5).map(tuple),
    publication=texts,
    year=st.none() | st.integers(1990, 1995),
    volume=st.sampled_from(["", "1", "vol. 2", "6(1)", "NA"]),
    issue=st.sampled_from(["", "1", "2"]),
    pages=st.sampled_from(["", "1-9", "288-97", "e12", "?"]),
    edition=st.sampled_from(["", "2nd", "3rd ed."]),
    publisher=st.sampled_from(["", "Penguin", "Oxford University Press"]),
    identifiers=st.dictionaries(
        st.sampled_from(["doi", "isbn", "arxiv"]),
        st.lists(st.sampled_from(["10.1000/1", "10.1000/2", "0140434267", "1201.1393"]), min_size=1).map(tuple),
    ),
)
words = st.text(string.ascii_lowercase, min_size=4, max_size=9)


@given(records, records, st.sampled_from(sorted(PROFILES)))
def test_order_does_not_matter_and_scores_stay_in_bounds(one, other, name):
    ours, theirs = prepare(one), prepare(other)
    found, turned = (compare(a, b, PROFILES[name]) for a, b in ((ours, theirs), (theirs, ours)))
    assert found.decision == turned.decision
    assert found.score == pytest.approx(turned.score)
    assert len(found.vetoes) == len(turned.vetoes)
    assert 0 <= found.score <= 1
    assert all(0 <= part.score <= 1 and part.weight >= 0 and part.reason for part in found.evidence)


@given(st.lists(words, min_size=5, max_size=12, unique=True), st.lists(words, min_size=1, max_size=4), records)
def test_a_record_with_enough_fields_is_the_same_as_itself(title, authors, other):
    record = Record(
        source="x",
        id="1",
        title=" ".join(title),
        authors=tuple(f"{name.title()}, J." for name in authors),
        year=other.year,
        publication=other.publication,
    )
    assert compare(prepare(record), prepare(record), BIBFOLD).decision == "same"


def _always(score, share=1.0):
    return lambda ours, theirs: Finding(score, "so it is", share)


NOTHING = prepare(Record(source="x", id="1"))


def _profile(*parts, **more):
    weighted = tuple(Weighted(f"f{at}", found, weight) for at, (found, weight) in enumerate(parts))
    return Profile(name="p", title="P", parts=weighted, same=0.8, unsure=0.5, **more)


def test_the_score_is_the_mean_by_weight_and_share():
    one = _profile((_always(1.0), 3), (_always(0.0, share=0.5), 2))
    found = compare(NOTHING, NOTHING, one)
    assert found.score == pytest.approx(3 / 4)
    assert [part.weight for part in found.evidence] == [3, 1]


def test_missing_evidence_is_left_out_or_counts_as_zero():
    parts = ((_always(1.0), 3), (lambda ours, theirs: None, 1))
    assert compare(NOTHING, NOTHING, _profile(*parts)).score == 1.0
    assert compare(NOTHING, NOTHING, _profile(*parts, missing_is_zero=True)).score == 0.75


def test_nothing_to_compare_is_different():
    found = compare(NOTHING, NOTHING, BIBFOLD)
    assert (found.decision, found.score, found.evidence) == ("different", 0.0, ())


@pytest.mark.parametrize(
    ("score", "decision"), [(0.81, "same"), (0.8, "same"), (0.79, "unsure"), (0.5, "unsure"), (0.49, "different")]
)
def test_thresholds_belong_to_the_better_decision(score, decision):
    assert decide(score, [], _profile()) == decision


def test_a_veto_lowers_and_never_raises():
    assert decide(1.0, [Veto("no", "unsure")], _profile()) == "unsure"
    assert decide(1.0, [Veto("no", "unsure"), Veto("never")], _profile()) == "different"
    assert decide(0.1, [Veto("no", "unsure")], _profile()) == "different"


def test_cautions_are_asked_of_good_scores_alone_and_see_the_findings():
    seen = []

    def caution(ours, theirs, findings):
        seen.append(dict(findings))
        return Veto("wait", "unsure")

    good = compare(NOTHING, NOTHING, _profile((_always(0.9), 1), cautions=(caution,)))
    poor = compare(NOTHING, NOTHING, _profile((_always(0.6), 1), cautions=(caution,)))
    assert (good.decision, good.vetoes) == ("unsure", ("wait",))
    assert (poor.decision, poor.vetoes) == ("unsure", ())
    assert [set(findings) for findings in seen] == [{"f0"}]
