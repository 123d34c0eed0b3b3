"""The command that makes noise: its files agree with each other, and do not depend on the records' order."""

import csv
import gzip
from pathlib import Path

import msgspec
import pytest

from bibfold.records.model import Record
from bibfold.records.native import decode, encode
from evaluation.noise.generate import NoisePlan, derive
from evaluation.truth import read_truth

RECORDS = [
    Record(
        source="x",
        id=str(at),
        title=f"On the maps of the {at} rivers",
        authors=("Doe, Jane", "Roe, Richard"),
        year=2000,
        identifiers={"doi": (f"10.1000/{at}",)},
    )
    for at in range(60)
]


@pytest.fixture
def clean(write):
    return write("clean.jsonl", *RECORDS)


@pytest.fixture
def noisy(bibfold, clean, tmp_path):
    ran = bibfold("evaluate", "noise", clean, "--out", tmp_path / "out", "--rate", 0.5, "--near-misses", 0.4)
    assert ran.status == 0, ran.err
    return tmp_path / "out"


def lines(folder):
    return [decode(line) for line in gzip.open(folder / "records.jsonl.gz")]


def test_the_clean_records_are_there_as_they_were(noisy):
    found = {record.key: record for record in lines(noisy)}
    assert all(found[record.key] == record for record in RECORDS)
    assert len(found) == len(lines(noisy))


def test_both_truths_say_the_same(noisy):
    pairs, clusters = read_truth(str(noisy / "truth.csv.gz")), read_truth(str(noisy / "clusters.csv.gz"))
    assert pairs.same == clusters.same
    assert pairs.different
    assert not pairs.different & clusters.same
    assert clusters.named == {record.key for record in lines(noisy)}


def test_a_record_that_was_made_names_what_it_was_made_of_and_how(noisy):
    truth = read_truth(str(noisy / "truth.csv.gz"))
    made = [record for record in lines(noisy) if record.source == "noise"]
    assert made
    for record in made:
        pair = tuple(sorted((record.key, record.extra["noise_of"])))
        assert (pair in truth.same) != (pair in truth.different)
        assert record.extra["noise"]
        assert not record.identifiers


def test_each_pair_tells_the_kinds_of_its_noise(noisy):
    with gzip.open(noisy / "truth.csv.gz", "rt", encoding="utf-8") as file:
        assert all(row["kinds"] for row in csv.DictReader(file))


def test_counts_are_those_of_the_files(noisy):
    counts = msgspec.json.decode((noisy / "noise.json").read_bytes())["counts"]
    made = [record for record in lines(noisy) if record.source == "noise"]
    truth = read_truth(str(noisy / "truth.csv.gz"))
    assert counts["duplicates"] + counts["near_misses"] == len(made)
    assert (counts["same"], counts["different"]) == (len(truth.same), len(truth.different))
    assert sum(counts["kinds"].values()) == sum(len(record.extra["noise"]) for record in made)


def test_the_same_seed_writes_the_same_files_byte_for_byte(bibfold, clean, tmp_path, noisy):
    bibfold("evaluate", "noise", clean, "--out", tmp_path / "again", "--rate", 0.5, "--near-misses", 0.4)
    for file in noisy.glob("[!.]*"):
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()


def test_what_is_made_of_a_record_does_not_depend_on_the_others(bibfold, write, tmp_path, noisy):
    backwards = write("backwards.jsonl", *reversed(RECORDS))
    bibfold("evaluate", "noise", backwards, "--out", tmp_path / "again", "--rate", 0.5, "--near-misses", 0.4)
    assert sorted(map(encode, lines(noisy))) == sorted(map(encode, lines(tmp_path / "again")))


def test_rates_are_kept():
    plan = NoisePlan(rate=0.5, near_misses=0.25, most=2)
    every = [Record(source="x", id=str(at), title="Folding records", year=2000) for at in range(1000)]
    made = [list(derive(record, plan)) for record in every]
    assert sum(any(derived.same for derived in found) for found in made) == pytest.approx(500, abs=60)
    assert sum(any(not derived.same for derived in found) for found in made) == pytest.approx(250, abs=60)
    assert max(sum(derived.same for derived in found) for found in made) == 2


def test_another_seed_makes_other_noise():
    every = [[derived.record for derived in derive(RECORDS[0], NoisePlan(rate=1, seed=seed))] for seed in range(5)]
    assert any(derived != every[0] for derived in every)


def test_identifiers_are_kept_where_they_should_be(bibfold, clean, tmp_path):
    bibfold("evaluate", "noise", clean, "--out", tmp_path, "--rate", 1, "--near-misses", 1, "--keep-identifiers")
    for record in lines(tmp_path):
        if record.source == "noise":
            assert bool(record.identifiers) == record.id.rpartition(":")[2].isdecimal()


def test_a_mix_of_ones_own(bibfold, clean, tmp_path, write):
    mix = write("mix.json", b'{"no-year": 1.0}')
    ran = bibfold("evaluate", "noise", clean, "--out", tmp_path, "--near-misses", 0, "--mix", mix, "--json")
    assert set(ran.json()[0]["counts"]["kinds"]) == {"no-year"}


def test_a_run_that_fails_leaves_nothing_behind(bibfold, tmp_path):
    ran = bibfold("evaluate", "noise", tmp_path / "absent.jsonl", "--out", tmp_path / "out")
    assert ran.status == 1
    assert "no such file" in ran.err
    assert not list((tmp_path / "out").glob("*")) if (tmp_path / "out").exists() else True


def test_differences_of_known_duplicates_are_counted(bibfold, noisy):
    files = noisy / "records.jsonl.gz", noisy / "truth.csv.gz"
    (found,) = bibfold("evaluate", "differences", *files, "--json").json()
    assert found["pairs"] == len(read_truth(str(files[1])).same)
    assert found["shares"]["case"] > 0
    assert "case" in bibfold("evaluate", "differences", *files).out


def test_differences_of_records_that_are_not_there(bibfold, clean, write):
    truth = write("truth.csv", b"a,b\nx:1,y:9\nx:1,x:2\n")
    assert "1 records that are not there: y:9" in bibfold("evaluate", "differences", clean, truth).err
    (found,) = bibfold("evaluate", "differences", clean, truth, "--skip-unknown", "--json").json()
    assert (found["pairs"], found["unknown"]) == (1, 1)


def test_dead_letters_are_told_by_the_exit_status(bibfold, write, clean, tmp_path):
    broken = write("broken.jsonl", Path(clean).read_bytes(), b"{not json\n")
    assert bibfold("evaluate", "noise", broken, "--out", tmp_path / "out").status == 3
    assert (tmp_path / "out" / "noise.json").exists()
