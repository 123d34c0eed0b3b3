"""Ctrl-C, SIGTERM or SIGHUP in the middle: a status, a message, earlier results as they were, the next run goes on."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bibfold.catalogue import store
from bibfold.catalogue.views import statistics
from bibfold.errors import CatalogueError
from bibfold.records.model import Record
from bibfold.records.native import encode

Make = Callable[..., Record]

PROGRAM = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the tests deaf to Ctrl-C
import ingest.prefetch
from bibfold.cli import main
ingest.prefetch.WORTH_A_PROCESS = int(sys.argv.pop(1))
os.cpu_count = lambda: 2
main()
"""
"""The command, with a second process for files of as many bytes as its first word says."""

NEVER, ALWAYS = 10**9, 0


@contextmanager
def running(worth: int, *words: object) -> Iterator["subprocess.Popen[bytes]"]:
    """A command that may wait for more on its standard input."""
    command = [sys.executable, "-c", PROGRAM, str(worth), *map(str, words)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True) as started:
        try:
            yield started
        finally:
            started.kill()


def send(process: "subprocess.Popen[bytes]", records: list[Record]) -> None:
    assert process.stdin is not None
    process.stdin.write(b"".join(encode(record) + b"\n" for record in records))
    process.stdin.flush()


def wait_for(process: "subprocess.Popen[bytes]", condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        if process.poll() is not None:
            pytest.fail(f"the command ended too early: {process.communicate()[1].decode()}")
        time.sleep(0.05)
    pytest.fail("the command did not come as far in 30 s")


def stop(process: "subprocess.Popen[bytes]", number: int = signal.SIGINT) -> str:
    """Press Ctrl-C, which a terminal sends to all of a group, or send another signal; what the command says.

    All its processes have ended then.
    """
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (128 + number, b"")
    return err.decode()


def counted(folder: Path) -> int:
    try:
        with store.open_catalogue(folder) as catalogue, catalogue.reading() as read:
            return int(statistics(read)["records"])
    except CatalogueError:
        return 0


STOPPED = "stopped; the catalogue keeps what was folded so far; run the same command again to continue"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ingest(make: Make, kept: Path, write: Callable[..., str], bibfold: Callable[..., Any], number: int) -> None:
    records = [make(str(at), at % 6, abstract="long " * 200) for at in range(450)]
    with running(NEVER, "ingest", "-", "-c", kept, "--batch-size", "50") as process:
        send(process, records)
        wait_for(process, lambda: counted(kept) >= 200)
        assert stop(process, number).strip() == STOPPED
    before = counted(kept)
    assert before >= 200
    (totals,) = bibfold("ingest", write("a.jsonl", *records), "-c", kept, "--json").json()
    assert (totals["records"], totals["unchanged"]) == (450 - before, before)
    assert bibfold("check", "-c", kept).status == 0


@pytest.mark.parametrize("least", [0, 20], ids=["while the second process starts", "in the middle"])
def test_ingest_with_two_processes(
    make: Make, kept: Path, write: Callable[..., str], bibfold: Callable[..., Any], least: int
) -> None:
    records = [make(str(at), title=f"alpha{at} beta{at}", abstract="long " * 2_000) for at in range(500)]
    file = write("a.jsonl", *records)
    with running(ALWAYS, "ingest", file, "-c", kept, "--batch-size", "10") as process:
        wait_for(process, lambda: bool(readers(process.pid)) if least == 0 else counted(kept) >= least)
        assert stop(process).strip() == STOPPED
    before = counted(kept)
    assert least <= before < 500
    (totals,) = bibfold("ingest", file, "-c", kept, "--json").json()
    assert (totals["records"], totals["unchanged"]) == (500 - before, before)
    assert bibfold("check", "-c", kept).status == 0


def readers(pid: int) -> list[str]:
    """The second process, if there is one."""
    listed = subprocess.run(["ps", "-o", "args=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [line for line in listed.stdout.splitlines() if "ingest.reader" in line]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_dedupe(
    make: Make, tmp_path: Path, write: Callable[..., str], bibfold: Callable[..., Any], number: int
) -> None:
    out = tmp_path / "out"
    assert bibfold("dedupe", write("a.jsonl", make("1")), "--out", out).status == 0
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    with running(NEVER, "dedupe", "-", "--out", out) as process:
        send(process, [make(str(at), at % 6) for at in range(300)])
        wait_for(process, lambda: any(path.name.startswith(".unfinished-") for path in out.iterdir()))
        err = stop(process, number)
    assert err.strip() == "stopped; nothing is kept, and an earlier result is as it was"
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_a_long_standard_input_is_read_to_its_end(make: Make, tmp_path: Path) -> None:
    with running(ALWAYS, "dedupe", "-", "--out", tmp_path / "out", "--json") as process:
        records = [make(str(at), at % 6, abstract="long " * 50) for at in range(450)]
        out, err = process.communicate(b"".join(encode(record) + b"\n" for record in records), timeout=30)
    assert (process.returncode, err) == (0, b"")
    assert msgspec.json.decode(out)["records"] == 450


def test_under_nohup_a_closed_terminal_stops_nothing(make: Make, tmp_path: Path) -> None:
    program = PROGRAM.replace(
        "import ingest.prefetch", "signal.signal(signal.SIGHUP, signal.SIG_IGN); import ingest.prefetch"
    )
    command = [sys.executable, "-c", program, str(NEVER), "dedupe", "-", "--out", str(tmp_path / "out")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        wait_for(process, (tmp_path / "out").exists)
        process.send_signal(signal.SIGHUP)
        _, err = process.communicate(encode(make("1")) + b"\n", timeout=30)
    assert (process.returncode, err) == (0, b"")
