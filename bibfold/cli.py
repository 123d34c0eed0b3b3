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
    "dedupe": ("ingest.cli:dedupe", "Deduplicate files once and write the result into a folder."),
    "link": ("ingest.cli:link", "Match the records of one source to those of another."),
    "ingest": ("ingest.cli:ingest", "Fold files into a catalogue, which is created if it is not there."),
    "lookup": ("lookup.cli:lookup", "Look records up: decision, candidates and reasons."),
    "compare": ("lookup.cli:compare", "Compare pairs of records, without an index."),
    "show": ("bibfold.catalogue.cli:show", "Show a cluster: its canonical record and its members."),
    "stats": ("bibfold.catalogue.cli:stats", "Show how many records, clusters and open reviews a catalogue holds."),
    "events": ("bibfold.catalogue.cli:events", "List the changes of clusters, and why they were made."),
    "reviews": ("ingest.curation.cli:reviews", "List the pairs that a person should decide."),
    "review": ("ingest.curation.cli:review", "Decide the doubtful pairs one by one, or from a file."),
    "decisions": ("ingest.curation.cli:decisions", "List, export and undo what a person decided."),
    "dead-letters": ("bibfold.catalogue.cli:dead_letters", "List input that could not be read: where it was and why."),
    "export": ("bibfold.catalogue.cli:export", "Export the canonical records in any format that can be written."),
    "merge": ("ingest.cli:merge", "Merge clusters into one."),
    "split": ("ingest.cli:split", "Move records out of a cluster into a new one."),
    "decide": ("ingest.cli:decide", "Decide whether two records are the same work."),
    "check": ("indexer.cli:check", "Compare the index with the catalogue, and repair it if asked."),
    "reindex": ("indexer.cli:reindex", "Rebuild the index from the catalogue and publish it."),
    "evaluate": ("evaluation.cli:evaluate", "Measure results, metrics and candidates against known pairs."),
    "profiles": (
        "lookup.cli:profiles",
        "List the profiles: the fields each compares, their weights, vetoes and thresholds.",
    ),
    "engines": ("indexer.cli:engines", "List the search engines and the indexes they hold."),
    "formats": ("bibfold.about.cli:formats", "List the formats that are read and written."),
    "settings": ("bibfold.about.cli:settings", "List the settings, their current values and where these come from."),
}
"""Every command; `evaluate` has a table of its own."""


class Lazy(click.Group):
    """A group that knows its commands by a table and imports only the command that is run."""

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

    Exit status: 0 success, 1 error (the message says what to do), 3 success, but some input could not be read.
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
        click.echo(
            "\nstopped; a catalogue keeps what was folded so far; run the same command again to continue", err=True
        )
        sys.exit(130)
    except BibfoldError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
