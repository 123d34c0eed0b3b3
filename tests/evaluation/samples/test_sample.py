"""The command that draws a truth: what it writes can be read, repeated and explained."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bibfold.records.model import Record
from evaluation.truth import read_truth

WORKS = ("Maps of the stars", "The migration of terns", "Thermal noise in detectors", "Mosaics of Ravenna")


@pytest.fixture
def records(write):
    return write(
        "records.jsonl",
        *(
            Record(source=source, id=str(at), title=title + dots, identifiers={"doi": (f"10.1000/{at}",)})
            for at, title in enumerate(WORKS)
            for source, dots in (("a", ""), ("b", "."))
        ),
    )


def rows(path):
    return list(csv.DictReader(Path(path).read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("method", ["random", "title", "uncertainty", "search"])
def test_a_truth_is_drawn_by_shared_identifiers(bibfold, records, tmp_path, method):
    out = tmp_path / "truth.csv"
    ran = bibfold("evaluate", "sample", records, "--method", method, "--out", out, "--seed", 5)
    assert ran.status == 0, ran.err
    assert {row["method"] for row in rows(out)} <= {method}
    assert all((row["a"][2:] == row["b"][2:]) == (row["label"] == "same") for row in rows(out))


def test_the_same_seed_writes_the_same_file_byte_for_byte(bibfold, records, tmp_path):
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        bibfold(
            "evaluate", "sample", records, "--method", "random", "--pairs", 3, "--out", tmp_path / name, "--seed", seed
        )
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert (tmp_path / "one").read_bytes() != (tmp_path / "three").read_bytes()


@pytest.mark.parametrize("method", ["title", "search"])
def test_another_process_draws_the_same(records, write, tmp_path, method):
    gold = write("gold.csv", b"a,b\na:0,b:0\na:0,b:1\na:2,b:2\nb:1,b:3\n")
    command = [
        sys.executable,
        "-m",
        "bibfold.cli",
        "evaluate",
        "sample",
        records,
        "--clusters",
        gold,
        "--method",
        method,
    ]
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([*command, "--out", str(tmp_path / seed)], check=True, env=environment, capture_output=True)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_a_truth_that_was_drawn_is_one_that_can_be_read(bibfold, records, tmp_path):
    bibfold("evaluate", "sample", records, "--method", "random", "--out", tmp_path / "truth.csv")
    truth = read_truth(str(tmp_path / "truth.csv"))
    assert (len(truth.same), len(truth.different), truth.whole) == (4, 4, False)


def test_how_it_was_drawn_stands_beside_it(bibfold, records, tmp_path):
    ran = bibfold("evaluate", "sample", records, "--out", tmp_path / "truth.csv", "--min-rank", 2, "--json")
    made = msgspec.json.decode((tmp_path / "truth.csv.json").read_bytes())
    assert ran.json() == [made]
    assert made["how"]["method"] == "search"
    assert made["how"]["min_rank"] == 2
    assert made["how"]["engine"] == "memory"
    assert made["records"] == {"path": records, "fingerprint": made["records"]["fingerprint"], "count": 8}
    assert made["counts"]["works with duplicates"] == 4


def test_fewer_pairs_than_asked_for_are_spoken_of(bibfold, records, tmp_path):
    ran = bibfold("evaluate", "sample", records, "--method", "random", "--out", tmp_path / "truth.csv")
    assert "fewer than the 2000 asked for" in ran.out


def test_a_truth_may_give_the_groups(bibfold, write, records, tmp_path):
    gold = write("gold.csv", b"a,b\na:0,b:1\n")
    out = tmp_path / "truth.csv"
    ran = bibfold("evaluate", "sample", records, "--clusters", gold, "--method", "random", "--out", out)
    assert ran.status == 0, ran.err
    assert [{row["a"], row["b"]} for row in rows(out) if row["label"] == "same"] == [{"a:0", "b:1"}]


def test_a_wrong_identifier_is_left_out_unless_it_is_not_to_be(bibfold, write, tmp_path):
    titles = (WORKS[0], WORKS[0], WORKS[0] + "!", WORKS[1])
    file = write(
        "records.jsonl",
        *(
            Record(source="x", id=str(at), title=t, identifiers={"arxiv": ("0704.0001",)})
            for at, t in enumerate(titles)
        ),
        Record(source="x", id="other", title=WORKS[2], identifiers={"arxiv": ("0704.0002",)}),
    )
    out = tmp_path / "truth.csv"
    bibfold("evaluate", "sample", file, "--by", "arxiv", "--method", "random", "--out", out)
    assert "x:3" not in {key for row in rows(out) for key in (row["a"], row["b"])}
    bibfold("evaluate", "sample", file, "--by", "arxiv", "--method", "random", "--no-validate", "--out", out)
    assert "x:3" in {key for row in rows(out) for key in (row["a"], row["b"])}


def test_files_are_checked_by_the_title_that_most_of_their_records_have(bibfold, write, tmp_path):
    titles = {"a": (WORKS[0], WORKS[0], WORKS[1]), "b": (WORKS[1], WORKS[2]), "c": (WORKS[3], WORKS[3])}
    file = write(
        "records.jsonl",
        *(
            Record(source="x", id=f"{hash}{at}", title=title, identifiers={"filehash": (hash * 32,)})
            for hash, group in titles.items()
            for at, title in enumerate(group)
        ),
    )
    out = tmp_path / "truth.csv"
    ran = bibfold("evaluate", "sample", file, "--method", "filehash", "--out", out)
    assert sorted((row["a"], row["b"])[row["a"] > row["b"]] for row in rows(out) if row["label"] == "same") == [
        "x:a0",
        "x:c0",
    ]
    assert {key for row in rows(out) for key in (row["a"], row["b"])} == {"x:a0", "x:a1", "x:c0", "x:c1"}
    assert "only probably" in ran.out


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--by", "pmid"], "no two of 8 records share pmid"),
        (["--method", "random", "--window", "3"], "--window: method random has none"),
        (["--method", "title", "--min-rank", "3"], "use them with search"),
        (["--clusters", "GOLD", "--by", "doi"], "name one of them"),
        (["--judged", "GOLD"], "name it with --clusters"),
        (["--clusters", "LABELLED"], "labelled pairs do not say"),
        (["--clusters", "STRANGE"], "names 1 records that are not there: z:9"),
        (["--pairs", "0"], "0 is not in the range"),
    ],
)
def test_a_mistake_is_a_message(bibfold, write, records, tmp_path, flags, message):
    files = {
        "GOLD": write("gold.csv", b"a,b\na:0,b:1\n"),
        "LABELLED": write("labelled.csv", b"a,b,label\na:0,b:1,same\n"),
        "STRANGE": write("strange.csv", b"a,b\na:0,z:9\n"),
    }
    ran = bibfold("evaluate", "sample", records, "--out", tmp_path / "truth.csv", *(files.get(f, f) for f in flags))
    assert ran.status == 1
    assert message in ran.err
    assert not (tmp_path / "truth.csv").exists()


def test_unknown_records_may_be_skipped(bibfold, write, records, tmp_path):
    gold = write("gold.csv", b"a,b\na:0,z:9\na:0,b:0\n")
    out = tmp_path / "truth.csv"
    ran = bibfold(
        "evaluate", "sample", records, "--clusters", gold, "--skip-unknown", "--method", "random", "--out", out
    )
    assert ran.status == 0
    assert len(rows(out)) == 2


def test_dead_letters_are_told_by_the_exit_status(bibfold, write, records, tmp_path):
    broken = write("broken.jsonl", Path(records).read_bytes(), b"{not json\n")
    ran = bibfold("evaluate", "sample", broken, "--method", "random", "--out", tmp_path / "truth.csv")
    assert ran.status == 3
    assert len(rows(tmp_path / "truth.csv")) == 8


def test_records_are_validated_against_the_sources_own(bibfold, write, tmp_path):
    """Table 1's way: the borderline cases are shown, so that the threshold can be judged."""

    def copy(id, title, arxiv):
        return Record(source="u", id=id, title=title, authors=("de Groot, H.",), identifiers={"arxiv": (arxiv,)})

    users = [
        copy("1", "Erdős-Rényi graphs", "2001.00001"),
        copy("2", "Erdos-Renyi graph", "2001.00001"),
        copy("3", "Nautical maps", "2001.00001"),
        copy("4", "Nautical maps", "2001.00002"),
        copy("5", "Nautical maps of 1700", "2001.00002"),
        copy("6", "Nautical maps", "2001.00003"),
    ]
    sources = [copy("a", "Erdős–Rényi Graphs", "2001.00001"), copy("b", "Nautical maps.", "2001.00002")]
    out = tmp_path / "truth.csv"
    words = ("evaluate", "sample", write("users.jsonl", *users), "--by", "arxiv", "--method", "random", "--out", out)
    flags = ("--sources", write("sources.jsonl", *sources), "--borderline", 1)
    ran = bibfold(*words, *flags)
    assert (ran.status, "left out: 3 not like the source's record, or without one" in ran.out) == (0, True)
    assert "  rejected, nearest to 0.8:\n    0.792 u:5: nautical maps 1700 groot ~ nautical maps groot" in ran.out
    assert "  accepted, nearest to 0.8:\n    0.958 u:2: erdos renyi graph groot ~ erdos renyi graphs groot" in ran.out
    assert {frozenset((row["a"], row["b"])) for row in rows(out) if row["label"] == "same"} == {
        frozenset({"u:1", "u:2"})
    }
    (made,) = bibfold(*words, *flags, "--similarity", "0.7", "--json").json()
    assert made["borderline"]["accepted"][0]["key"] == "u:5"
    assert (made["how"]["similarity"], made["sources"]["count"]) == (0.7, 2)
    refused = bibfold(*words, *flags, "--no-validate")
    assert (refused.status, "--sources: validates records that share an identifier" in refused.err) == (1, True)


def test_equal_titles_of_two_files_are_kept_apart_on_request(bibfold, write, tmp_path):
    files = [
        Record(source="u", id=str(at), title="A preface", year=1990 + at, identifiers={"filehash": (letter * 32,)})
        for at, letter in enumerate("aabb")
    ]
    words = ("evaluate", "sample", write("files.jsonl", *files), "--method", "filehash", "--out", tmp_path / "t.csv")
    assert "0 of different ones" in bibfold(*words).out
    assert "2 of different ones" in bibfold(*words, "--equal-titles", "--pairs", 2).out
