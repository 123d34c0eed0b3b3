"""The commands that fold records and that change clusters by hand; each imports what it runs when it runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import msgspec

from bibfold.console import echo, echo_json
from bibfold.options import (
    DEAD_LETTERS,
    Remarks,
    catalogue_option,
    checked_columns,
    columns_option,
    files_argument,
    input_options,
    json_option,
    note_option,
    output_options,
    say,
    setting_options,
)
from bibfold.progress import progress
from bibfold.records.formats.files import Read
from bibfold.settings import DEDUPING, FOLDING, MATCHING, REPAIRING

if TYPE_CHECKING:
    from bibfold.outputs import Output
    from bibfold.workspace import Layers
    from ingest.observer import Observer
    from ingest.regroup import Change

OUT = click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder for the results; those of an earlier run are replaced.",
)


@contextmanager
def observing(label: str) -> Iterator["Observer"]:
    """An observer that shows progress, remarks and dead letters on the terminal."""
    from ingest.observer import Observer

    remarks = Remarks()
    with progress(label) as advance:
        yield Observer(
            remark=remarks,
            letter=lambda letter: remarks(f"{letter.file}, {letter.position}: {letter.reason}"),
            progress=advance,
            notice=say,
        )
    remarks.close()


def _finish(summary: msgspec.Struct, as_json: bool, sentence: str, dead_letters: int) -> None:
    if as_json:
        echo_json(summary)
    else:
        echo(sentence)
    if dead_letters:
        click.get_current_context().exit(DEAD_LETTERS)


@click.command()
@files_argument
@output_options(out=(OUT, ()))
@click.option(
    "--to",
    multiple=True,
    type=click.Choice(["ris", "endnote", "csv"]),
    help="Also write the folded set in this format, for review tools; may be repeated.",
)
@columns_option
@input_options
@setting_options(*DEDUPING)
@json_option
def dedupe(
    files: tuple[str, ...],
    out: "Output",
    to: tuple[str, ...],
    columns: str | None,
    read: Read,
    layers: "Layers",
    as_json: bool,
) -> None:
    """Deduplicate files once and write the result into a folder.

    FILES may be of different formats; a file named - is standard input. The folder gets clusters.csv (each record
    with its cluster), canonical.jsonl, pairs.csv (same and unsure pairs with score and reason), dead-letters.jsonl
    (what could not be read), summary.json and prisma.svg (the counts of a PRISMA flow diagram). With --to also the
    folded set as canonical.ris, canonical.xml or canonical.csv, each record with where it was found and how many were
    folded. The order of the records does not matter, unless --no-settle leaves out the last pass. Example:

    bibfold dedupe pubmed.nbib embase.ris scopus.csv --to ris --out folded/
    """
    from ingest.dedupe import Review
    from ingest.dedupe import dedupe as dedupe_stream

    review = Review(tuple(dict.fromkeys(to)), checked_columns(columns, to))
    with observing("folding") as observer:
        summary = dedupe_stream(read(files), out, layers, observer, review)
    sentence = (
        f"{summary.records} records are {summary.canonical} works: {summary.duplicates} duplicates folded, "
        f"{summary.unsure} pairs unsure, {summary.dead_letters} dead letters; "
        f"{summary.seconds:.1f} s, see {out.path}/"
    )
    _finish(summary, as_json, sentence, summary.dead_letters)


@click.command()
@click.argument("left")
@click.argument("right")
@output_options(out=(OUT, ()))
@click.option(
    "--one-to-one/--one-to-many",
    default=True,
    show_default=True,
    help="Whether a left record is linked to at most one right record, or to any number.",
)
@input_options
@setting_options(*MATCHING)
@json_option
def link(
    left: str,
    right: str,
    out: "Output",
    one_to_one: bool,
    read: Read,
    layers: "Layers",
    as_json: bool,
) -> None:
    """Match the records of one source to those of another.

    LEFT and RIGHT are files. The folder gets links.csv (same and unsure pairs with score and reason),
    dead-letters.jsonl and summary.json.
    """
    from ingest.link import link as link_streams

    summary = link_streams(read([left]), read([right]), out, layers, one_to_one=one_to_one)
    sentence = (
        f"{summary.left} left and {summary.right} right records: {summary.links} links, "
        f"{summary.unsure} unsure, {summary.dead_letters} dead letters; {summary.seconds:.1f} s, see {out.path}/"
    )
    _finish(summary, as_json, sentence, summary.dead_letters)


@click.command()
@files_argument
@catalogue_option
@input_options
@setting_options(*FOLDING, "wait")
@json_option
def ingest(
    files: tuple[str, ...],
    catalogue: Path,
    read: Read,
    layers: "Layers",
    as_json: bool,
) -> None:
    """Fold files into a catalogue, which is created if it is not there.

    FILES may be of different formats; a file named - is standard input. Records that the catalogue already holds
    unchanged are skipped, so that the same command can be repeated. Of a source and id the later file counts; within
    one file a second record of one id is kept as id~2. In BibTeX, RIS, CSV and EndNote an id is a label: records of
    two files are kept apart. Records that OAI-PMH or MARC marks as deleted are deleted.
    """
    from bibfold.workspace import opened
    from ingest.run import fold_stream

    stream = read(files)
    with (
        opened(catalogue, layers, write=True, create=True) as workspace,
        observing("folding") as observer,
    ):
        totals = fold_stream(workspace, stream, "ingest", observer)
    sentence = (
        f"{totals.records} records folded, {totals.clusters} of them new works; {totals.unchanged} unchanged, "
        f"{totals.deleted} deleted, {totals.unsure} pairs unsure, {totals.dead_letters} dead letters"
    )
    _finish(totals, as_json, sentence, totals.dead_letters)


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="CLUSTER CLUSTER...")
@catalogue_option
@note_option
@setting_options("wait")
def merge(names: tuple[str, ...], catalogue: Path, note: str, layers: "Layers") -> None:
    """Merge clusters into one.

    The oldest cluster remains, and the ids of the others redirect to it. A record (source:id) may be named in place
    of its cluster. Earlier decisions between their records are replaced. Prints the id of the cluster that remains.
    """
    from bibfold.workspace import opened
    from ingest import curate

    with opened(catalogue, layers, write=True) as workspace:
        echo(curate.merge(workspace, names, note, say))


@click.command()
@click.argument("cluster")
@click.argument("records", nargs=-1, required=True)
@catalogue_option
@note_option
@setting_options("wait")
def split(cluster: str, records: tuple[str, ...], catalogue: Path, note: str, layers: "Layers") -> None:
    """Move records out of a cluster into one of their own.

    RECORDS are named as source:id. No later run puts the two parts together again. Prints the id of their cluster: the
    one that they had before it was merged into the other, or else a new one.
    """
    from bibfold.workspace import opened
    from ingest import curate

    with opened(catalogue, layers, write=True) as workspace:
        echo(curate.split(workspace, cluster, records, note, say))


@click.command()
@click.argument("records", nargs=-1, required=True, metavar="RECORD...")
@catalogue_option
@note_option
@click.option("--purge", is_flag=True, help="Leave no trace of the records, for privacy.")
@json_option
@setting_options("wait")
def delete(records: tuple[str, ...], catalogue: Path, note: str, purge: bool, as_json: bool, layers: "Layers") -> None:
    """Delete records from a catalogue.

    RECORDS are named as source:id. The same content stays deleted when it is read again; other content under that name
    brings the record back. A cluster that is left without records is retired; its id says so, and is used again when
    the record comes back. With --purge nothing is left of a record in the catalogue (records, history, decisions,
    reviews, dead letters) and its index, not even that it was deleted: a file that still holds it brings it back.
    """
    from bibfold.workspace import opened
    from ingest import deletion

    with opened(catalogue, layers, write=True) as workspace:
        removed = deletion.delete(workspace, records, note, say, for_good=purge)
    for one in removed:
        if as_json:
            echo_json(one)
            continue
        left = f"{one.left} left in {one.cluster}" if one.left else f"{one.cluster} is retired"
        echo(f"{one.record}: {'purged' if purge else 'deleted'}" + (f"; {left}" if one.cluster else ""))


@click.command()
@click.argument("a")
@click.argument("b")
@click.argument("verdict", type=click.Choice(["same", "different"]))
@catalogue_option
@note_option
@click.option("--overrule", is_flag=True, help="Let earlier decisions that say otherwise fall, and say which.")
@setting_options("wait")
def decide(
    a: str,
    b: str,
    verdict: Literal["same", "different"],
    catalogue: Path,
    note: str,
    overrule: bool,
    layers: "Layers",
) -> None:
    """Decide whether two records are the same work.

    A and B are records, named as source:id. The decision is permanent: no later run changes it, only another
    decision on the same two records. Clusters are merged or split accordingly. A decision that contradicts earlier
    ones on other records (1 = 2 and 2 = 3, but 1 is not 3) is refused; with --overrule these fall.
    """
    from bibfold.workspace import opened
    from ingest import curate

    with opened(catalogue, layers, write=True) as workspace:
        clusters = curate.decide(workspace, a, b, verdict, note, say, overrule=overrule)
    echo(f"{a} is in {clusters[0]}, {b} in {clusters[1]}")


@click.command()
@catalogue_option
@click.option("--dry-run", is_flag=True, help="Print what would change, and change nothing.")
@setting_options(*REPAIRING, "wait")
@json_option
def repair(catalogue: Path, dry_run: bool, layers: "Layers", as_json: bool) -> None:
    """Settle what the order of arrival decided, or apply another profile.

    Every cluster is compared with those that hold the same work, record by record, and records are merged, moved or
    split off where most pairs say so. Decisions made by a person are kept, cluster ids stay valid, and every change
    is an event. A repair that was stopped continues where it was. A setting that is given, such as --profile, is
    kept with the catalogue.
    """
    from bibfold.workspace import opened
    from ingest.repair import change_data, change_line
    from ingest.repair import repair as repair_catalogue

    def show(change: "Change") -> None:
        echo_json(change_data(change)) if as_json else echo(change_line(change))

    with opened(catalogue, layers, write=not dry_run) as workspace, observing("examining") as observer:
        repaired = repair_catalogue(workspace, show, observer, dry_run=dry_run)
    if as_json:
        echo_json(repaired)
        return
    echo(
        f"{repaired.clusters} clusters examined{f' from {repaired.resumed} on' if repaired.resumed else ''}: "
        f"{repaired.merges} merged, {repaired.splits} split, {repaired.moves} moves"
        + ("; a dry run, nothing was changed" if dry_run else "")
    )
