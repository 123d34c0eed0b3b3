"""Decisions from a CSV file: what is taken, what is told, and that one bad line holds nothing back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bibfold.errors import InputError
from bibfold.records.model import Record
from ingest.curation.decision_file import Row, read_rows

Make = Callable[..., Record]
Write = Callable[..., str]


def test_what_a_line_may_say(write: Write) -> None:
    text = b"""\xef\xbb\xbfA, b ,Verdict,more,note
x:1,x:2,same,?,"a note, with commas"
x:1, x:3 ,DIFFERENT,,

x:1,x:4,,,
x:1,x:5,unsure,,
x:1,,same,,
x:1,x:2,maybe,,
x:1,x:2,same,,,,
x:1,x:\xff,same,,
"""
    rows = list(read_rows(write("d.csv", text)))
    assert rows[:4] == [
        Row(2, "x:1", "x:2", "same", "a note, with commas"),
        Row(3, "x:1", "x:3", "different"),
        Row(5, "x:1", "x:4"),
        Row(6, "x:1", "x:5", "unsure"),
    ]
    assert [(row.line, row.problem.partition(";")[0]) for row in rows[4:]] == [
        (7, "a or b is empty"),
        (8, "verdict 'maybe': write same, different, or nothing to leave the pair open"),
        (9, "more columns than the first line names"),
        (10, "not UTF-8"),
    ]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"a,b\nx:1,x:2\n", "expected the columns a, b, verdict and perhaps note; verdict not found"),
        (b'a,b,verdict\nx:1,"x:2,same\n', "is not CSV"),
    ],
)
def test_what_is_no_file_of_decisions(write: Write, content: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        list(read_rows(write("d.csv", content)))


@pytest.fixture
def catalogue(kept: Path, make: Make, write: Write, bibfold: Callable[..., Any]) -> Path:
    bibfold("ingest", write("a.jsonl", make("1"), make("2"), make("3", 1), make("4", 2)), "-c", kept)
    return kept


def test_from_outside(catalogue: Path, write: Write, bibfold: Callable[..., Any]) -> None:
    lines = (
        b"a,b,verdict,note\nx:1,x:2,different,not at all\nx:9,x:1,same,\nx:3,x:4,same,\nx:1,x:4,nonsense,\nx:1,x:3,,\n"
    )
    ran = bibfold("review", "-c", catalogue, "--from", write("d.csv", lines))
    assert (ran.status, ran.out) == (3, "1 same, 1 different, 1 left open, 2 not taken\n")
    assert "note: line 3: no record 'x:9' here" in ran.err
    assert "note: line 5: verdict 'nonsense'" in ran.err
    found = bibfold("decisions", "-c", catalogue, "--json").json()
    assert {(one["a"], one["b"], one["verdict"], one["note"]) for one in found} == {
        ("x:1", "x:2", "different", "not at all"),
        ("x:3", "x:4", "same", ""),
    }
    ran = bibfold("review", "-c", catalogue, "--from", "-", "--json", stdin=b"a,b,verdict\nx:1,x:4,different\n")
    assert ran.json() == [{"same": 0, "different": 1, "left_open": 0, "problems": 0}]


def test_what_is_exported_can_be_taken(
    catalogue: Path, tmp_path: Path, write: Write, bibfold: Callable[..., Any]
) -> None:
    bibfold("decide", "x:1", "x:2", "different", "-c", catalogue, "--note", "so, it is")
    bibfold("merge", "c2", "c3", "-c", catalogue)
    table = bibfold("decisions", "-c", catalogue, "--csv").out
    other = tmp_path / "other"
    bibfold("ingest", tmp_path / "a.jsonl", "-c", other)
    assert bibfold("review", "-c", other, "--from", write("d.csv", table.encode())).status == 0
    kept = [{**one, "at": "", "command": ""} for one in bibfold("decisions", "-c", catalogue, "--json").json()]
    taken = [{**one, "at": "", "command": ""} for one in bibfold("decisions", "-c", other, "--json").json()]
    assert sorted(map(str, kept)) == sorted(map(str, taken))


def test_decisions_are_listed_and_undone(catalogue: Path, bibfold: Callable[..., Any]) -> None:
    bibfold("decide", "x:1", "x:3", "same", "-c", catalogue, "--note", "a look at the shelf")
    bibfold("split", "c1", "x:2", "-c", catalogue)
    lines = bibfold("decisions", "-c", catalogue).out.splitlines()
    assert any(line.endswith("x:1 same x:3: a look at the shelf") for line in lines)
    assert any(line.endswith("x:1 different x:2 (by split)") for line in lines)
    ran = bibfold("decisions", "-c", catalogue, "--undo", "x:1", "x:3")
    assert (ran.status, ran.out) == (1, "")
    assert "Error: cannot undo the decision: x:2 left the clusters since" in ran.err
    assert bibfold("decisions", "-c", catalogue, "--undo", "x:2", "x:1").out == "undone: x:2 is in c1, x:1 is in c1\n"
    assert bibfold("decisions", "-c", catalogue, "--undo", "x:1", "x:3", "--json").json() == [
        {"undone": ["x:1", "x:3"], "clusters": ["c1", "c2"]}
    ]
    assert bibfold("decisions", "-c", catalogue).out == ""
