"""No command writes over what it reads, what a catalogue needs or what somebody made; its own results it replaces."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from bibfold.errors import InputError
from bibfold.outputs import MARKER, Output, check_output, output_file, output_folder, output_table
from bibfold.records.model import Record

Make = Callable[..., Record]
Write = Callable[..., str]


def put(output: Output, content: bytes = b"x") -> None:
    with output_file(output) as file:
        file.write(content)


def test_a_command_replaces_what_it_wrote(tmp_path: Path) -> None:
    output = Output(tmp_path / "new" / "a", "bibfold export")
    put(output, b"1")
    put(output, b"2")
    assert output.path.read_bytes() == b"2"


@pytest.mark.parametrize("change", ["edited", "by another command", "never written by bibfold", "marker damaged"])
def test_what_else_is_there_needs_force(tmp_path: Path, change: str) -> None:
    output = Output(tmp_path / "a", "bibfold export")
    if change == "never written by bibfold":
        output.path.write_bytes(b"mine")
    else:
        put(output if change != "by another command" else msgspec.structs.replace(output, command="bibfold dedupe"))
    if change == "edited":
        output.path.write_bytes(b"y")
    if change == "marker damaged":
        (tmp_path / MARKER).write_bytes(b"{")
    before = output.path.read_bytes()
    with pytest.raises(InputError, match=r"a is there already, and `bibfold export` did not write it.*--force"):
        put(output, b"new")
    assert output.path.read_bytes() == before
    put(msgspec.structs.replace(output, force=True), b"new")
    assert output.path.read_bytes() == b"new"
    put(output, b"newer")


@pytest.mark.parametrize("way", ["same path", "hard link", "symbolic link", "standard input"])
def test_an_input_is_never_an_output(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(b"precious")
    given = str(path)
    if way == "hard link":
        out.hardlink_to(path)
    elif way == "symbolic link":
        out.symlink_to(path)
    else:
        out = path
    with path.open("rb") as stdin, monkeypatch.context() as patch:
        if way == "standard input":
            patch.setattr(sys, "stdin", SimpleNamespace(fileno=stdin.fileno))
            given = "-"
        with pytest.raises(InputError, match="is a file that this command reads; name another place"):
            put(Output(out, "bibfold export", (given,), force=True))
        with (
            pytest.raises(InputError, match="is a file that this command reads"),
            output_folder(Output(tmp_path, "bibfold dedupe", (given,), force=True), [out.name]),
        ):
            pass
    assert path.read_bytes() == b"precious"


@pytest.mark.parametrize("place", ["cat/catalogue.sqlite", "cat/new", "cat/index/deep/new", "link/new"])
def test_nothing_is_written_into_a_catalogue(tmp_path: Path, place: str) -> None:
    (tmp_path / "cat" / "index").mkdir(parents=True)
    (tmp_path / "cat" / "catalogue.sqlite").write_bytes(b"database")
    (tmp_path / "link").symlink_to(tmp_path / "cat")
    with pytest.raises(InputError, match="lies in the catalogue"):
        put(Output(tmp_path / place, "bibfold export", force=True))
    with (
        pytest.raises(InputError, match="lies in the catalogue"),
        output_folder(Output((tmp_path / place).parent, "bibfold dedupe", force=True)),
    ):
        pass
    assert (tmp_path / "cat" / "catalogue.sqlite").read_bytes() == b"database"


@pytest.mark.parametrize(
    "header", [b"a,b,label", b"a,b,decision,reviewed", b'\xef\xbb\xbf"a","b","Label"\r', b"label,a,b"]
)
def test_labels_of_a_person_are_never_replaced(tmp_path: Path, header: bytes) -> None:
    (tmp_path / "truth.csv").write_bytes(header + b"\n1,2,same\n")
    with pytest.raises(InputError, match=r"truth.csv holds labels, perhaps a person's work"):
        put(Output(tmp_path / "truth.csv", "bibfold evaluate sample", force=True))


def test_labels_that_the_command_drew_are_replaced(tmp_path: Path) -> None:
    output = Output(tmp_path / "truth.csv", "bibfold evaluate sample")
    for _ in range(2):
        with output_table(output) as rows:
            rows.writerow(("a", "b", "label"))
    assert output.path.read_bytes() == b"a,b,label\n"
    output.path.write_bytes(b"a,b,label\n1,2,same\n")
    with pytest.raises(InputError, match="holds labels"):
        put(output)


def test_of_a_folder_only_the_files_that_are_written_count(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"mine")
    for content in (b"1", b"2"):
        with output_folder(Output(tmp_path, "bibfold dedupe"), ["result"]) as folder:
            (folder / "result").write_bytes(content)
    assert (tmp_path / "result").read_bytes() == b"2"
    with (
        pytest.raises(InputError, match="mine is there already"),
        output_folder(Output(tmp_path, "bibfold dedupe")) as folder,
    ):
        (folder / "mine").write_bytes(b"theirs")
    assert (tmp_path / "mine").read_bytes() == b"mine"


def test_a_result_that_was_removed_is_forgotten(tmp_path: Path) -> None:
    put(Output(tmp_path / "a", "bibfold export"))
    (tmp_path / "a").unlink()
    put(Output(tmp_path / "b", "bibfold export"))
    assert list(msgspec.json.decode((tmp_path / MARKER).read_bytes())) == ["b"]


def test_a_check_changes_nothing(tmp_path: Path) -> None:
    check_output(Output(tmp_path / "below" / "a", "bibfold export"))
    check_output(Output(tmp_path / "below", "bibfold dedupe"), ["x"])
    assert not list(tmp_path.iterdir())


def test_the_outputs_of_all_commands_are_guarded(bibfold, write: Write, make: Make, tmp_path: Path, kept: Path) -> None:  # type: ignore[no-untyped-def]
    """Each line destroyed its input once."""
    records = [make(str(at), at // 2, identifiers={"doi": (f"10.1000/{at // 2}",)}) for at in range(12)]
    file = write("canonical.jsonl", *records)
    write("records.jsonl.gz", *records)
    gold = write("g.csv", b"a,b,label\nx:0,x:1,same\nx:0,x:2,different\n")
    assert bibfold("ingest", file, "-c", kept).status == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for words, reason in (
        (["export", "-c", kept, "--out", kept / "catalogue.sqlite"], "lies in the catalogue"),
        (["export", "-c", kept, "--out", file], "is there already"),
        (["dedupe", file, "--out", tmp_path], "is a file that this command reads"),
        (["dedupe", file, "--out", kept], "lies in the catalogue"),
        (["link", file, file, "--out", kept / "index"], "lies in the catalogue"),
        (["evaluate", "sample", file, "--method", "random", "--out", file], "is a file that this command reads"),
        (["evaluate", "sample", file, "--method", "random", "--out", gold, "--force"], "holds labels"),
        (["evaluate", "misses", file, gold, "--out", gold, "--force"], "is a file that this command reads"),
        (["evaluate", "noise", tmp_path / "records.jsonl.gz", "--out", tmp_path], "is a file that this command reads"),
        (["evaluate", "replay", file, gold, "--report", kept], "lies in the catalogue"),
    ):
        ran = bibfold(*words)
        assert (ran.status, reason in ran.err) == (1, True), (words, ran)
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert {path: content for path, content in after.items() if "lock" not in path.name} == {
        path: content for path, content in before.items() if "lock" not in path.name
    }
