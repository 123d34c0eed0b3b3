"""Options that several commands share, and how their values become settings."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from bibfold.errors import InputError, SettingsError
from bibfold.progress import Progress
from bibfold.records.formats.files import Files
from bibfold.settings import SETTINGS, checked, from_environment, from_file

Command = TypeVar("Command", bound=Callable[..., Any])

DEAD_LETTERS = 3
"""Exit status: done, but some input could not be read."""

REMARKS = 10
"""How many remarks of a run are shown; the rest are counted."""


def setting_options(*names: str) -> Callable[[Command], Command]:
    """Flags for these settings and `--config` for a file of them; the command gets `layers`."""

    def add(command: Command) -> Command:
        @wraps(command)
        def with_layers(config: Path | None, **values: Any) -> Any:
            flags = {name: values.pop(name) for name in names}
            return command(layers=layers(config, flags), **values)

        decorated: Any = with_layers
        for setting in reversed([setting for setting in SETTINGS if setting.name in names]):
            flag = f"--{setting.name.replace('_', '-')}"
            declared = f"{flag}/--no-{setting.name}" if isinstance(setting.default, bool) else flag
            decorated = click.option(declared, setting.name, default=None, help=setting.help)(decorated)
        file = click.Path(path_type=Path, dir_okay=False)
        return click.option("--config", type=file, help="A TOML file of settings.")(decorated)  # type: ignore[no-any-return]

    return add


MATCHING = ("engine", "profile", "same", "unsure", "top_n", "retriever", "identifiers", "languages")
FOLDING = (*MATCHING, "bridge", "canonical", "trust", "batch_size", "outage")


def layers(config: Path | None = None, flags: Mapping[str, Any] = {}) -> list[dict[str, Any]]:
    """Explicit settings, weakest first: the file's, the environment's, the flags'."""
    return [from_file(config) if config else {}, from_environment(os.environ), checked(flags)]


def _single(ctx: click.Context, parameter: click.Parameter, values: tuple[Path, ...]) -> Path | None:
    if len(values) > 1:
        raise SettingsError(f"--catalogue was given {len(values)} times; a command works on one catalogue at a time")
    return values[0] if values else None


catalogue_option = click.option(
    "--catalogue",
    "-c",
    multiple=True,
    required=True,
    callback=_single,
    type=click.Path(path_type=Path, file_okay=False),
    help="The catalogue's folder.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for programs.")

note_option = click.option("--note", default="", help="Why, kept with the event.")


Read = Callable[[Sequence[str]], Files]
"""Reads files as the flags say."""


def input_options(command: Command) -> Command:
    """Flags that say how files are read; the command gets `read`."""

    @wraps(command)
    def with_read(form: str | None, source: str | None, maps: tuple[str, ...], **values: Any) -> Any:
        named = columns(maps)

        def read(paths: Sequence[str]) -> Files:
            _check_there(paths)
            return Files(tuple(paths), form, source, named)

        return command(read=read, **values)

    decorated: Any = with_read
    for option in (
        click.option("--map", "maps", multiple=True, metavar="COLUMN=FIELD", help="For CSV: what a column holds."),
        click.option("--source", help="The source's name, where records do not carry one."),
        click.option("--format", "form", help="The input's format; found out by its content if not given."),
    ):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


def _check_there(paths: Sequence[str]) -> None:
    """Refuse a mistyped name at once, not when the files before it have been read."""
    for path in paths:
        if path != "-" and not Path(path).exists():
            raise InputError(f"{path}: no such file")


def columns(maps: Iterable[str]) -> dict[str, str]:
    """The column map that `--map` flags make up."""
    pairs = [text.partition("=") for text in maps]
    for column, sign, field in pairs:
        if not (column and sign and field):
            raise SettingsError(f"--map {column}{sign}{field}: expected COLUMN=FIELD, such as --map Titel=title")
    return {column: field for column, _, field in pairs}


class Remarks:
    """Shows the first remarks of a run on the terminal's error stream and counts the rest."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, text: str) -> None:
        """Show a remark."""
        self.count += 1
        if self.count <= REMARKS:
            say(text)

    def close(self) -> None:
        """Say how many were not shown."""
        if self.count > REMARKS:
            say(f"{self.count - REMARKS} more notes like these")


def say(text: str) -> None:
    """Tell something on the terminal's error stream."""
    click.echo(f"note: {text}", err=True)


progress_option = click.option(
    "--progress/--no-progress",
    "shown",
    default=None,
    help="Say how far it has got, how fast it goes and how long it will take; by default on a terminal only.",
)


@contextmanager
def progress(label: str, total: int = 0, shown: bool | None = None) -> Iterator[Callable[..., None]]:
    """A report of how far a command has got, by default on a terminal only.

    Told how many are done in all; of how many may be told now, then, or never.
    """
    if not (sys.stderr.isatty() if shown is None else shown):
        yield lambda done, of=0: None
        return
    with closing(Progress(label, sys.stderr)) as bar:
        yield lambda done, of=total: bar(done, of)
