"""Labelling by hand: what is asked for, and that no answer is ever lost."""

import csv
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bibfold.records.model import Record
from evaluation.samples.review import Selection, Sheet, ask_all
from evaluation.truth import read_truth
from lookup.evidence import Comparison

TITLES = ("Folding duplicate records as they arrive", "Folding duplicate records", "Mosaics of Ravenna")


@pytest.fixture
def records(write):
    return write("records.jsonl", *(Record(source="x", id=str(at), title=title) for at, title in enumerate(TITLES)))


@pytest.fixture
def truth(write):
    return Path(
        write("truth.csv", b"a,b,label,method\nx:0,x:1,same,search\nx:0,x:2,different,search\nx:1,x:2,,search\n")
    )


def labels(path):
    rows = csv.DictReader(Path(path).read_text(encoding="utf-8").splitlines())
    return [(row["label"], row["reviewed"]) for row in rows]


def test_answers_are_written_into_the_truth(bibfold, records, truth):
    ran = bibfold("evaluate", "review", truth, "--records", records, "--all", stdin=b"d\ns\nu\n")
    assert ran.status == 0, ran.err
    assert labels(truth) == [("different", "different"), ("same", "same"), ("unsure", "unsure")]
    assert "3 answered: 1 same, 1 different, 1 unsure; 0 left" in ran.out
    assert "method" in truth.read_text().splitlines()[0]


def test_the_next_start_goes_on_where_it_stopped(bibfold, records, truth):
    bibfold("evaluate", "review", truth, "--records", records, "--all", stdin=b"s\nq\n")
    ran = bibfold("evaluate", "review", truth, "--records", records, "--all", stdin=b"d\nd\n")
    assert "2 pairs to label, 1 were labelled by hand before" in ran.out
    assert labels(truth) == [("same", "same"), ("different", "different"), ("different", "different")]


def test_the_end_of_the_input_is_a_stop(bibfold, records, truth):
    before = truth.read_bytes()
    ran = bibfold("evaluate", "review", truth, "--records", records, "--all", stdin=b"")
    assert (ran.status, truth.read_bytes()) == (0, before)
    assert "0 answered" in ran.out


def test_one_can_go_back_and_answer_anew(bibfold, records, truth):
    bibfold("evaluate", "review", truth, "--records", records, "--all", stdin=b"s\nb\nd\nq\n")
    assert labels(truth)[0] == ("different", "different")


def test_a_key_that_means_nothing_is_asked_for_again(bibfold, records, truth):
    ran = bibfold("evaluate", "review", truth, "--records", records, "--all", stdin=b"x\n\nS\nq\n")
    assert labels(truth)[0] == ("same", "same")
    assert ran.out.count("[s]ame") == 4


def test_both_records_are_shown_with_the_evidence(bibfold, records, truth):
    ran = bibfold("evaluate", "review", truth, "--records", records, "--all", stdin=b"q\n")
    assert "≠ title" in ran.out
    assert "title: 3 words shared" in ran.out
    assert "labelled: same" in ran.out


def test_an_unsure_pair_is_left_out_of_the_truth(bibfold, records, truth):
    bibfold("evaluate", "review", truth, "--records", records, "--all", stdin=b"u\nd\ns\n")
    labelled = read_truth(str(truth))
    assert (labelled.same, labelled.different) == ({("x:1", "x:2")}, {("x:0", "x:2")})


def test_the_records_are_those_that_the_truth_was_drawn_from(bibfold, write, tmp_path):
    file = write(
        "records.jsonl",
        *(
            Record(source=source, id=str(at), title=title, identifiers={"doi": (f"10.1000/{at}",)})
            for at, title in enumerate(TITLES)
            for source in "ab"
        ),
    )
    sample = tmp_path / "drawn.csv"
    bibfold("evaluate", "sample", file, "--method", "random", "--out", sample)
    ran = bibfold("evaluate", "review", sample, "--all", stdin=b"d\n")
    assert "1 answered" in ran.out
    Path(file).unlink()
    assert "is not there; name the records' file with --records" in bibfold("evaluate", "review", sample).err


@pytest.mark.parametrize(
    ("content", "flags", "message"),
    [
        (b"a,b\nx:0,x:1\n", [], "where its records are is not known"),
        (b"cluster,source,id\n1,x,0\n", ["--records", "R"], "expected the columns a,b"),
        (b"a,b,label\nx:0,x:1,perhaps\n", ["--records", "R"], "'perhaps' means nothing"),
        (b"a,b,label\nx:0,x:1\n", ["--records", "R"], "more or fewer than 3 columns"),
        (b"a,b\nx:0,z:9\n", ["--records", "R"], "1 records that are not there: z:9"),
        (b"", ["--records", "R"], "is empty"),
    ],
)
def test_a_mistake_is_a_message(bibfold, write, records, content, flags, message):
    truth = write("truth.csv", content)
    ran = bibfold("evaluate", "review", truth, *(records if flag == "R" else flag for flag in flags))
    assert ran.status == 1
    assert message in ran.err
    assert Path(truth).read_bytes() == content


