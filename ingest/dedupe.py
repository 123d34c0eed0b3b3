"""Folds files once and writes the result into a folder; nothing else is kept."""

import csv
import resource
import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import msgspec
from sqlalchemy import func, select

from bibfold.catalogue.exports import canonical_lines, memberships
from bibfold.catalogue.schema import clusters
from bibfold.errors import InputError
from bibfold.records.model import DeadLetter, Record
from bibfold.workspace import Layers, Workspace, throw_away
from ingest.decide import Pair
from ingest.run import Totals, Watcher, fold_stream
from lookup.explain import summary

PAIR_HEADER = ("a", "b", "score", "decision", "reason")


class Summary(msgspec.Struct, frozen=True):
    """What a dedupe run found."""

    records: int
    canonical: int
    duplicates: int
    unsure: int
    dead_letters: int
    seconds: float
    peak_memory_mb: int


def dedupe(
    stream: Iterable[Record | DeadLetter], out: Path, layers: Layers = (), watcher: Watcher | None = None
) -> Summary:
    """Fold a stream of records and write clusters, canonical records, pairs, dead letters and a summary."""
    started = time.monotonic()
    watcher = watcher or Watcher()
    folder = out_folder(out)
    with throw_away(layers) as workspace, ExitStack() as files:
        pairs = files.enter_context((folder / "pairs.csv").open("w", newline="", encoding="utf-8"))
        letters = files.enter_context((folder / "dead-letters.jsonl").open("wb"))
        rows = csv.writer(pairs)
        rows.writerow(PAIR_HEADER)
        told = msgspec.structs.replace(
            watcher,
            pairs=lambda found: rows.writerows(pair_row(pair) for pair in found),
            letter=lambda letter: watcher.letter(write_letter(letter, letters)),
        )
        totals = fold_stream(workspace, stream, "dedupe", told)
        canonical = _write_clusters(workspace, folder)
        summary_ = _summary(totals, canonical, time.monotonic() - started)
        (folder / "summary.json").write_bytes(msgspec.json.format(msgspec.json.encode(summary_)) + b"\n")
    return summary_


def out_folder(out: Path) -> Path:
    """The folder for results, made where it is not there."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / ".write-test"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise InputError(f"--out {out} cannot be written: {error.strerror}; name another folder") from error
    return out


def pair_row(pair: Pair) -> tuple[Any, ...]:
    """A line of `pairs.csv` or `links.csv`."""
    comparison = pair.comparison
    return pair.a, pair.b, f"{comparison.score:.4f}", comparison.decision, summary(comparison)


def write_letter(letter: DeadLetter, out: IO[bytes]) -> DeadLetter:
    """Write a line of `dead-letters.jsonl` and hand the letter on."""
    out.write(msgspec.json.encode(letter) + b"\n")
    return letter


def peak_memory_mb() -> int:
    """The most memory that this process has held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // (1024 * 1024 if sys.platform == "darwin" else 1024)


def _write_clusters(workspace: Workspace, folder: Path) -> int:
    with workspace.catalogue.reading() as connection:
        with (folder / "clusters.csv").open("w", newline="", encoding="utf-8") as out:
            rows = csv.writer(out)
            rows.writerow(("cluster", "source", "id"))
            rows.writerows(memberships(connection))
        with (folder / "canonical.jsonl").open("wb") as lines:
            lines.writelines(canonical_lines(connection))
        return connection.execute(select(func.count()).select_from(clusters).where(clusters.c.size > 0)).scalar_one()


def _summary(totals: Totals, canonical: int, seconds: float) -> Summary:
    return Summary(
        records=totals.records,
        canonical=canonical,
        duplicates=totals.records - canonical,
        unsure=totals.unsure,
        dead_letters=totals.dead_letters,
        seconds=round(seconds, 3),
        peak_memory_mb=peak_memory_mb(),
    )
