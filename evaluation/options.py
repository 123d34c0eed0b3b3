"""Options that the commands of `evaluate` share, and where they look for data sets."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from bibfold.options import output_options, setting_options
from bibfold.settings import MATCHING, checked
from evaluation.benchmark.sets import data_folders

Command = TypeVar("Command", bound=Callable[..., Any])

records_argument = click.argument("records")
truth_argument = click.argument("truth")

judged_option = click.option("--judged", help="A file of record keys, one per line: only pairs with one of them count.")
skip_unknown_option = click.option(
    "--skip-unknown", is_flag=True, help="Skip pairs that name records which the file does not hold."
)
seed_option = click.option("--seed", type=int, default=0, show_default=True, help="The random seed.")
strip_option = click.option(
    "--strip-identifiers",
    is_flag=True,
    help="Remove the records' identifiers first, to measure the other fields alone.",
)


def _data_folders(context: click.Context, parameter: click.Parameter, data: Path | None) -> tuple[Path, ...]:
    """Only the folder that a flag names; one that BIBFOLD_DATA names beside the sets that ship."""
    named = context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
    return (data,) if data and named else data_folders(data)


data_option = click.option(
    "--data",
    "data_folders",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    envvar="BIBFOLD_DATA",
    callback=_data_folders,
    help="The folder of the data sets, each in a folder of its own; by default BIBFOLD_DATA, and the sets that ship.",
)
markdown_option = click.option("--markdown", "as_markdown", is_flag=True, help="Tables in markdown.")
REPORT = click.option(
    "--report",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for the report: index.html and run.json.",
)
REPORT_FILES = ("index.html", "run.json")
report_option = output_options(report=(REPORT, REPORT_FILES))


def matching_options(*more: str) -> Callable[[Command], Command]:
    """Flags for how records are matched, and `--threshold` for `--same` and `--unsure` at once; adds `layers`."""

    def add(command: Command) -> Command:
        @wraps(command)
        def with_threshold(threshold: str | None, layers: list[dict[str, Any]], **values: Any) -> Any:
            both = checked({"same": threshold, "unsure": threshold})
            return command(layers=[*layers, both], **values)

        option = click.option(
            "--threshold", help="Same from this score on, else different: --same and --unsure in one."
        )
        decorated: Any = setting_options(*MATCHING, *more)(option(with_threshold))
        return decorated  # type: ignore[no-any-return]

    return add


def input_data() -> dict[str, Any]:
    """The input flags of the current command, for its run file."""
    given = click.get_current_context().params
    return {"format": given.get("form"), "source": given.get("source"), "map": list(given.get("maps") or ())}
