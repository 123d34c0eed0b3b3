"""Noise never takes a title away, never makes another work of a record, and is the same for the same seed."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibfold.errors import InputError
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from evaluation.noise.differences import WAYS
from evaluation.noise.mix import KINDS, MIX, NEAR_MISSES, add_noise, read_mix

words = st.sampled_from("Folding of the records über II 16th 2004 part reply x: maps–and <i>E. coli</i> a\\'e".split())
titles = st.one_of(st.lists(words, max_size=12).map(" ".join), st.text(max_size=40))
people = st.sampled_from(
    ["Doe, Jane", "Jean-Luc Ségolène", "Müller", "van der Roe, R.", "", ",", "Doe J, Roe R", "李 明"]
)
records = st.builds(
    Record,
    source=st.just("x"),
    id=st.just("1"),
    title=titles,
    subtitle=titles,
    authors=st.lists(people, max_size=4).map(tuple),
    publication=titles,
    year=st.none() | st.integers(-5, 3000),
    volume=st.sampled_from(["", "12", "IV", "²"]),
    pages=st.sampled_from(["", "1-9", "e12", "S5-S9", "123--129", "pp. 1-2"]),
    abstract=st.sampled_from(["", "We fold."]),
)
ALL = dict.fromkeys(KINDS, 0.7)
seeds = st.integers(0, 1000)


@given(records, seeds)
def test_a_record_keeps_its_title_its_numbers_and_its_name(record, seed):
    noisy, _ = add_noise(record, ALL, Random(seed))
    before, after = prepare(record), prepare(noisy)
    assert bool(after.title) == bool(before.title)
    assert (after.numerals, after.notice) == (before.numerals, before.notice)
    assert noisy.key == record.key


@given(records, seeds)
def test_the_same_seed_makes_the_same_noise(record, seed):
    assert add_noise(record, MIX, Random(seed)) == add_noise(record, MIX, Random(seed))


@given(records, seeds)
def test_what_is_told_of_the_noise_is_true(record, seed):
    noisy, kinds = add_noise(record, MIX, Random(seed))
    assert bool(kinds) == (noisy != record)
    assert set(kinds) <= set(KINDS)


@given(records, seeds, st.sampled_from(sorted(NEAR_MISSES)))
def test_a_near_miss_never_has_the_title_of_its_record(record, seed, kind):
    near = NEAR_MISSES[kind](record, Random(seed))
    assert near is None or near.title != record.title


def test_a_record_with_a_title_always_gets_some_noise():
    record = Record(source="x", id="1", title="Folding records")
    assert all(add_noise(record, MIX, Random(seed))[1] for seed in range(300))


def test_kinds_occur_as_often_as_the_mix_has_them():
    record = Record(source="x", id="1", title="Folding records", year=2000, authors=("Doe, Jane",))
    found = [
        kinds for seed in range(2000) for kinds in [add_noise(record, {"case": 0.6, "no-year": 0.3}, Random(seed))[1]]
    ]
    lone = 0.28 * 0.6 / 0.9  # those without any get one, the likelier kind more often
    assert sum("case" in kinds for kinds in found) / 2000 == pytest.approx(0.6 + lone, abs=0.08)


def test_every_way_in_which_duplicates_differ_can_be_made():
    assert set(WAYS) <= set(KINDS)
    assert set(MIX) == set(KINDS)


def test_a_mix_is_read_from_what_was_measured(tmp_path):
    file = tmp_path / "mix.json"
    file.write_bytes(msgspec.json.encode({"pairs": 3, "shares": {"typo": 0.5, "case": 0}}))
    assert read_mix(file) == {"typo": 0.5, "case": 0.0}
    file.write_bytes(b'{"typo": 0.25}')
    assert read_mix(file) == {"typo": 0.25}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"typos": 0.5}', "typos: 0.5 is not a share from 0 to 1 of a kind"),
        (b'{"typo": 50}', "typo: 50.0 is not a share"),
        (b'{"typo": "often"}', "is no mix of noise"),
        (b"[]", "is no mix of noise"),
    ],
)
def test_a_mix_that_cannot_be_is_refused(tmp_path, content, message):
    file = tmp_path / "mix.json"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_mix(file)
