"""The bulk screen rejects only what the comparison would call different."""

import gzip
import os
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibfold.records.model import Record
from bibfold.records.native import decode
from bibfold.records.prepare import prepare
from lookup.evidence import Finding, Profile, Weighted
from lookup.profiles import PROFILES
from lookup.scoring import compare
from lookup.screening import screen

ROOT = Path(__file__).parents[2]
SETS = (
    ROOT / "evaluation" / "data" / "dblp-acm",
    *(Path(os.environ.get("BIBFOLD_DATA", ROOT.parent / "shared" / "data"), name) for name in ("cora", "diabetes")),
)


def _neighbours(folder):
    """Pairs of records that stand near each other in the order of their titles: few are the same, many alike."""
    with gzip.open(folder / "records.jsonl.gz", "rb") as lines:
        records = [prepare(decode(line)) for line in islice(lines, 1_500)]
    for order in (lambda one: one.title, lambda one: one.title.split()[-3:], lambda one: one.people):
        records.sort(key=order)
        for step in (1, 2):
            yield from zip(records, records[step:], strict=False)


@pytest.mark.parametrize("folder", SETS, ids=[folder.name for folder in SETS])
@pytest.mark.parametrize("name", PROFILES)
def test_what_is_rejected_is_different(folder, name):
    if not folder.is_dir():
        pytest.skip(f"no {folder.name} set; set BIBFOLD_DATA to the folder of the data sets")
    pairs = list(_neighbours(folder))
    kept = screen(*zip(*pairs, strict=True), PROFILES[name])
    rejected = [pair for pair, keep in zip(pairs, kept, strict=True) if not keep]
    assert {compare(*pair, PROFILES[name]).decision for pair in rejected} <= {"different"}
    assert kept.any()


def test_the_default_rejects_most_hopeless_pairs():
    pairs = list(_neighbours(SETS[0]))
    kept = screen(*zip(*pairs, strict=True), PROFILES["bibfold"])
    hopeless = [compare(*pair, PROFILES["bibfold"]).score < 0.4 for pair in pairs]
    assert kept[np.array(hopeless)].mean() < 0.2


titles = st.lists(st.sampled_from("the of mean meaning values zeta function functions database data base".split()))
records = st.builds(
    lambda title, rest: prepare(Record(source="x", id="1", title=" ".join(title), **rest)),
    titles,
    st.fixed_dictionaries(
        {},
        optional={
            "authors": st.sampled_from([("Doe, J",), ("Doe, J", "Roe, R")]),
            "year": st.integers(1999, 2001),
            "volume": st.sampled_from(["1", "2"]),
            "pages": st.sampled_from(["1-9", "2-9", "3"]),
            "publication": st.sampled_from(["Nature", "Science"]),
            "identifiers": st.sampled_from([{"doi": ("10.1000/1",)}, {"doi": ("10.1000/2", "10.1000/1")}]),
        },
    ),
)


@given(st.lists(st.tuples(records, records), min_size=1), st.sampled_from(sorted(PROFILES)))
def test_no_made_up_pair_is_rejected_wrongly(pairs, name):
    kept = screen(*zip(*pairs, strict=True), PROFILES[name])
    for pair, keep in zip(pairs, kept, strict=True):
        assert keep or compare(*pair, PROFILES[name]).decision == "different"


def test_nothing_to_screen():
    assert screen([], [], PROFILES["bibfold"]).tolist() == []


def test_a_comparator_that_the_screen_does_not_know_leaves_all_open():
    part = Weighted("x", lambda ours, theirs: Finding(0.0, "never"), 1)
    unknown = Profile(name="p", title="P", parts=(part,), same=0.8, unsure=0.5)
    one = prepare(Record(source="x", id="1"))
    assert screen([one], [one], unknown).tolist() == [True]
