"""The commands that read a catalogue."""

from pathlib import Path
from typing import Any

import click
import msgspec

from bibfold.catalogue.export_file import export as export_file
from bibfold.catalogue.store import open_catalogue
from bibfold.catalogue.views import cluster_data, dead_letter_list, event_list, retired_data, statistics
from bibfold.console import echo, echo_json
from bibfold.options import WRITABLE, catalogue_option, json_option, output_options, writing_options
from bibfold.outputs import Output
from bibfold.records.formats import Options

LIMIT = click.option(
    "--limit",
    type=click.IntRange(1, 1_000_000_000),
    default=50,
    show_default=True,
    help="Maximum number of entries to list.",
)
OUT = click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The output file, which replaces that of an earlier export; standard output by default.",
)


@click.command()
@click.argument("name", metavar="CLUSTER|RECORD")
@catalogue_option
@json_option
def show(name: str, catalogue: Path, as_json: bool) -> None:
    """Show a cluster: its canonical record and its members.

    The cluster is named by its id, by an id that was merged into it, or by one of its records (source:id). An id whose
    records have all left is retired: what it held, and where that is now, is shown.
    """
    with open_catalogue(catalogue) as opened, opened.reading() as connection:
        retired = retired_data(connection, name)
        if retired is not None:
            echo_json(retired) if as_json else echo(retired["reason"])
            return
        data = cluster_data(connection, name)
    if as_json:
        echo_json(data)
        return
    echo(f"{data['cluster']}: {len(data['records'])} records")
    if data["redirected_from"]:
        echo(f"  merged into it: {', '.join(data['redirected_from'])}")
    for field, value in data["canonical"].items():
        given = data["provenance"].get(field)
        echo(f"  {field:<12} {_shown(value)}" + (f"  (from {given})" if given else ""))
    for record in data["records"]:
        echo(f"  - {record['source']}:{record['id']}: {_shown(record.get('title', ''))}")


@click.command()
@catalogue_option
@json_option
def stats(catalogue: Path, as_json: bool) -> None:
    """Show how many records, clusters and open reviews a catalogue holds."""
    with open_catalogue(catalogue) as opened, opened.reading() as connection:
        data = statistics(connection)
    if as_json:
        echo_json(data)
        return
    for name, value in data.items():
        echo(f"{name:<16} {_shown(value)}")


@click.command()
@click.argument("name", metavar="[CLUSTER|RECORD]", required=False)
@catalogue_option
@LIMIT
@json_option
def events(name: str | None, catalogue: Path, limit: int, as_json: bool) -> None:
    """List the changes of clusters, and why they were made.

    Newest first. The changes of one cluster include those of the clusters that were merged into it.
    """
    with open_catalogue(catalogue) as opened, opened.reading() as connection:
        for event in event_list(connection, name, limit):
            if as_json:
                echo_json(event)
                continue
            score = f" at {event['score']:.3f} by {event['profile']}" if event["score"] is not None else ""
            other = f" with {event['other']}" if event["other"] else ""
            what = f"{event['kind']}{other} {event['record'] or ''}"
            echo(f"{event['at']} {event['cluster']} {what}{score}: {event['cause']}")


@click.command()
@catalogue_option
@LIMIT
@click.option("--all", "every", is_flag=True, help="List also what is closed.")
@json_option
def dead_letters(catalogue: Path, limit: int, every: bool, as_json: bool) -> None:
    """List input that could not be read: where it was and why.

    Oldest first. With --json also the text itself, so that it can be corrected and ingested again. An entry is closed
    when its file is ingested again and read without it.
    """
    with open_catalogue(catalogue) as opened, opened.reading() as connection:
        for letter in dead_letter_list(connection, limit, every=every):
            if as_json:
                echo_json(letter)
            else:
                echo(f"{letter['at']} {letter['file']}, {letter['position']}: {letter['reason']}")


@click.command()
@catalogue_option
@click.option("--to", type=click.Choice(WRITABLE), default="jsonl", show_default=True, help="The output format.")
@click.option(
    "--former-ids",
    "former",
    is_flag=True,
    help="Instead list, as JSON, the cluster ids that no longer stand: where each leads, or that it is retired.",
)
@output_options(out=(OUT, None))
@writing_options
def export(catalogue: Path, to: str, out: Output | None, options: Options, former: bool) -> None:
    """Export the canonical records in any format that can be written.

    Each says where it was found and of how many records it is made. Example:

    bibfold export -c catalogue --to csv --columns asreview --out works.csv
    """
    with open_catalogue(catalogue) as opened:
        export_file(opened, to, out, options, former=former)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
