"""Options that the commands of `evaluate` share."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from bibfold.options import setting_options
from bibfold.settings import MATCHING, checked

Command = TypeVar("Command", bound=Callable[..., Any])

records_argument = click.argument("records")
truth_argument = click.argument("truth")

judged_option = click.option("--judged", help="A file of records, one a line: only pairs with one of them count.")
skip_unknown_option = click.option(
    "--skip-unknown", is_flag=True, help="Go on without the pairs that name records which are not there."
)
seed_option = click.option("--seed", type=int, default=0, show_default=True, help="Where chance begins.")
strip_option = click.option(
    "--strip-identifiers", is_flag=True, help="Take the records' identifiers away first: what the rest alone decides."
)
data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="The folder of the sets, each in a folder of its own; by default BIBFOLD_DATA, and those that ship.",
)
markdown_option = click.option("--markdown", "as_markdown", is_flag=True, help="Tables in markdown.")
report_option = click.option(
    "--report",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for the report: index.html and run.json.",
)


def matching_options(*more: str) -> Callable[[Command], Command]:
    """Flags for how records are matched, and `--threshold` for one that decides alone; the command gets `layers`."""

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
    """How this command was told to read files, as a run file keeps it."""
    given = click.get_current_context().params
    return {"format": given.get("form"), "source": given.get("source"), "map": list(given.get("maps") or ())}
