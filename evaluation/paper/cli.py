"""The command that reproduces the paper's tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from bibfold.console import echo, echo_json
from bibfold.errors import InputError
from bibfold.options import json_option, say, setting_options
from bibfold.progress import progress
from bibfold.workspace import Layers
from evaluation.benchmark.sets import find
from evaluation.options import data_option, markdown_option, report_option, seed_option
from evaluation.paper.study import NEEDS, PaperTable, Size, Study
from evaluation.report.page import Section, table_html, write_report
from evaluation.runs import EvaluationRun, settings_data, this_version
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
    help="How many clean records get noisy copies.",
)
@click.option(
    "--pairs", type=click.IntRange(1), default=10_000, show_default=True, help="How many pairs of each class are drawn."
)
@markdown_option
@setting_options("engine")
@seed_option
@report_option
@json_option
def tables(numbers: tuple[str, ...], data_folders: tuple[Path, ...], layers: Layers, **how: Any) -> None:
    """Make the paper's tables from public data, beside its own figures.

    Hammerton et al.: On generating large-scale ground truth datasets for the deduplication of bibliographic records.
    Mendeley's data is not public: arXiv and the ACL Anthology with generated noise, Cora, and two more sets replace it;
    docs/papers/mendeley.md describes the differences.
    """
    size = Size(how["records"], how["pairs"], how["seed"])
    study = Study(size, layers, data_folders)
    chosen = _chosen(numbers, data_folders)
    made: list[PaperTable] = []
    with progress("tables", len(chosen)) as on_progress:
        for number in chosen:
            on_progress(len(made))
            made.append(study.table(number))
    if how["report"]:
        settings = {**msgspec.structs.asdict(size), "table": [paper_table.number for paper_table in made]}
        settings["engine"] = settings_data(layers, ("engine",))["engine"]
        figures = {f"table {paper_table.number}": msgspec.to_builtins(paper_table) for paper_table in made}
        run = EvaluationRun("tables", this_version(), settings, {}, figures)
        write_report(how["report"], "The paper's tables", run, [_section(paper_table) for paper_table in made])
    for paper_table in made:
        if how["as_json"]:
            echo_json(paper_table)
        else:
            echo(*_lines(paper_table, as_markdown=how["as_markdown"]))


def _chosen(numbers: Sequence[str], data_folders: Sequence[Path]) -> list[int]:
    """The numbers of the tables asked for, or of all whose data sets are present."""
    absent = {number: [name for name in sets if not find(name, data_folders)] for number, sets in NEEDS.items()}
    selected = [int(number) for number in numbers] or list(NEEDS)
    lacking = {number: absent[number] for number in selected if absent[number]}
    reasons = "; ".join(f"table {number} needs {', '.join(names)}" for number, names in lacking.items())
    if lacking and (numbers or len(lacking) == len(selected)):
        raise InputError(f"{reasons}; name the folder of the sets with --data or BIBFOLD_DATA")
    if lacking:
        say(f"skipped: {reasons}; name the folder of the sets with --data or BIBFOLD_DATA")
    return [number for number in selected if number not in lacking]


def _lines(paper_table: PaperTable, *, as_markdown: bool) -> list[str]:
    if as_markdown:
        caption = f"**Table {paper_table.number}. {paper_table.title}.** Ours: {paper_table.made_from}."
        return [caption, "", *markdown(paper_table.header, paper_table.rows), ""]
    return [
        f"Table {paper_table.number}. {paper_table.title}; ours: {paper_table.made_from}",
        *table(paper_table.header, paper_table.rows),
        "",
    ]


def _section(paper_table: PaperTable) -> Section:
    return Section(
        f"Table {paper_table.number}",
        table_html(paper_table.header, paper_table.rows),
        f"{paper_table.title}. Ours: {paper_table.made_from}.",
    )
