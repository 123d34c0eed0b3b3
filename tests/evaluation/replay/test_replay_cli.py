"""The commands that measure whole runs, from outside."""

import csv
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bibfold.records.model import Record
from evaluation.replay.misses import CAUSES
from evaluation.report.repeat import command
from evaluation.runs import EvaluationRun as RunFile
from evaluation.runs import read_run

Make = Callable[..., Record]
Write = Callable[..., str]
EvaluationRun = Callable[..., Any]

LABELS = b"""a,b,label
x:found-a,x:found-b,same
x:far-a,x:far-b,same
x:low-a,x:low-b,same
x:part-a,x:part-b,same
x:chain-b,x:chain-c,same
x:chain-a,x:chain-b,different
x:far-a,x:found-a,different
"""


@pytest.fixture
def files(write: Write, records: list[Record]) -> tuple[str, str]:
    """The records and their truth as files."""
    return write("records.jsonl", *records), write("truth.csv", LABELS)


def test_replay(bibfold: EvaluationRun, files: tuple[str, str], tmp_path: Path) -> None:
    ran = bibfold("evaluate", "replay", *files)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].split() == ["precision", "recall", "F1", "95", "%", "of", "F1"]
    assert lines[1].split()[:4] == ["pairs", "0.5000", "0.2000", "0.2857"]
    assert any(line.split() == ["known", "5", "2"] for line in lines)
    assert any(line.endswith("1 (20.00%)  1 (50.00%)") and "never compared" in line for line in lines)
    assert "  missed: x:far-a ~ x:far-b" in lines
    assert "  wrong: x:chain-a ~ x:chain-b" in lines
    (run,) = bibfold("evaluate", "replay", *files, "--json", "--threshold", "0.9", "--seed", "3").json()
    assert (run["kind"], run["settings"]["same"], run["settings"]["unsure"]) == ("replay", 0.9, 0.9)
    assert run["settings"]["seed"] == 3
    assert run["data"]["records"]["count"] == 11
    assert len(run["missed"]) == run["figures"]["false_negatives"]


def test_a_whole_truth_shows_the_clusters(bibfold: EvaluationRun, files: tuple[str, str], write: Write) -> None:
    whole = write("clusters.csv", b"cluster,source,id\n1,x,found-a\n1,x,found-b\n2,x,far-a\n")
    out = bibfold("evaluate", "replay", files[0], whole).out
    assert "B-cubed" in out
    assert "all others" in out
    assert "duplicates removed (sensitivity)" in out


