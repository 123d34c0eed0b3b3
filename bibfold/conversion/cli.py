"""The command that converts files."""

from pathlib import Path

import click
import msgspec

from bibfold.console import echo
from bibfold.conversion.convert import convert as convert_stream
from bibfold.options import (
    DEAD_LETTERS,
    WRITABLE,
    Remarks,
    files_argument,
    input_options,
    json_option,
    output_options,
    writing_options,
)
from bibfold.outputs import Output
from bibfold.records.formats import Options
from bibfold.records.formats.files import Read

OUT = click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The output file, which replaces that of an earlier conversion; standard output by default.",
)


@click.command()
@files_argument
@click.option("--to", required=True, type=click.Choice(WRITABLE), help="The output format.")
@output_options(out=(OUT, None))
@writing_options
@input_options
@json_option
def convert(files: tuple[str, ...], to: str, out: Output | None, options: Options, read: Read, as_json: bool) -> None:
    """Convert files into another format; nothing is folded.

    FILES may be of different formats; a file named - is standard input.
    """
    remarks = Remarks()
    counts = convert_stream(
        read(files),
        to,
        out,
        options,
        lambda letter: remarks(f"{letter.file}, {letter.position}: {letter.reason}"),
    )
    remarks.close()
    sentence = f"{counts.records} records written as {to}, {counts.dead_letters} dead letters"
    echo(msgspec.json.encode(counts).decode() if as_json else sentence, err=out is None)
    if counts.dead_letters:
        click.get_current_context().exit(DEAD_LETTERS)
