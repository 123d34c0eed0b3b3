"""The files that a run leaves in a folder."""

import resource
import sys
from pathlib import Path
from typing import IO, Any

import msgspec

from bibfold.records.model import DeadLetter
from ingest.observer import Pair

PAIR_HEADER = ("a", "b", "score", "decision", "reason")


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
