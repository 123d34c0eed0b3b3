"""The command that makes the paper's tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from bibfold.errors import InputError
from bibfold.options import json_option, say, setting_options
from bibfold.progress import progress
from bibfold.workspace import Layers
from evaluation.benchmark.sets import find
from evaluation.options import data_option, markdown_option, report_option, seed_option
from evaluation.paper.study import NEEDS, Size, Study, Table
from evaluation.report.page import Section, table_html, write_report
from evaluation.runs import Run, settings_data, this_version
from evaluation.tables import markdown, table


@click.command()
@click.option(
    "--table",
    "numbers",
    multiple=True,
    type=click.Choice([str(number) for number in NEEDS]),
    help="A table by its number in the paper, may be repeated; all by default.",
)
@data_option
@click.option(
    "--records",
    type=click.IntRange(10),
    default=10_000,
    show_default=True,
    help="How many clean records noisy copies are made of.",
)
@click.option(
    "--pairs", type=click.IntRange(1), default=10_000, show_default=True, help="How many pairs of each class are drawn."
)
@markdown_option
@setting_options("engine")
@seed_option
@report_option
@json_option
def tables(numbers: tuple[str, ...], data: Path | None, layers: Layers, **how: Any) -> None:
    """Make the paper's tables from public data, beside its own figures.

    Hammerton et al.: On generating large-scale ground truth datasets for the deduplication of bibliographic records.
    Mendeley's data is not public: arXiv and the ACL Anthology with made noise, Cora, and two more sets stand in for it;
    docs/evaluation.md says how they differ.
    """
    size = Size(how["records"], how["pairs"], how["seed"])
    study = Study(size, layers, data)
    chosen = _chosen(numbers, data)
    made: list[Table] = []
    with progress("tables", len(chosen)) as told:
        for number in chosen:
            told(len(made))
            made.append(study.table(number))
    if how["report"]:
        settings = {**msgspec.structs.asdict(size), "table": [one.number for one in made]}
        settings["engine"] = settings_data(layers)["engine"]
        figures = {f"table {one.number}": msgspec.to_builtins(one) for one in made}
        run = Run("tables", this_version(), settings, {}, figures)
        write_report(how["report"], "The paper's tables", run, [_section(one) for one in made])
    for one in made:
        click.echo(msgspec.json.encode(one) if how["as_json"] else _text(one, as_markdown=how["as_markdown"]))


def _chosen(numbers: Sequence[str], data: Path | None) -> list[int]:
    """The tables asked for, or all whose sets are there."""
    absent = {number: [name for name in sets if not find(name, data)] for number, sets in NEEDS.items()}
    wanted = [int(number) for number in numbers] or list(NEEDS)
    lacking = {number: absent[number] for number in wanted if absent[number]}
    told = "; ".join(f"table {number} needs {', '.join(names)}" for number, names in lacking.items())
    if lacking and (numbers or len(lacking) == len(wanted)):
        raise InputError(f"{told}; name the folder of the sets with --data or BIBFOLD_DATA")
    if lacking:
        say(f"passed over: {told}; name the folder of the sets with --data or BIBFOLD_DATA")
    return [number for number in wanted if number not in lacking]


def _text(one: Table, *, as_markdown: bool) -> str:
    if as_markdown:
        return f"**Table {one.number}. {one.title}.** Ours: {one.made_from}.\n\n{markdown(one.header, one.rows)}\n"
    return "\n".join([f"Table {one.number}. {one.title}; ours: {one.made_from}", *table(one.header, one.rows), ""])


def _section(one: Table) -> Section:
    return Section(f"Table {one.number}", table_html(one.header, one.rows), f"{one.title}. Ours: {one.made_from}.")
