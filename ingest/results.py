"""The files that a run leaves in a folder: all of them when it is done, none of them before."""

import resource
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec

from bibfold.errors import InputError
from bibfold.records.model import DeadLetter
from ingest.observer import Pair

PAIR_HEADER = ("a", "b", "score", "decision", "reason")


@contextmanager
def results(out: Path) -> Iterator[Path]:
    """A folder to write into, whose files move to `out` at the end; a run that fails leaves `out` as it was."""
    unfinished = out / f".unfinished-{secrets.token_hex(4)}"
    try:
        out.mkdir(parents=True, exist_ok=True)
        unfinished.mkdir()
        yield unfinished
        for file in unfinished.iterdir():
            file.replace(out / file.name)
    except OSError as error:
        raise InputError(f"--out {out} cannot be written: {error.strerror or error}; name another folder") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def pair_row(pair: Pair) -> tuple[Any, ...]:
    """A line of `pairs.csv` or `links.csv`."""
    comparison = pair.comparison
    return pair.a, pair.b, f"{comparison.score:.4f}", comparison.decision, comparison.summary


def write_letter(letter: DeadLetter, out: IO[bytes]) -> DeadLetter:
    """Write a line of `dead-letters.jsonl` and hand the letter on."""
    out.write(msgspec.json.encode(letter) + b"\n")
    return letter


def write_summary(folder: Path, summary_: msgspec.Struct) -> None:
    """Write `summary.json`."""
    (folder / "summary.json").write_bytes(msgspec.json.format(msgspec.json.encode(summary_)) + b"\n")


def peak_memory_mb() -> int:
    """The most memory that this process has held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // (1024 * 1024 if sys.platform == "darwin" else 1024)
