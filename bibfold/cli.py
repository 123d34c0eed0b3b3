"""The `bibfold` command: a table of names; each program's own `cli` module holds what they do."""

import sys
import traceback
from collections.abc import Mapping
from importlib import import_module
from io import StringIO
from typing import Any, Final

import click

from bibfold.console import echo, print_all
from bibfold.errors import BibfoldError
from bibfold.shell import PIPE_CLOSED, Interrupted, PipeClosed, drop_output, open_streams, stopped_by_signals

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
    "convert": ("bibfold.conversion.cli:convert", "Convert files into another format; nothing is folded."),
    "merge": ("ingest.cli:merge", "Merge clusters into one."),
    "split": ("ingest.cli:split", "Move records out of a cluster into one of their own."),
    "decide": ("ingest.cli:decide", "Decide whether two records are the same work."),
    "delete": ("ingest.cli:delete", "Delete records from a catalogue."),
    "repair": (
        "ingest.cli:repair",
        "Settle what the order of arrival decided, or apply another profile.",
    ),
    "check": ("indexer.cli:check", "Compare the index with the catalogue, and repair it if asked."),
    "reindex": ("indexer.cli:reindex", "Rebuild the index from the catalogue and publish it."),
    "serve": ("service.cli:serve", "Serve a catalogue over HTTP: the API, and pages for people."),
    "token": ("service.cli:token", "Make, list and revoke the tokens of the service."),
    "evaluate": ("evaluation.cli:evaluate", "Measure results, metrics and candidates against known pairs."),
    "learn": ("learning.cli:group", "Make profile files from examples."),
    "profiles": (
        "lookup.cli:profiles",
        "List the profiles: the fields each compares, their weights, vetoes and thresholds.",
    ),
    "engines": ("indexer.cli:engines", "List the search engines and the indexes they hold."),
    "formats": ("bibfold.about.cli:formats", "List the formats that are read and written."),
    "settings": ("bibfold.about.cli:settings", "List the settings, their current values and where these come from."),
}
"""Every command; `evaluate` has a table of its own."""

EXAMPLES: Final = {
    "dedupe": "dedupe scopus.ris pubmed.nbib --out folded/",
    "link": "link ours.mrc theirs.mrc --out linked/",
    "ingest": "ingest harvest/*.xml --catalogue cat/",
    "lookup": "lookup new.ris --catalogue cat/ --json",
    "compare": "compare one.ris other.ris",
    "show": "show c12 --catalogue cat/",
    "stats": "stats --catalogue cat/",
    "events": "events c12 --catalogue cat/ --limit 10",
    "reviews": "reviews --catalogue cat/ --csv > open.csv",
    "review": "review --catalogue cat/",
    "decisions": "decisions --catalogue cat/ --undo doaj:17 crossref:9",
    "dead-letters": "dead-letters --catalogue cat/ --json",
    "export": "export --catalogue cat/ --to ris --out canonical.ris",
    "convert": "convert pubmed.nbib --to ris --out pubmed.ris",
    "merge": 'merge c12 c34 --catalogue cat/ --note "same report"',
    "split": "split c12 scopus:2-s2.0-1 --catalogue cat/",
    "decide": "decide scopus:1 pubmed:2 different --catalogue cat/",
    "delete": "delete scopus:1 scopus:2 --note withdrawn --catalogue cat/",
    "repair": "repair --catalogue cat/ --dry-run",
    "check": "check --catalogue cat/ --repair",
    "reindex": "reindex --catalogue cat/ --engine solr:http://localhost:8983/solr",
    "serve": "serve --catalogue cat/ --port 8017",
    "token": "token create --scope review --name ada --catalogue cat/",
    "evaluate": "evaluate score folded/clusters.csv truth.csv",
    "learn": "learn trees records.jsonl truth.csv --out mine.json",
    "profiles": "profiles bibfold --json",
    "engines": "engines --catalogue cat/",
    "formats": "formats --json",
    "settings": "settings --config bibfold.toml",
}
"""For each command a line that shows how it is used."""

STOPPED: Final = {
    "dedupe": "stopped; nothing is kept, and an earlier result is as it was",
    "link": "stopped; nothing is kept, and an earlier result is as it was",
    "ingest": "stopped; the catalogue keeps what was folded so far; run the same command again to continue",
    "reindex": "stopped; the published index stays; run the same command again to continue",
}
"""What is true of a command that was stopped."""


class Lazy(click.Group):
    """A group that knows its commands by a table and imports only the command that is run."""

    def __init__(self, *args: Any, table: Commands, examples: Mapping[str, str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.table = table
        self.examples = examples

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the table's order."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command that was asked for."""
        if cmd_name not in self.table:
            return None
        module, name = self.table[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(module), name)
        command.epilog = f"\b\nExample:\n  bibfold {self.examples[cmd_name]}" if cmd_name in self.examples else None
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for, and say which one it was if it is stopped."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise Interrupted(ctx.invoked_subcommand or "", stop) from stop
        except BrokenPipeError as error:
            raise PipeClosed from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.table.items()])


@click.command(cls=Lazy, table=COMMANDS, examples=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, expose_value=False, help="Show where in the program an error arose.")
@click.version_option(package_name="bibfold")
def root() -> None:
    """Fold duplicate bibliographic records into one canonical record each, as they arrive.

    Exit status: 0 success, 1 error (the message says what to do), 3 success, but some input could not be read.

    \b
    Example:
      bibfold dedupe scopus.ris pubmed.nbib --out folded/
    """


def main() -> None:
    """Run the command; a user's mistake is a message, without a traceback."""
    open_streams()
    status = 0
    try:
        with stopped_by_signals():
            status = root.main(prog_name="bibfold", standalone_mode=False) or 0
            print_all()
    except click.exceptions.NoArgsIsHelpError as error:
        echo(*error.format_message().splitlines())
    except Exception as error:  # noqa: BLE001 - the last net: whatever went wrong becomes a message
        drop_output()
        if "--debug" in sys.argv[1:2]:
            echo(*traceback.format_exc().splitlines(), err=True)
        status, lines = _explained(error)
        echo(*lines, err=True)
    sys.exit(status)


def _explained(error: Exception) -> tuple[int, list[str]]:
    """The exit status and the message for an error."""
    if isinstance(error, PipeClosed):
        return PIPE_CLOSED, []
    if isinstance(error, Interrupted):
        return error.status, ["", STOPPED.get(error.command, "stopped")]
    if isinstance(error, click.ClickException):
        shown = StringIO()
        error.show(shown)
        return 1, shown.getvalue().splitlines()
    if isinstance(error, BibfoldError):
        return 1, [f"Error: {error}"]
    for word in sys.argv[1:]:
        if isinstance(error, UnicodeEncodeError) and not word.isprintable() and error.object in word:
            return 1, [f"Error: {word} is not valid text in this terminal's encoding"]
    return 1, [
        f"Error: bibfold failed through a fault of its own ({type(error).__name__}: {error}); nothing that it "
        "acknowledged is lost. Please report it to its maintainers, with what the same command prints after "
        "`bibfold --debug`."
    ]


if __name__ == "__main__":
    main()
