"""Options that several commands share, and how their values become settings."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from bibfold.console import echo
from bibfold.errors import SettingsError
from bibfold.outputs import Output, check_output
from bibfold.records.formats import FORMATS, Options
from bibfold.records.formats.charset import from_shell
from bibfold.records.formats.files import Files
from bibfold.records.formats.streams import checked_encoding
from bibfold.settings import BY_NAME, SETTINGS, Setting, layers, resolve, split_names, unknown_variables

Command = TypeVar("Command", bound=Callable[..., Any])

WRITABLE = tuple(name for name, form in FORMATS.items() if form.writer)
"""The formats that can be written."""

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
            for variable in unknown_variables(os.environ):
                say(f"{variable} in the environment is no setting of bibfold's; `bibfold settings` lists them")
            return command(layers=layers(config, flags), **values)

        decorated: Any = with_layers
        for setting in reversed([setting for setting in SETTINGS if setting.name in names]):
            flag = f"--{setting.name.replace('_', '-')}"
            declared = f"{flag}/--no-{setting.name}" if isinstance(setting.default, bool) else flag
            decorated = click.option(
                declared,
                setting.name,
                type=_type(setting),
                metavar=setting.metavar or None,
                default=None,
                help=setting.help,
            )(decorated)
        return config_option(decorated)  # type: ignore[no-any-return]

    return add


def _type(setting: Setting) -> Any:
    """The click type of a setting's flag; the table's own checks come after it."""
    if setting.kind == "names":
        return split_names
    if setting.choices:
        return click.Choice(setting.choices)
    if setting.bounds:
        return (click.FloatRange if setting.kind == "number" else click.IntRange)(*setting.bounds)
    return None


config_option = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A TOML file of settings.",
)


def _single(ctx: click.Context, parameter: click.Parameter, values: tuple[Path, ...]) -> Path | None:
    if len(values) > 1:
        raise SettingsError(f"--catalogue was given {len(values)} times; a command works on one catalogue at a time")
    return values[0] if values else None


files_argument = click.argument("files", nargs=-1, required=True)

catalogue_option = click.option(
    "--catalogue",
    "-c",
    multiple=True,
    required=True,
    callback=_single,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The catalogue's folder.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per line, for programs.")


def _as_text(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The value of an option as text, whatever bytes it is made of."""
    return None if value is None else from_shell(value)


note_option = click.option(
    "--note", default="", metavar="TEXT", callback=_as_text, help="The reason; it is kept with the event."
)


def input_options(command: Command) -> Command:
    """Flags that say how files are read; the command gets `read`."""

    @wraps(command)
    def with_read(form: str | None, source: str | None, maps: tuple[str, ...], **values: Any) -> Any:
        encoding, strict = checked_encoding(values.pop("encoding")), values.pop("strict")
        largest_record = values.pop("largest_record")
        named = columns(maps)
        settings = resolve(layers(values.get("config"), {"largest_record": largest_record}))

        def read(paths: Sequence[str]) -> Files:
            return Files(
                tuple(paths),
                form,
                source,
                named,
                encoding=encoding,
                largest=settings.largest_record * 1_000_000,
                strict=strict,
            )

        return command(read=read, **values)

    decorated: Any = with_read
    for option in (
        click.option(
            "--map",
            "maps",
            multiple=True,
            metavar="COLUMN=FIELD",
            help="For CSV: the field that a column holds; may be repeated.",
        ),
        click.option(
            "--largest-record",
            type=_type(BY_NAME["largest_record"]),
            metavar="MB",
            default=None,
            help=BY_NAME["largest_record"].help,
        ),
        click.option(
            "--encoding",
            default="",
            metavar="NAME",
            help="The encoding of text that is neither UTF-8 nor Windows-1252, such as gbk or cp1251.",
        ),
        click.option("--source", metavar="NAME", callback=_as_text, help="The source of records that do not name one."),
        click.option(
            "--strict", is_flag=True, help="Stop at a file that is empty or cannot be read, even if there are others."
        ),
        click.option(
            "--format",
            "form",
            type=click.Choice(list(FORMATS)),
            help="The format of the input; by default it is detected from the content.",
        ),
    ):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


def output_options(**options: tuple[Callable[[Any], Any], Sequence[str] | None]) -> Callable[[Command], Command]:
    """Options that name an output, each with the files that it gets where it is a folder, and `--force`.

    The command gets an `Output` in place of each path, which was checked already.
    """

    def add(command: Command) -> Command:
        @wraps(command)
        def with_outputs(force: bool, **values: Any) -> Any:
            context = click.get_current_context()
            inputs = tuple(_texts(value for name, value in context.params.items() if name not in options))
            for name, (_, files) in options.items():
                if values[name] is not None:
                    values[name] = Output(values[name], context.command_path, inputs, force)
                    check_output(values[name], files)
            return command(**values)

        decorated: Any = click.option(
            "--force", is_flag=True, help="Replace files that this command did not write, or that were changed since."
        )(with_outputs)
        for option, _ in reversed(options.values()):
            decorated = option(decorated)
        return decorated  # type: ignore[no-any-return]

    return add


def checked_columns(columns: str | None, to: Sequence[str]) -> str:
    """The tool whose column names a table gets; refused where no table is written."""
    if columns and "csv" not in to:
        raise SettingsError(f"--columns {columns}: only a table has columns; add --to csv")
    return columns or ""


columns_option = click.option(
    "--columns",
    type=click.Choice(["asreview", "rayyan", "zotero"]),
    help="With --to csv: the tool whose column names the table gets; bibfold's own by default.",
)


def writing_options(command: Command) -> Command:
    """Flags that say how records are written; the command gets `options`."""

    @wraps(command)
    def with_options(to: str, plain: bool, columns: str | None, **values: Any) -> Any:
        return command(to=to, options=Options(plain, checked_columns(columns, [to])), **values)

    decorated: Any = columns_option(with_options)
    return click.option(  # type: ignore[no-any-return]
        "--plain",
        is_flag=True,
        help="Leave out the note that bibfold adds to a record where the format would lose something of it.",
    )(decorated)


def _texts(values: Iterable[Any]) -> Iterator[str]:
    """Every text and path among the values of a command's parameters."""
    for value in values:
        if isinstance(value, str | Path):
            yield str(value)
        elif isinstance(value, tuple | list):
            yield from _texts(value)


def columns(maps: Iterable[str]) -> dict[str, str]:
    """The column map that `--map` flags make up."""
    pairs = [text.partition("=") for text in maps]
    for column, sign, field in pairs:
        if not (column and sign and field):
            raise SettingsError(f"--map {column}{sign}{field}: expected COLUMN=FIELD, such as --map Titel=title")
    return {column: field for column, _, field in pairs}


class Remarks:
    """Shows the first remarks of a run on the error stream and counts the rest."""

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
    """Write a note to the error stream."""
    echo(f"note: {text}", err=True)


progress_option = click.option(
    "--progress/--no-progress",
    "shown",
    default=None,
    help="Show how much is done, how fast and how long the rest will take; by default only on a terminal.",
)
