"""What commands print: lines that people read, made safe to look at, and JSON for programs."""

import sys
from contextlib import suppress
from typing import Any

import click

from bibfold.display import visible, visible_json
from bibfold.shell import printing


def echo(*lines: str, err: bool = False) -> None:
    """Print lines on the standard output; on the error stream nothing stops a command, not even that it is closed."""
    for line in lines:
        with suppress(OSError) if err else printing():
            click.echo(visible(line), err=err)


def echo_json(value: Any) -> None:
    """Print a value as a line of JSON."""
    import msgspec  # the list of commands does without

    with printing():
        click.echo(visible_json(msgspec.json.encode(value)))


def print_all() -> None:
    """See to it that all that was printed is out."""
    with printing():
        sys.stdout.flush()