def test_the_report_can_be_compared(bibfold: EvaluationRun, files: tuple[str, str], tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    assert bibfold("evaluate", "replay", *files, "--report", before).status == 0
    assert bibfold("evaluate", "replay", *files, "--report", after, "--profile", "mendeley").status == 0
    page = (before / "index.html").read_text(encoding="utf-8")
    assert "x:far-a" in page
    assert "Cluster sizes" in page
    assert read_run(before / "run.json").missed != read_run(after / "run.json").missed
    ran = bibfold("evaluate", "compare", before / "run.json", after / "run.json")
    assert ran.status == 0
    assert "profile  bibfold  mendeley" in ran.out
    assert "found now: x:part-a ~ x:part-b" in ran.out
    assert "by chance with p = " in ran.out
    (found,) = bibfold("evaluate", "compare", before / "run.json", after / "run.json", "--json").json()
    assert ["x:part-a", "x:part-b"] in found["found"]["better"]
    assert bibfold("evaluate", "compare", before / "run.json", before / "run.json").out.startswith("nothing changed\n")


def test_a_run_can_be_repeated(bibfold: EvaluationRun, write: Write) -> None:
    rows = b"Nr;Werk;Wann\n1;Die Verwandlung;1915\n2;Die Verwandlung;1915\n3;Das Schloss;1926\n"
    names = ["--map", "Nr=id", "--map", "Werk=title", "--map", "Wann=year", "--format", "csv", "--source", "k"]
    truth = write("k.csv", b"a,b\nk:1,k:2\n")
    (run,) = bibfold("evaluate", "replay", write("werke.csv", rows), truth, *names, "--top-n", "5", "--json").json()
    assert run["data"]["records"]["count"] == 3
    words = shlex.split(command(msgspec.convert(run, RunFile)))
    (repeated,) = bibfold(*words[1:], "--json").json()
    assert repeated == run


def test_misses(bibfold: EvaluationRun, files: tuple[str, str], tmp_path: Path) -> None:
    ran = bibfold("evaluate", "misses", *files, "--out", tmp_path / "lost.csv", "--report", tmp_path / "report")
    assert (ran.status, ran.err) == (0, "")
    counts = {line.rsplit("  ", 1)[0].split("  ")[0].strip(): line.split() for line in ran.out.splitlines()[1:5]}
    assert set(counts) == set(CAUSES)
    assert "  vetoed: x:part-a ~ x:part-b" in ran.out
    with (tmp_path / "lost.csv").open(newline="", encoding="utf-8") as file:
        assert sorted(row["cause"] for row in csv.DictReader(file)) == sorted(CAUSES)
    assert "Chained apart" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    figures = read_run(tmp_path / "report" / "run.json").figures
    assert figures["causes"] == dict.fromkeys(CAUSES, 1)
    lines = bibfold("evaluate", "misses", *files, "--json").json()
    assert [line["cause"] for line in lines if line["a"] == "x:part-a"] == ["vetoed"]
    assert {"evidence", "score", "decision"} <= lines[0]["comparison"].keys()


def test_self(bibfold: EvaluationRun, files: tuple[str, str], tmp_path: Path) -> None:
    ran = bibfold("evaluate", "self", files[0], "--report", tmp_path / "report")
    assert ran.status == 0
    assert ran.out.startswith("11 distinct records became 9 works: 2 wrongly merged (18.18%), ")
    assert "c1, 2 records: x:found-a" in ran.out
    assert "c1: 2 records" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    (run,) = bibfold("evaluate", "self", files[0], "--strip-identifiers", "--json").json()
    assert run["figures"]["wrongly_merged"] == 3
    assert run["data"]["records"]["count"] == 11


def test_score_tells_of_links_or_clusters(bibfold: EvaluationRun, write: Write) -> None:
    truth = write("truth.csv", b"a,b\nl:1,r:1\nl:2,r:2\n")
    links = write("links.csv", b"a,b,score,decision,reason\nl:1,r:1,1,same,x\nl:2,r:3,1,same,x\n")
    (found,) = bibfold("evaluate", "score", links, truth, "--json").json()
    assert (found["precision"], found["recall"]) == (0.5, 0.5)
    assert found["links"]["left_records"] == {"right": 1, "partly": 0, "wrong": 1, "missed": 0}
    assert "in several links" in bibfold("evaluate", "score", links, truth).out
    clusters = write("clusters.csv", b"cluster,source,id\n1,l,1\n1,r,1\n2,l,2\n3,r,2\n")
    (found,) = bibfold("evaluate", "score", clusters, truth, "--json").json()
    assert found["recall"] == 0.5
    assert found["clusters"]["removal"]["sensitivity"] == 0.5
    assert "B-cubed" in bibfold("evaluate", "score", clusters, truth).out


def test_score_of_judged_and_of_labelled_pairs(bibfold: EvaluationRun, write: Write) -> None:
    links = write("links.csv", b"a,b\nl:1,r:1\nl:9,r:9\n")
    truth = write("truth.csv", b"a,b\nl:1,r:1\nl:2,r:2\n")
    judged = write("judged.txt", b"l:1\n")
    (found,) = bibfold("evaluate", "score", links, truth, "--judged", judged, "--json").json()
    assert (found["true_positives"], found["false_positives"], found["false_negatives"]) == (1, 0, 0)
    some = write("some.csv", b"a,b,label\nl:1,r:1,same\nl:1,r:2,different\n")
    (found,) = bibfold("evaluate", "score", links, some, "--json").json()
    assert (found["true_positives"], found["false_positives"], found["false_negatives"]) == (1, 0, 0)


@pytest.mark.parametrize("command", ["replay", "misses"])
@pytest.mark.parametrize(
    ("truth", "message"),
    [
        (b"", "is empty"),
        (b"a,b\n", "holds no pairs; draw some"),
        (b"a,b,label\nx:found-a,x:found-b,same\n", "holds no pairs that are different; precision cannot be measured"),
        (b"a,b,label\nx:found-a,x:far-b,different\n", "holds no pairs that are the same; recall cannot be measured"),
        (b"a,b,label\nx:1,x:2,same\nx:2,x:1,different\n", "1 pairs are called both same and different: x:1 and x:2"),
        (b"a,b\nx:found-a,x:9\n", "names 1 records that are not there: x:9; is it the truth of these records?"),
    ],
)
def test_a_truth_that_cannot_be_measured_by(
    bibfold: EvaluationRun, files: tuple[str, str], write: Write, command: str, truth: bytes, message: str
) -> None:
    ran = bibfold("evaluate", command, files[0], write("bad.csv", truth))
    assert (ran.status, ran.out) == (1, "")
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_unknown_records_are_skipped_if_asked(bibfold: EvaluationRun, files: tuple[str, str], write: Write) -> None:
    truth = write("more.csv", LABELS + b"x:8,x:9,same\n")
    assert bibfold("evaluate", "replay", files[0], truth).status == 1
    ran = bibfold("evaluate", "replay", files[0], truth, "--skip-unknown")
    assert ran.status == 0
    assert any(line.split() == [*"unknown records, their pairs left out".split(), "2"] for line in ran.out.splitlines())


def test_dead_letters_are_status_3(bibfold: EvaluationRun, write: Write, records: list[Record]) -> None:
    file = write("broken.jsonl", *records, b"nonsense\n")
    for words in (["replay", file, write("t.csv", LABELS)], ["self", file]):
        ran = bibfold("evaluate", *words)
        assert ran.status == 3
        assert ran.err.count("not JSON") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["replay", "{records}", "{truth}", "--threshold", "2"], "same: 2.0 is not a number from 0 to 1"),
        (["replay", "-", "{truth}"], "standard input can be read only once"),
        (["replay", "{absent}", "{truth}"], "absent: no such file"),
        (["replay", "{records}", "{absent}"], "absent: no such file"),
        (["replay", "{records}", "{truth}", "--judged", "{absent}"], "absent: no such file"),
        (["replay", "{records}", "{truth}", "--report", "{truth}"], "is a file"),
        (["misses", "{records}", "{truth}", "--out", "{records}/x.csv"], "cannot be written"),
        (["self", "{absent}"], "absent: no such file"),
        (["compare", "{absent}", "{absent}"], "absent: cannot be read"),
        (["compare", "{truth}", "{truth}"], "is no run file"),
        (["score", "{truth}", "{records}"], "expected the columns"),
        (["nonsense"], "No such command"),
    ],
)
def test_a_mistake_is_a_message(
    bibfold: EvaluationRun, files: tuple[str, str], tmp_path: Path, words: list[str], message: str
) -> None:
    names = {"records": files[0], "truth": files[1], "absent": tmp_path / "absent"}
    ran = bibfold("evaluate", *(word.format(**names) for word in words))
    assert ran.status == 1
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_runs_over_other_data_are_refused(
    bibfold: EvaluationRun, files: tuple[str, str], write: Write, tmp_path: Path
) -> None:
    first = json.dumps(bibfold("evaluate", "replay", *files, "--json").json()[0]).encode()
    fewer = write("fewer.csv", LABELS.replace(b"x:low-a,x:low-b,same\n", b""))
    second = json.dumps(bibfold("evaluate", "replay", files[0], fewer, "--json").json()[0]).encode()
    runs = write("one.json", first), write("other.json", second)
    assert "different data: truth" in bibfold("evaluate", "compare", *runs).err
    assert bibfold("evaluate", "compare", *runs, "--force").status == 0
