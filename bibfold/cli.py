"""The `bibfold` command: a table of names; each program's own `cli` module holds what they do."""

import sys
from collections.abc import Mapping
from importlib import import_module
from io import TextIOWrapper
from typing import Any, Final

import click

from bibfold.errors import BibfoldError

Commands = Mapping[str, tuple[str, str]]
"""For each command where it lives and what it is for."""

COMMANDS: Final[Commands] = {
    "dedupe": ("ingest.cli:dedupe", "Fold files once and write the result into a folder."),
    "link": ("ingest.cli:link", "Match the records of one source to those of another."),
    "ingest": ("ingest.cli:ingest", "Fold files into a catalogue, which is kept."),
    "lookup": ("lookup.cli:lookup", "Look records up: decision, candidates and reasons."),
    "compare": ("lookup.cli:compare", "Compare pairs of records, without an index."),
    "show": ("bibfold.catalogue.cli:show", "Show a cluster: its canonical record and its members."),
    "stats": ("bibfold.catalogue.cli:stats", "Count what a catalogue holds."),
    "events": ("bibfold.catalogue.cli:events", "List what happened to clusters, and why."),
    "reviews": ("bibfold.catalogue.cli:reviews", "List the pairs that a person should decide."),
    "dead-letters": ("bibfold.catalogue.cli:dead_letters", "List what could not be read, where it stood and why."),
    "export": ("bibfold.catalogue.cli:export", "Write the canonical records in another format."),
    "merge": ("ingest.cli:merge", "Make clusters one."),
    "split": ("ingest.cli:split", "Take records out of a cluster into a new one."),
    "decide": ("ingest.cli:decide", "Say whether two records are the same work, for good."),
    "check": ("indexer.cli:check", "Compare catalogue and index, and mend the index."),
    "reindex": ("indexer.cli:reindex", "Build the index anew and publish it."),
    "evaluate": ("evaluation.cli:evaluate", "Measure results, metrics and candidates against known pairs."),
    "profiles": ("lookup.cli:profiles", "List the metrics and what they are made of."),
    "engines": ("indexer.cli:engines", "List the search engines and the indexes they hold."),
    "formats": ("bibfold.about.cli:formats", "List the formats that are read and written."),
    "settings": ("bibfold.about.cli:settings", "List the settings, their values and where they come from."),
}
"""Every command; `evaluate` has a table of its own."""


class Lazy(click.Group):
    """A group that knows its commands by a table alone and imports the one that is asked for."""

    def __init__(self, *args: Any, table: Commands, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the table's order."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command that was asked for."""
        if cmd_name not in self.table:
            return None
        module, name = self.table[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.table.items()])


@click.command(cls=Lazy, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="bibfold")
def root() -> None:
    """Fold duplicate bibliographic records into one canonical record each, as they arrive.

    Exit status: 0 done, 1 a clear error, 3 done with dead letters.
    """


def main() -> None:
    """Run the command; a user's mistake is a message, without a traceback."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a letter that the terminal lacks is no reason to stop
    try:
        sys.exit(root.main(prog_name="bibfold", standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
    except click.ClickException as error:
        error.show()
        sys.exit(1)
    except (click.Abort, KeyboardInterrupt):
        click.echo("\nstopped; a catalogue keeps what was folded so far, the same command again goes on", err=True)
        sys.exit(130)
    except BibfoldError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
