"""`dedupe`: six files with fixed headers, every record once, nothing else left behind."""

import csv
import gzip
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bibfold.errors import BibfoldError, InputError, SettingsError
from bibfold.records.formats.files import Files, read_files
from bibfold.records.model import DeadLetter, Record
from ingest import prefetch
from ingest.dedupe import Review, dedupe
from ingest.observer import BatchFolded, Observer

Make = Callable[..., Record]

FILES = [
    ".bibfold.json",
    "canonical.jsonl",
    "clusters.csv",
    "dead-letters.jsonl",
    "pairs.csv",
    "prisma.svg",
    "summary.json",
]
LETTER = DeadLetter(file="a.ris", position="line 3", reason="no title", raw="TY")


def rows(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def lines(path: Path) -> list[dict[str, object]]:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


def test_the_six_files(tmp_path: Path, make: Make) -> None:
    stream: list[Record | DeadLetter] = [
        make("1"),
        make("2", 1, source="y, z"),
        make("3"),
        LETTER,
        make("4", 1),
        make("3"),
    ]
    out = tmp_path / "out"
    summary = dedupe(stream, out)
    assert sorted(path.name for path in out.iterdir()) == FILES
    assert rows(out / "clusters.csv") == [
        ["cluster", "source", "id"],
        ["c1", "x", "1"],
        ["c1", "x", "3"],
        ["c2", "y, z", "2"],
        ["c2", "x", "4"],
    ]
    header, *pairs = rows(out / "pairs.csv")
    assert header == ["a", "b", "score", "decision", "reason"]
    assert [(a, b, decision) for a, b, _, decision, _ in pairs] == [("x:3", "x:1", "same"), ("x:4", "y, z:2", "same")]
    assert all(0 <= float(row[2]) <= 1 and row[4] for row in pairs)
    assert [(one["cluster"], one["records"]) for one in lines(out / "canonical.jsonl")] == [
        ("c1", ["x:1", "x:3"]),
        ("c2", ["y, z:2", "x:4"]),
    ]
    assert lines(out / "dead-letters.jsonl") == [msgspec.to_builtins(LETTER)]
    told = msgspec.json.decode((out / "summary.json").read_bytes())
    assert told == msgspec.to_builtins(summary)
    assert list(told) == [
        "records",
        "canonical",
        "duplicates",
        "deleted",
        "unsure",
        "settled",
        "dead_letters",
        "seconds",
        "peak_memory_mb",
        "prisma",
    ]
    assert [told[name] for name in list(told)[:7]] == [4, 2, 2, 0, 0, 0, 1]
    assert told["prisma"] == {
        "identified": 5,
        "sources": {"x": 3, "y, z": 1},
        "repeated": 1,
        "duplicates_removed": 3,
        "left": 2,
        "unreadable": 1,
    }
    assert "<text" in (out / "prisma.svg").read_text(encoding="utf-8")


def test_the_folded_set_for_review_tools(tmp_path: Path, make: Make) -> None:
    out = tmp_path / "out"
    dedupe([make("1", source="pubmed"), make("2", source="embase"), make("3", 1)], out, review=Review(("ris", "csv")))
    assert sorted({path.name for path in out.iterdir()} - set(FILES)) == ["canonical.csv", "canonical.ris"]
    ris = (out / "canonical.ris").read_text(encoding="utf-8")
    assert "N1  - Found in: pubmed, embase\nN1  - Records folded: 2 (pubmed:1, embase:2)\n" in ris
    assert "bibfold: {" not in ris
    header, first, second = rows(out / "canonical.csv")
    assert header[-3:] == ["found_in", "record_ids", "records_folded"]
    assert first[-3:] == ["pubmed; embase", "pubmed:1; embase:2", "2"]
    assert second[-3:] == ["x", "x:3", "1"]


def test_the_folded_set_is_read_by_endnote_and_under_a_tools_columns(tmp_path: Path, make: Make) -> None:
    out = tmp_path / "out"
    dedupe([make("1"), make("2")], out, review=Review(("endnote", "csv"), "asreview"))
    (record,) = read_files([str(out / "canonical.xml")])
    assert isinstance(record, Record)
    assert record.title == make("1").title
    assert record.extra["notes"] == "Found in: x\nRecords folded: 2 (x:1, x:2)"
    assert rows(out / "canonical.csv")[0][:3] == ["\ufeffid", "title", "abstract"]


def test_unsure_pairs_are_listed_and_counted(tmp_path: Path, make: Make) -> None:
    stream = [make("1"), make("2", title="Folding duplicate cards")]
    summary = dedupe(stream, tmp_path / "out", [{"profile": "mendeley-title", "same": 0.9, "unsure": 0.2}])
    assert (summary.canonical, summary.unsure) == (2, 1)
    assert [row[3] for row in rows(tmp_path / "out" / "pairs.csv")[1:]] == ["unsure"]


def test_every_input_record_stands_in_the_clusters_exactly_once(tmp_path: Path, make: Make) -> None:
    stream = [make(str(at // 2), at % 6, source=f"s{at % 3}", pages=str(at)) for at in range(60)]
    dedupe(stream, tmp_path / "out", [{"batch_size": 7}])
    listed = [tuple(row[1:]) for row in rows(tmp_path / "out" / "clusters.csv")[1:]]
    assert len(listed) == len(set(listed)) == len(stream)


@pytest.mark.parametrize("engine", ["memory", "tantivy"])
def test_engines_fold_alike_and_leave_nothing(tmp_path: Path, make: Make, engine: str) -> None:
    summary = dedupe([make(str(at), at % 6) for at in range(18)], tmp_path / "out", [{"engine": engine}])
    assert (summary.records, summary.canonical) == (18, 6)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == FILES


def test_an_index_in_a_named_folder_is_dropped_at_the_end(tmp_path: Path, make: Make) -> None:
    dedupe([make("1")], tmp_path / "out", [{"engine": f"tantivy:{tmp_path / 'index'}"}])
    assert [path.name for path in (tmp_path / "index").iterdir() if not path.name.startswith(".")] == []


def test_a_run_that_fails_leaves_earlier_results_as_they_were(tmp_path: Path, make: Make) -> None:
    out = tmp_path / "out"
    dedupe([make("1")], out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    with pytest.raises(BibfoldError):
        dedupe(read_files([str(tmp_path / "absent.ris")]), out)
    with pytest.raises(SettingsError):
        dedupe([make("2", 1)], out, [{"profile": "nope"}])
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_a_folder_that_cannot_be_written_is_told_at_once(tmp_path: Path, make: Make) -> None:
    (tmp_path / "file").touch()
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InputError, match=r"file.* cannot be written: .*; name another place"):
            dedupe([make("1")], out)


def test_a_result_can_be_folded_again(tmp_path: Path, make: Make) -> None:
    dedupe([make("1"), make("2")], tmp_path / "a")
    dedupe(read_files([str(tmp_path / "a" / "canonical.jsonl")]), tmp_path / "b")
    (line,) = lines(tmp_path / "b" / "canonical.jsonl")
    assert (line["cluster"], line["records"]) == ("c1", ["x:1"])
    assert line["received"] == {
        "cluster": "c1",
        "records": ["x:1", "x:2"],
        "provenance": {"title": "x:1", "authors": "x:1", "year": "x:1"},
    }


def test_an_observer_is_told_all_that_is_written(tmp_path: Path, make: Make) -> None:
    events: list[BatchFolded] = []
    letters: list[DeadLetter] = []
    observer = Observer(batch=events.append, letter=letters.append)
    dedupe([make("1"), make("2"), LETTER], tmp_path / "out", observer=observer)
    assert [(pair.a, pair.b) for event in events for pair in event.pairs] == [("x:2", "x:1")]
    assert [one.cluster for event in events for one in event.placed()] == [1, 1]
    assert letters == [LETTER]
    assert len(rows(tmp_path / "out" / "pairs.csv")) == 2


def test_a_file_that_is_gone_is_not_taken_for_a_folder_that_cannot_be_written(
    tmp_path: Path, make: Make, write: Callable[..., str]
) -> None:
    files = Files((write("gone.jsonl", make("1")),))
    (tmp_path / "gone.jsonl").unlink()
    with pytest.raises(InputError, match=r"gone\.jsonl: no such file"):
        dedupe(files, tmp_path / "out")


SHIPPED = Path(__file__).parents[2] / "evaluation" / "data" / "dblp-acm" / "records.jsonl.gz"


def test_a_second_process_changes_no_byte_of_a_real_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    summaries = []
    for name, worth in (("one", 10**12), ("two", 0)):
        monkeypatch.setattr(prefetch, "WORTH_A_PROCESS", worth)
        assert prefetch.is_long(Files((str(SHIPPED),))) is (name == "two")
        summaries.append(dedupe(Files((str(SHIPPED),)), tmp_path / name))
    with gzip.open(SHIPPED) as file:
        assert summaries[0].records == sum(1 for _ in file)
    assert summaries[0].duplicates > 2_000
    for name in ("clusters.csv", "pairs.csv", "canonical.jsonl", "dead-letters.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
