"""Folds files once and writes the result into a folder; nothing else is kept."""

import csv
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from bibfold.catalogue.exports import canonical_lines, canonical_records, memberships
from bibfold.outputs import Output, as_output, output_folder
from bibfold.records.formats import FORMATS, Options, writer
from bibfold.records.model import Item
from bibfold.workspace import Layers, Workspace, throw_away
from ingest.observer import BatchFolded, Observer
from ingest.prisma import Prisma, diagram, prisma
from ingest.regroup import Change
from ingest.results import PAIR_HEADER, pair_row, peak_memory_mb, write_letter, write_summary
from ingest.run import Totals, collector_at_rest, fold_stream
from ingest.settle import in_doubt, settle
from lookup.matcher import matcher_of

FILES = ("clusters.csv", "canonical.jsonl", "pairs.csv", "dead-letters.jsonl", "summary.json", "prisma.svg")


class Summary(msgspec.Struct, frozen=True):
    """What a dedupe run found; `settled` is how many records its last pass moved to another cluster."""

    records: int
    canonical: int
    duplicates: int
    deleted: int
    unsure: int
    settled: int
    dead_letters: int
    seconds: float
    peak_memory_mb: int
    prisma: Prisma


class Review(msgspec.Struct, frozen=True):
    """The formats in which a reviewer wants the folded set, and the tool whose column names a table gets."""

    formats: Sequence[str] = ()
    columns: str = ""

    @property
    def files(self) -> Mapping[str, str]:
        """For each format the name of its file."""
        return {name: f"canonical{FORMATS[name].endings[0]}" for name in self.formats}


def dedupe(
    stream: Iterable[Item],
    out: Path | Output,
    layers: Layers = (),
    observer: Observer | None = None,
    review: Review = Review(),  # noqa: B008 - frozen
) -> Summary:
    """Fold a stream of records and write clusters, canonical records, pairs, dead letters and a summary.

    `review` adds the folded set in formats that review tools read.
    """
    started = time.monotonic()
    observer = observer or Observer()
    with (
        collector_at_rest(),
        output_folder(as_output(out, "bibfold dedupe"), (*FILES, *review.files.values())) as folder,
        throw_away(layers, history=False) as workspace,
        (folder / "pairs.csv").open("w", newline="", encoding="utf-8") as pairs,
        (folder / "dead-letters.jsonl").open("wb") as letters,
    ):
        rows = csv.writer(pairs)
        rows.writerow(PAIR_HEADER)
        moved: set[int] = set()

        def write_pairs(event: BatchFolded) -> None:
            rows.writerows(map(pair_row, event.pairs))
            observer.batch(event)

        def write_change(change: Change) -> None:
            moved.update(change.records)
            if change.kind != "split":
                rows.writerow(pair_row(change.pair))

        writer = msgspec.structs.replace(
            observer,
            batch=write_pairs,
            letter=lambda letter: observer.letter(write_letter(letter, letters)),
        )
        matcher = matcher_of(workspace.settings)
        totals = fold_stream(workspace, stream, "dedupe", writer, matcher)
        if workspace.settings.settle:
            settle(workspace, matcher, in_doubt(workspace), 0, write_change, observer.remark)
        flow = _write_clusters(workspace, folder, totals)
        _write_review(workspace, folder, review)
        summary = _summary(totals, flow, len(moved), time.monotonic() - started)
        write_summary(folder, summary)
    return summary


def _write_clusters(workspace: Workspace, folder: Path, totals: Totals) -> Prisma:
    sources: Counter[str] = Counter()
    with workspace.catalogue.reading() as read:
        with (folder / "clusters.csv").open("w", newline="", encoding="utf-8") as out:
            rows = csv.writer(out)
            rows.writerow(("cluster", "source", "id"))
            for row in memberships(read):
                sources[row[1]] += 1
                rows.writerow(row)
        with (folder / "canonical.jsonl").open("wb") as lines:
            lines.writelines(canonical_lines(read))
        left = read.count_standing()
    flow = prisma(sources, totals.unchanged, left, totals.dead_letters)
    (folder / "prisma.svg").write_text(diagram(flow), encoding="utf-8")
    return flow


def _write_review(workspace: Workspace, folder: Path, review: Review) -> None:
    """The folded set for review tools; `canonical.jsonl` beside it holds all, so no note needs to."""
    options = Options(plain=True, columns=review.columns)
    for name, file in review.files.items():
        with workspace.catalogue.reading() as read, (folder / file).open("wb") as out:
            writer(name)(canonical_records(read), out, options)


def _summary(totals: Totals, flow: Prisma, settled: int, seconds: float) -> Summary:
    records = sum(flow.sources.values())
    return Summary(
        records=records,
        canonical=flow.left,
        duplicates=records - flow.left,
        deleted=totals.deleted,
        unsure=totals.unsure,
        settled=settled,
        dead_letters=totals.dead_letters,
        seconds=round(seconds, 3),
        peak_memory_mb=peak_memory_mb(),
        prisma=flow,
    )
