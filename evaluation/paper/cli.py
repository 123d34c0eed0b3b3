"""The command that reproduces the paper's tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from bibfold.console import echo, echo_json
from bibfold.errors import SettingsError
from bibfold.options import input_options, json_option, output_options, setting_options
from bibfold.outputs import output_file
from bibfold.progress import progress
from bibfold.records.formats.files import Read
from bibfold.records.identifiers import PROPOSING
from bibfold.workspace import Layers
from evaluation.options import REPORT, REPORT_FILES, data_option, markdown_option, seed_option
from evaluation.paper.figures import PaperTable, Rows, beside
from evaluation.paper.makers import TABLES
from evaluation.paper.page import filled
from evaluation.paper.stand_ins import StandIn, by_identifiers
from evaluation.paper.study import Size, Study
from evaluation.records import read_records
from evaluation.report.page import Section, table_html, write_report
from evaluation.runs import EvaluationRun, settings_data, this_version
from evaluation.tables import markdown, table


@click.command()
@click.option(
    "--table",
    "numbers",
    multiple=True,
    type=click.Choice(list(TABLES)),
    help="A table by its number in the paper, or the section that has it in its text; may be repeated; all by default.",
)
@data_option
@click.option(
    "--records",
    type=click.IntRange(10),
    default=2_000,
    show_default=True,
    help="How many clean records get noisy copies.",
)
@click.option(
    "--pairs", type=click.IntRange(1), default=2_000, show_default=True, help="How many pairs of each class are drawn."
)
@click.option(
    "--noise", type=click.IntRange(1, 10), default=1, show_default=True, help="How often noise is applied to a copy."
)
@click.option(
    "--seeds",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    help="How many times each table is made, each time with the next seed; figures are means with 95 % intervals.",
)
@click.option("--documents", help="One's own documents, in place of the stand-ins.")
@click.option("--sources", help="With --documents: the source's own records of them.")
@click.option("--by", type=click.Choice(sorted(PROPOSING)), help="With --documents: the identifier that groups them.")
@output_options(
    page=(
        click.option(
            "--page",
            type=click.Path(path_type=Path, dir_okay=False),
            help="Write the whole page on the paper, with all tables, to this file.",
        ),
        None,
    ),
    report=(REPORT, REPORT_FILES),
)
@markdown_option
@input_options
@setting_options("engine")
@seed_option
@json_option
def tables(numbers: tuple[str, ...], data_folders: tuple[Path, ...], read: Read, layers: Layers, **how: Any) -> None:
    """Make the paper's tables from public data, beside its own figures.

    Hammerton et al.: On generating large-scale ground truth datasets for the deduplication of bibliographic records.
    Mendeley's data is not public: other sets replace it, the shipped ones where large ones are not found, and one's own
    documents where they are given; docs/papers/mendeley.md describes the differences. For example:
    bibfold evaluate tables --page mendeley.md; bibfold evaluate tables --table 4 --table 19 --seeds 5
    """
    size = Size(how["records"], how["pairs"], how["noise"], how["seed"])
    own = _own(read, how["documents"], how["sources"], how["by"])
    chosen = _chosen(numbers, how["by"] if own else None)
    if how["page"] and (numbers or own):
        raise SettingsError("--page: holds all tables, from public data; leave out --table and --documents")
    made = _made(
        chosen,
        [msgspec.structs.replace(size, seed=size.seed + at) for at in range(how["seeds"])],
        data_folders,
        layers,
        own,
    )
    if how["report"]:
        settings = {**msgspec.structs.asdict(size), "seeds": how["seeds"], "table": chosen}
        settings["engine"] = settings_data(layers, ("engine",))["engine"]
        figures = {f"table {paper_table.number}": msgspec.to_builtins(paper_table) for paper_table in made}
        run = EvaluationRun("tables", this_version(), settings, {}, figures)
        write_report(how["report"], "The paper's tables", run, [_section(paper_table) for paper_table in made])
    if how["page"]:
        texts = {found.number: "\n".join(_lines(found, as_markdown=True)) for found in made}
        with output_file(how["page"]) as file:
            file.write(filled(texts, size, how["seeds"]).encode())
        echo(f"{len(made)} tables; see {how['page'].path}")
        return
    for paper_table in made:
        if how["as_json"]:
            echo_json(paper_table)
        else:
            echo(*_lines(paper_table, as_markdown=how["as_markdown"]))


def _made(
    chosen: Sequence[str], sizes: Sequence[Size], data_folders: Sequence[Path], layers: Layers, own: StandIn | None
) -> list[PaperTable]:
    """The tables, from as many studies as there are seeds."""
    found: dict[str, list[Rows]] = {number: [] for number in chosen}
    made_from: dict[str, str] = {}
    with progress("tables", len(chosen) * len(sizes)) as on_progress:
        for at, size in enumerate(sizes):
            study = Study(size, layers, data_folders, (lambda: own) if own else None)
            for done, number in enumerate(chosen):
                on_progress(at * len(chosen) + done)
                rows, made_from[number] = TABLES[number].make(study)
                found[number].append(rows)
    return [
        beside(TABLES[number].layout, TABLES[number].published, found[number], made_from[number]) for number in chosen
    ]


def _own(read: Read, documents: str | None, sources: str | None, by: str | None) -> StandIn | None:
    if not documents:
        if sources or by:
            raise SettingsError("--sources, --by: belong to one's own documents; name their file with --documents")
        return None
    if not by:
        raise SettingsError("--documents: name the identifier that groups them with --by")
    imported = list(read_records(read([sources]))) if sources else []
    return by_identifiers("own documents", list(read_records(read([documents]))), imported, by)


def _chosen(numbers: Sequence[str], by: str | None) -> list[str]:
    """The tables asked for, or all; of one's own documents those that their identifier can make."""
    if by is None:
        return list(numbers) or list(TABLES)
    role = "filehash" if by == "filehash" else "arxiv"
    possible = [number for number, table in TABLES.items() if table.role == role or number in ("17", "21")]
    if wrong := [number for number in numbers if number not in possible]:
        raise SettingsError(f"--table {wrong[0]}: is not made from documents by {by}; choose {', '.join(possible)}")
    return list(numbers) or possible


def _lines(paper_table: PaperTable, *, as_markdown: bool) -> list[str]:
    name = f"Table {paper_table.number}" if paper_table.number.isdigit() else f"Section {paper_table.number}"
    if as_markdown:
        caption = f"**{name}. {paper_table.title}.** Ours: {paper_table.made_from}."
        return [caption, "", *markdown(paper_table.header, paper_table.rows), ""]
    head = f"{name}. {paper_table.title}; ours: {paper_table.made_from}"
    return [head, *table(paper_table.header, paper_table.rows), ""]


def _section(paper_table: PaperTable) -> Section:
    return Section(
        f"Table {paper_table.number}",
        table_html(paper_table.header, paper_table.rows),
        f"{paper_table.title}. Ours: {paper_table.made_from}.",
    )
