"""Commands in a shell that is not as it should be: closed and full streams, closed pipes, signals, foreign bytes."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bibfold.records.model import Record

Make = Callable[..., Record]
Write = Callable[..., str]


@pytest.fixture
def shell(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[bytes]"]:
    """Runs a line of shell, in which `bibfold` is the command."""

    def run(line: str, **environ: str) -> "subprocess.CompletedProcess[bytes]":
        command = f'set -o pipefail; bibfold() {{ "{sys.executable}" -m bibfold.cli "$@"; }}; {line}'
        variables = {**os.environ, **environ}
        return subprocess.run(
            ["bash", "-c", command], capture_output=True, cwd=tmp_path, env=variables, timeout=300, check=False
        )

    return run


@pytest.fixture
def filled(bibfold: Callable[..., Any], write: Write, make: Make, kept: Path) -> Path:
    """A catalogue of two works."""
    assert bibfold("ingest", write("a.jsonl", make("1"), make("2", 1)), "-c", kept).status == 0
    return kept


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("bibfold stats -c catalogue >&-", b"standard output cannot be written: Bad file descriptor"),
        ("bibfold stats -c catalogue > /dev/full", b"standard output cannot be written: No space left on device"),
        ("bibfold export -c catalogue > /dev/full", b"standard output cannot be written: No space left on device"),
        ("bibfold ingest - -c catalogue <&-", b"stdin: cannot be read: Bad file descriptor"),
    ],
)
def test_a_stream_that_is_closed_or_full_is_a_message(shell: Any, filled: Path, line: str, message: bytes) -> None:
    ran = shell(line)
    assert (ran.returncode, ran.stderr) == (1, b"Error: " + message + b"\n")


def test_without_an_error_stream_a_command_works(shell: Any, filled: Path) -> None:
    ran = shell("bibfold stats -c catalogue 2>&- && BIBFOLD_ODD=1 bibfold settings 2>/dev/full")
    assert (ran.returncode, b"records          2" in ran.stdout) == (0, True)
    assert shell("bibfold show c9 -c catalogue 2>&-").returncode == 1


def test_no_file_takes_the_place_of_a_closed_stream(shell: Any, write: Write, make: Make) -> None:
    write("a.jsonl", make("1"), make("2", 1))
    ran = shell("bibfold ingest a.jsonl -c new >&- 2>&- <&-; bibfold stats -c new --json; bibfold check -c new")
    assert ran.returncode == 0
    assert b'"records":2' in ran.stdout
    assert b"they agree" in ran.stdout


def test_a_closed_pipe_ends_a_command_quietly(shell: Any, bibfold: Any, write: Write, make: Make, kept: Path) -> None:
    file = write("a.jsonl", *(make(str(at), title=f"alpha{at} beta{at}" * 20) for at in range(500)))
    bibfold("ingest", file, "-c", kept)
    for command in ("export", "events --limit 1000"):
        ran = shell(f"bibfold {command} -c catalogue | head -1 > /dev/null")
        assert (ran.returncode, ran.stderr) == (128 + signal.SIGPIPE, b"")


def test_words_and_names_of_files_in_latin_1(shell: Any, bibfold: Any, make: Make, kept: Path, tmp_path: Path) -> None:
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/gr\xf6\xdfe.jsonl"))).write_bytes(b'{"id": "1", "title": "T"}\nno\n')
    line = "bibfold ingest gr$'\\xf6\\xdf'e.jsonl -c catalogue"
    assert shell(line).returncode == 3
    assert shell(f"{line} --source $'\\xfc'").returncode == 3
    assert shell("bibfold merge c1 c2 -c catalogue --note $'\\xc4hnlich'").returncode == 0
    assert set(bibfold("stats", "-c", kept, "--json").json()[0]["sources"]) == {"größe", "ü"}
    assert {letter["file"] for letter in bibfold("dead-letters", "-c", kept, "--json").json()} == {"größe.jsonl"}
    assert "Ähnlich" in bibfold("events", "-c", kept).out
    ran = shell("bibfold show $'\\xff' -c catalogue")
    assert (ran.returncode, ran.stderr) == (1, b"Error: \\udcff is not valid text in this terminal's encoding\n")


def test_a_long_file_with_a_name_in_latin_1_is_read_by_two_processes(
    bibfold: Any, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.prefetch.WORTH_A_PROCESS", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    path = os.fsdecode(os.fsencode(tmp_path) + b"/gr\xf6\xdfe.jsonl")
    Path(path).write_bytes(b'{"id": "1", "title": "T"}\n')
    assert bibfold("dedupe", path, "--out", tmp_path / "out").status == 0
    assert "größe,1" in (tmp_path / "out" / "clusters.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [["show", "c" + "9" * 30], ["show", "c" + "9" * 5000], ["events", "c" + "9" * 19]])
def test_a_cluster_beyond_64_bits_is_not_there(bibfold: Any, filled: Path, words: list[str]) -> None:
    ran = bibfold(*words, "-c", filled)
    assert (ran.status, "no cluster or record" in ran.err) == (1, True)


@pytest.mark.parametrize("command", ["events", "reviews", "dead-letters"])
def test_a_limit_beyond_64_bits_is_refused(bibfold: Any, filled: Path, command: str) -> None:
    ran = bibfold(command, "-c", filled, "--limit", "9" * 30)
    assert (ran.status, "is not in the range" in ran.err) == (1, True)


@pytest.mark.parametrize("debug", [[], ["--debug"]])
def test_any_other_error_is_one_line(
    bibfold: Any, filled: Path, monkeypatch: pytest.MonkeyPatch, debug: list[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("\x1bodd")

    monkeypatch.setattr("bibfold.catalogue.cli.statistics", broken)
    ran = bibfold(*debug, "stats", "-c", filled)
    *trace, line = ran.err.splitlines()
    assert ran.status == 1
    assert line.startswith("Error: bibfold failed through a fault of its own (ZeroDivisionError: \\x1bodd); nothing")
    assert ("Traceback" in "".join(trace)) == bool(debug)


def test_debug_shows_where_a_mistake_was_found(bibfold: Any, kept: Path) -> None:
    ran = bibfold("--debug", "stats", "-c", kept)
    assert (ran.status, "Traceback" in ran.err) == (1, True)
    assert ran.err.splitlines()[-1].startswith(f"Error: {kept} is no catalogue")


def test_control_characters_do_not_reach_the_terminal(bibfold: Any, write: Write, make: Make, kept: Path) -> None:
    odd = "\x1b[2J\x9b31m\u202e"
    records = [make(f"{at}{odd}", title=f"Folding {odd} records") for at in (1, 2)]
    file = write("a\x1b.jsonl", *records, b"no\x1b\n")
    ran = [bibfold("ingest", file, "-c", kept)]
    for words in (
        ["show", "c1"],
        ["show", "c1", "--json"],
        ["events"],
        ["events", "--json"],
        ["dead-letters"],
        ["stats"],
        ["lookup", file],
        ["lookup", file, "--json"],
        ["show", f"c1{odd}"],
    ):
        ran.append(bibfold(*words, "-c", kept))
    ran.append(bibfold("compare", write("b.jsonl", make(f"1{odd}", title=odd)), write("c.jsonl", make("2", title=odd))))
    ran.append(bibfold("dedupe", f"absent{odd}", "--out", kept))
    for one in ran:
        assert all(char.isprintable() or char == "\n" for char in one.out + one.err), one
    assert sum("\\x1b" in one.out + one.err or "\\u001b" in one.out for one in ran) >= 9


def test_an_export_at_a_terminal_shows_no_control_characters(filled: Path, shell: Any, bibfold: Any) -> None:
    code = f"import pty, sys; sys.exit(pty.spawn([{sys.executable!r}, '-m', 'bibfold.cli', *sys.argv[1:]]))"
    bibfold("ingest", "-", "-c", filled, stdin=b'{"source": "x", "id": "\\u009b", "title": "a\\u007f"}\n')
    ran = subprocess.run(
        [sys.executable, "-c", code, "export", "-c", filled], capture_output=True, check=True, timeout=300
    )
    assert ran.stdout.count(b"\r\n") == 3
    assert "\x9b".encode() not in ran.stdout
    assert b"\\x9b" in ran.stdout
    assert "\x9b".encode() in shell("bibfold export -c catalogue | cat").stdout


def test_a_table_for_people_holds_no_formulas_and_reads_back(
    bibfold: Any, write: Write, make: Make, kept: Path
) -> None:
    bibfold("ingest", write("a.jsonl", make("=1", title="=cmd|'/c calc'!A1", year=-400)), "-c", kept)
    ran = bibfold("export", "-c", kept, "--to", "csv")
    assert ",'=cmd|" in ran.out
    assert ",-400," in ran.out
    again = kept.with_name("again.csv")
    again.write_text(ran.out, encoding="utf-8")
    assert bibfold("ingest", again, "-c", kept.with_name("new")).status == 0
    (shown,) = bibfold("show", "c1", "-c", kept.with_name("new"), "--json").json()
    assert shown["canonical"]["title"] == "=cmd|'/c calc'!A1"


def test_files_for_programs_keep_ids(bibfold: Any, write: Write, make: Make, tmp_path: Path) -> None:
    bibfold("dedupe", write("a.jsonl", make("=1"), make("=2")), "--out", tmp_path / "out")
    assert "c1,x,=1" in (tmp_path / "out" / "clusters.csv").read_text().splitlines()
    assert "x:=2,x:=1," in (tmp_path / "out" / "pairs.csv").read_text()
