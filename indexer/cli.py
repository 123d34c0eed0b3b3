"""The commands that look after the index."""

from contextlib import closing
from pathlib import Path

import click
import msgspec

from bibfold.engines import open_engine
from bibfold.options import catalogue_option, json_option, progress_option, say, setting_options
from bibfold.progress import progress
from bibfold.settings import layers as no_flags
from bibfold.settings import resolve
from bibfold.workspace import Layers, opened
from indexer import build, listing
from indexer import check as checking

NAMED = 5
"""How many ids of a kind of difference are shown."""


@click.command()
@catalogue_option
@setting_options("engine", "languages", "retriever", "outage")
@progress_option
@json_option
def reindex(catalogue: Path, layers: Layers, shown: bool | None, as_json: bool) -> None:
    """Build the index anew and publish it.

    The published one answers until the new one is whole, and is dropped then. An ingest may go on meanwhile, but
    not while engine, languages or retriever are changed. A build that was stopped goes on where it stood.
    """
    with opened(catalogue, layers, rebuild=True) as workspace:
        with progress("indexing", shown=shown) as advance:
            index = build.reindex(workspace, build.Observer(advance, say))
        documents = workspace.engine.count(index)
    click.echo(
        msgspec.json.encode({"index": index, "documents": documents})
        if as_json
        else f"{index} is published: {documents} documents"
    )


@click.command()
@catalogue_option
@click.option("--repair", is_flag=True, help="Mend the index where it differs.")
@json_option
def check(catalogue: Path, repair: bool, as_json: bool) -> None:
    """Compare catalogue and index, and mend the index.

    Exit status 1 if they differ and were not mended.
    """
    with opened(catalogue, no_flags(), write=repair) as workspace:
        found = checking.repair(workspace) if repair else checking.check(workspace)
    if as_json:
        click.echo(msgspec.json.encode({"agree": found.agree, **msgspec.structs.asdict(found)}))
    else:
        click.echo(f"{found.clusters} clusters, {found.documents} documents, {found.outbox} waiting in the outbox")
        for name in ("missing", "outdated", "surplus"):
            ids = getattr(found, name)
            if ids:
                click.echo(f"  {len(ids)} {name}: {' '.join(ids[:NAMED])}{' …' if len(ids) > NAMED else ''}")
        for id, reason in found.refused.items():
            click.echo(f"  {id} is refused by the engine: {reason}")
        if found.half_built:
            click.echo(f"  {found.half_built} is half built; `bibfold reindex` builds it, or goes on with it")
        click.echo(_verdict(found, repair))
    if found.refused or not (found.agree or repair):
        click.get_current_context().exit(1)


def _verdict(found: checking.Differences, repair: bool) -> str:
    if found.agree:
        return "they agree"
    return "mended" + (" but for what was refused" if found.refused else "") if repair else "they differ"


@click.command()
@click.option("--catalogue", "-c", type=click.Path(path_type=Path, file_okay=False), help="Ask the catalogue's engine.")
@setting_options("engine")
@json_option
def engines(catalogue: Path | None, layers: Layers, as_json: bool) -> None:
    """List the search engines and the indexes they hold.

    Which are installed; and of the one with the address, or the catalogue's: whether it answers, its version, and
    bibfold's indexes in it, each with alias, documents, version of its keys, and whether it is half built.
    """
    rows: list[msgspec.Struct] = [*listing.kinds()]
    if catalogue is not None:
        with opened(catalogue, layers) as workspace:
            rows += listing.asked(workspace.address, workspace.engine)
    elif address := resolve(layers).engine:
        with closing(open_engine(address)) as engine:
            rows += listing.asked(address, engine)
    for row in rows:
        told = {name: value for name, value in msgspec.structs.asdict(row).items() if value != ""}
        words = (f"{name.replace('_', ' ')}: {value}" for name, value in told.items())
        click.echo(msgspec.json.encode(row) if as_json else "  ".join(words))
