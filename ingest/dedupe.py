"""Folds files once and writes the result into a folder; nothing else is kept."""

import csv
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec

from bibfold.catalogue.exports import canonical_lines, memberships
from bibfold.outputs import Output, as_output, output_folder
from bibfold.records.model import DeadLetter, Record
from bibfold.workspace import Layers, Workspace, throw_away
from ingest.observer import BatchFolded, Observer
from ingest.results import PAIR_HEADER, pair_row, peak_memory_mb, write_letter, write_summary
from ingest.run import Totals, collector_at_rest, fold_stream

FILES = ("clusters.csv", "canonical.jsonl", "pairs.csv", "dead-letters.jsonl", "summary.json")


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
    stream: Iterable[Record | DeadLetter], out: Path | Output, layers: Layers = (), observer: Observer | None = None
) -> Summary:
    """Fold a stream of records and write clusters, canonical records, pairs, dead letters and a summary."""
    started = time.monotonic()
    observer = observer or Observer()
    with (
        collector_at_rest(),
        output_folder(as_output(out, "bibfold dedupe"), FILES) as folder,
        throw_away(layers, history=False) as workspace,
        (folder / "pairs.csv").open("w", newline="", encoding="utf-8") as pairs,
        (folder / "dead-letters.jsonl").open("wb") as letters,
    ):
        rows = csv.writer(pairs)
        rows.writerow(PAIR_HEADER)

        def write_pairs(event: BatchFolded) -> None:
            rows.writerows(map(pair_row, event.pairs))
            observer.batch(event)

        writer = msgspec.structs.replace(
            observer,
            batch=write_pairs,
            letter=lambda letter: observer.letter(write_letter(letter, letters)),
        )
        totals = fold_stream(workspace, stream, "dedupe", writer)
        canonical = _write_clusters(workspace, folder)
        summary = _summary(totals, canonical, time.monotonic() - started)
        write_summary(folder, summary)
    return summary


def _write_clusters(workspace: Workspace, folder: Path) -> int:
    with workspace.catalogue.reading() as read:
        with (folder / "clusters.csv").open("w", newline="", encoding="utf-8") as out:
            rows = csv.writer(out)
            rows.writerow(("cluster", "source", "id"))
            rows.writerows(memberships(read))
        with (folder / "canonical.jsonl").open("wb") as lines:
            lines.writelines(canonical_lines(read))
        return read.count_standing()


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
