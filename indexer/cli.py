"""The commands that look after the index."""

from pathlib import Path

import click
import msgspec

from bibfold.engines import ENGINES, installed
from bibfold.engines.names import key_version
from bibfold.options import catalogue_option, json_option, progress, setting_options
from bibfold.options import layers as no_flags
from bibfold.workspace import FIXED, Layers, Workspace, opened, remember
from indexer import build
from indexer import check as checking

NAMED = 5
"""How many ids of a kind of difference are shown."""


@click.command()
@catalogue_option
@setting_options("engine", "languages", "retriever")
@json_option
def reindex(catalogue: Path, layers: Layers, as_json: bool) -> None:
    """Build the index anew and publish it.

    The published one answers until the new one is whole, and is dropped then.
    """
    with opened(catalogue, layers, write=True, rebuild=True) as workspace:
        with progress("indexing") as advance:
            index = build.reindex(
                workspace.catalogue,
                workspace.engine,
                workspace.alias,
                workspace.keys,
                lambda done, _: advance(done),
            )
        remember(workspace, FIXED)
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
        click.echo("mended" if repair and not found.agree else "they agree" if found.agree else "they differ")
    if not found.agree and not repair:
        click.get_current_context().exit(1)


@click.command()
@click.option("--catalogue", "-c", type=click.Path(path_type=Path, file_okay=False), help="Show its index too.")
@json_option
def engines(catalogue: Path | None, as_json: bool) -> None:
    """List the search engines and the indexes they hold.

    With a catalogue, the index that it has published.
    """
    rows: list[dict[str, object]] = [
        {"engine": name, "installed": installed(name), "install": hint} for name, (_, hint) in ENGINES.items()
    ]
    if catalogue is not None:
        with opened(catalogue, no_flags()) as workspace:
            rows.append(_index_row(workspace))
    for row in rows:
        if as_json:
            click.echo(msgspec.json.encode(row))
        else:
            click.echo("  ".join(f"{name}: {value}" for name, value in row.items()))


def _index_row(workspace: Workspace) -> dict[str, object]:
    published = workspace.engine.published(workspace.alias)
    return {
        "alias": workspace.alias,
        "engine": workspace.settings.engine or "tantivy, in the catalogue's folder",
        "ready": workspace.engine.ready(),
        "index": published,
        "documents": workspace.engine.count(published) if published else 0,
        "key_version": key_version(published) if published else None,
    }