def test_pairs_of_unknown_records_may_be_skipped(bibfold, write, records):
    truth = write("truth.csv", b"a,b\nx:0,z:9\nx:0,x:1\n")
    ran = bibfold("evaluate", "review", truth, "--records", records, "--all", "--skip-unknown", stdin=b"d\n")
    assert "1 pairs to label" in ran.out
    assert labels(truth) == [("same", ""), ("different", "different")]


def test_the_pairs_of_a_dedupe_run_can_be_labelled(bibfold, write, records):
    pairs = write("pairs.csv", b'a,b,score,decision,reason\nx:0,x:1,0.7,unsure,"title: a, b"\nx:0,x:2,0.9,same,none\n')
    bibfold("evaluate", "review", pairs, "--records", records, stdin=b"s\nd\n")
    assert labels(pairs) == [("same", "same"), ("different", "different")]
    assert read_truth(pairs).same == {("x:0", "x:1")}


def compared(score, decision):
    return Comparison(decision, score, "bibfold", (), ())


@pytest.mark.parametrize(
    ("label", "decision", "asked"),
    [
        ("same", "same", False),
        ("different", "different", False),
        ("same", "unsure", True),
        ("different", "unsure", True),
        ("same", "different", True),
        ("0", "same", True),
        ("", "same", True),
        ("unsure", "different", True),
    ],
)
def test_a_person_is_asked_for_what_is_doubtful(label, decision, asked):
    assert Selection()(label, compared(0.7, decision)) is asked


@pytest.mark.parametrize(("score", "asked"), [(0.3, False), (0.4, True), (0.6, True), (0.8, True), (0.9, False)])
def test_a_person_is_asked_for_a_band_of_scores(score, asked):
    assert Selection(low=0.4, high=0.8)("same", compared(score, "same")) is asked
    assert Selection(low=0.4)("same", compared(score, "same")) is (score >= 0.4)


def test_every_answer_is_in_the_file_before_the_next_is_asked_for(truth):
    sheet = Sheet(truth)
    seen = []

    def ask(place, at):
        seen.append([reviewed for _, reviewed in labels(truth)] if at else None)
        return "s"

    ask_all(sheet, [0, 1, 2], ask)
    assert seen[1:] == [["same", "", ""], ["same", "same", ""]]


def test_a_truth_that_is_linked_to_stays_a_link(truth, tmp_path):
    link = tmp_path / "link.csv"
    link.symlink_to(truth)
    Sheet(link).answer(0, "different")
    assert link.is_symlink()
    assert labels(truth)[0] == ("different", "different")


@pytest.fixture
def at_a_terminal(records, truth):
    """The command at a terminal of its own: the process and the terminal's other end."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "bibfold.cli", "evaluate", "review", str(truth), "--records", records, "--all"]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    yield process, ours
    process.kill()
    process.wait()
    os.close(ours)


def test_at_a_terminal_a_key_is_enough_and_a_kill_loses_nothing(at_a_terminal, truth):
    process, terminal = at_a_terminal
    _until(terminal, b"1 of 3", b"uit? ")
    os.write(terminal, b"d")
    _until(terminal, b"2 of 3", b"uit? ")
    process.kill()
    process.wait()
    assert labels(truth) == [("different", "different"), ("different", ""), ("", "")]


def test_breaking_off_at_a_terminal_is_a_stop(at_a_terminal, truth):
    process, terminal = at_a_terminal
    _until(terminal, b"1 of 3", b"uit? ")
    os.write(terminal, b"s")
    _until(terminal, b"2 of 3", b"uit? ")
    process.send_signal(signal.SIGINT)
    _until(terminal, b"1 answered")
    assert labels(truth)[0] == ("same", "same")


def test_keys_may_be_pressed_ahead_and_an_arrow_is_no_letter(at_a_terminal, truth):
    _, terminal = at_a_terminal
    _until(terminal, b"1 of 3", b"uit? ")
    os.write(terminal, b"\x1b[D")
    _until(terminal, b"uit? ")
    os.write(terminal, b"sdq")
    _until(terminal, b"2 answered")
    assert [label for label, _ in labels(truth)] == ["same", "different", ""]


def _until(terminal, *pieces):
    """Read what the command prints until all of these have appeared, in this order."""
    text = b""
    for piece in pieces:
        while piece not in text:
            assert select.select([terminal], [], [], 60)[0], f"{piece!r} never came, but {text!r}"
            text += os.read(terminal, 4096)
        text = text.partition(piece)[2]
