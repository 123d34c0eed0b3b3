"""The commands that maintain the index; each imports what it runs when it runs."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from bibfold.console import echo, echo_json
from bibfold.errors import SettingsError
from bibfold.options import catalogue_option, json_option, progress_option, say, setting_options
from bibfold.progress import progress
from bibfold.settings import resolve

if TYPE_CHECKING:
    from bibfold.workspace import Layers
    from indexer.check import Differences

NAMED = 5
"""How many ids of a kind of difference are shown."""


@click.command()
@catalogue_option
@setting_options("engine", "languages", "retriever", "outage", "wait")
@progress_option
@json_option
def reindex(catalogue: Path, layers: "Layers", shown: bool | None, as_json: bool) -> None:
    """Rebuild the index from the catalogue and publish it.

    The published index answers lookups until the new one is complete, and is removed then. An ingest may run
    meanwhile, unless --engine, --languages or --retriever changes. A build that was interrupted is resumed.
    """
    from bibfold.workspace import opened
    from indexer import build

    with opened(catalogue, layers, rebuild=True) as workspace:
        with progress("indexing", shown=shown) as advance:
            index = build.reindex(workspace, build.Observer(advance, say))
        documents = workspace.engine.count(index)
    if as_json:
        echo_json({"index": index, "documents": documents})
    else:
        echo(f"{index} is published: {documents} documents")


@click.command()
@catalogue_option
@click.option("--repair", is_flag=True, help="Correct the index where it differs.")
@click.option(
    "--quick",
    is_flag=True,
    help="Compare ids only: leave out the database's own check and do not read every record and document back.",
)
@setting_options("wait")
@json_option
def check(catalogue: Path, repair: bool, quick: bool, layers: "Layers", as_json: bool) -> None:
    """Compare the index with the catalogue, and repair it if asked.

    Checks the database's pages and the content of every record, the files of the index, and every document of the
    index against its cluster. An ingest may run meanwhile. A damaged index is built anew by `bibfold reindex`; a
    damaged catalogue is to be restored from a backup.

    Exit status 1 if they differ and the index was not repaired, or if one of them is damaged.
    """
    from bibfold.workspace import opened
    from indexer import check as checking

    if repair and quick:
        raise SettingsError("--quick looks at ids alone and --repair at everything; give one of them")
    with opened(catalogue, layers, write=repair) as workspace:
        found = checking.repair(workspace) if repair else checking.check(workspace, quick=quick)
    if as_json:
        echo_json({"agree": found.agree, **msgspec.structs.asdict(found)})
    else:
        if not found.damaged:
            echo(f"{found.clusters} clusters, {found.documents} documents, {found.outbox} waiting in the outbox")
        for name in ("missing", "outdated", "surplus"):
            ids = getattr(found, name)
            if ids:
                echo(f"  {len(ids)} {name}: {' '.join(ids[:NAMED])}{' …' if len(ids) > NAMED else ''}")
        for id, reason in found.refused.items():
            echo(f"  {id} is refused by the engine: {reason}")
        if found.half_built:
            echo(f"  {found.half_built} is half built; `bibfold reindex` builds it, or goes on with it")
        for finding in (*found.damaged_catalogue, *found.damaged_index):
            echo(f"  {finding}")
        echo(_verdict(found, repair))
    if found.refused or found.damaged or not (found.agree or repair):
        click.get_current_context().exit(1)


def _verdict(found: "Differences", repair: bool) -> str:
    if found.damaged_catalogue:
        return "the catalogue is damaged: restore it from a backup"
    if found.damaged_index:
        return "the index is damaged: run `bibfold reindex`"
    if found.agree:
        return "they agree"
    return "repaired" + (", except for what was refused" if found.refused else "") if repair else "they differ"


@click.command()
@click.option(
    "--catalogue",
    "-c",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Ask the catalogue's engine.",
)
@setting_options("engine")
@json_option
def engines(catalogue: Path | None, layers: "Layers", as_json: bool) -> None:
    """List the search engines and the indexes they hold.

    Lists which engines are installed. With --engine or --catalogue also whether that engine answers, its version, and
    its indexes: alias, number of documents, version of the keys, and whether the index is incomplete.
    """
    from bibfold.engines import open_engine
    from bibfold.workspace import opened
    from indexer import listing

    rows: list[msgspec.Struct] = [*listing.kinds()]
    if catalogue is not None:
        with opened(catalogue, layers) as workspace:
            rows += listing.asked(workspace.address, workspace.engine)
    elif address := resolve(layers).engine:
        with closing(open_engine(address)) as engine:
            rows += listing.asked(address, engine)
    for row in rows:
        filled = {name: value for name, value in msgspec.structs.asdict(row).items() if value != ""}
        words = (f"{name.replace('_', ' ')}: {value}" for name, value in filled.items())
        if as_json:
            echo_json(row)
        else:
            echo("  ".join(words))
