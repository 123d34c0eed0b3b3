"""Ctrl-C in the middle: status 130, a message, earlier results as they were, the next run goes on."""

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
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the tests deaf to Ctrl-C
import ingest.ahead
from bibfold.cli import main
ingest.ahead.SHORT = int(sys.argv.pop(1))
main()
"""
"""The command, with a second process for streams longer than its first word says."""


@contextmanager
def running(short: int, *words: object) -> Iterator["subprocess.Popen[bytes]"]:
    """A command that waits for more on its standard input."""
    command = [sys.executable, "-c", PROGRAM, str(short), *map(str, words)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as started:
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


def stop(process: "subprocess.Popen[bytes]") -> str:
    """Press Ctrl-C; what the command says."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, b"")
    return err.decode()


def counted(folder: Path) -> int:
    try:
        with store.open_catalogue(folder) as catalogue, catalogue.reading() as read:
            return int(statistics(read)["records"])
    except CatalogueError:
        return 0


@pytest.mark.parametrize("short", [10_000, 100], ids=["one process", "two processes"])
def test_ingest(make: Make, kept: Path, write: Callable[..., str], bibfold: Callable[..., Any], short: int) -> None:
    records = [make(str(at), at % 6, abstract="long " * 200) for at in range(450)]
    with running(short, "ingest", "-", "-c", kept, "--batch-size", "50") as process:
        send(process, records)
        wait_for(process, lambda: counted(kept) >= 200)
        err = stop(process)
    assert err.strip() == "stopped; a catalogue keeps what was folded so far; run the same command again to continue"
    before = counted(kept)
    assert before >= 200
    (totals,) = bibfold("ingest", write("a.jsonl", *records), "-c", kept, "--json").json()
    assert (totals["records"], totals["unchanged"]) == (450 - before, before)
    assert bibfold("check", "-c", kept).status == 0


def test_dedupe(make: Make, tmp_path: Path, write: Callable[..., str], bibfold: Callable[..., Any]) -> None:
    out = tmp_path / "out"
    assert bibfold("dedupe", write("a.jsonl", make("1")), "--out", out).status == 0
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    with running(10_000, "dedupe", "-", "--out", out) as process:
        send(process, [make(str(at), at % 6) for at in range(300)])
        wait_for(process, lambda: any(path.name.startswith(".unfinished-") for path in out.iterdir()))
        err = stop(process)
    assert "stopped" in err
    assert "Traceback" not in err
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_a_long_standard_input_is_read_to_its_end(make: Make, tmp_path: Path) -> None:
    with running(100, "dedupe", "-", "--out", tmp_path / "out", "--json") as process:
        records = [make(str(at), at % 6, abstract="long " * 50) for at in range(450)]
        out, err = process.communicate(b"".join(encode(record) + b"\n" for record in records), timeout=30)
    assert (process.returncode, err) == (0, b"")
    assert msgspec.json.decode(out)["records"] == 450
