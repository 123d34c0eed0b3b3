"""The commands for what a person decides: the queue, the review itself, and the decisions."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, Literal

import click

from bibfold.console import echo, echo_json
from bibfold.display import spreadsheet_safe
from bibfold.errors import BibfoldError, SettingsError
from bibfold.keyboard import keyboard
from bibfold.options import DEAD_LETTERS, catalogue_option, json_option, note_option, say
from bibfold.settings import layers as no_flags
from bibfold.shell import printed

if TYPE_CHECKING:
    from ingest.curation.reviews import Case, Session

SHOWN = 50
"""How many entries are listed where nobody says how many; CSV and JSON hold all."""

LIMIT = click.option(
    "--limit",
    type=click.IntRange(1, 1_000_000_000),
    help=f"Maximum number of entries; by default {SHOWN}, in CSV and JSON all.",
)
CSV = click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")

WORDS: Mapping[str, Literal["same", "different"]] = {"s": "same", "d": "different"}
SKIP, UNDO, QUIT = "u", "z", "q"


@click.command()
@catalogue_option
@LIMIT
@CSV
@json_option
def reviews(catalogue: Path, limit: int | None, as_csv: bool, as_json: bool) -> None:
    """List the pairs that a person should decide.

    Highest score first, one entry for two clusters, with their titles and the reason for doubt. Decide them with
    `bibfold review`. The CSV has an empty column `verdict`: fill it in and hand the file to `bibfold review --from`.
    """
    from bibfold.catalogue.reviews import review_list
    from bibfold.catalogue.store import open_catalogue

    with open_catalogue(catalogue) as opened, opened.reading() as read:
        found = review_list(read, limit or _most(as_csv, as_json))
        if as_csv:
            _print_csv(("a", "b", "verdict", "note", "score", "title_a", "title_b", "doubt"), map(_review_row, found))
            return
        for pair in found:
            if as_json:
                echo_json(pair)
            else:
                echo(*_review_lines(pair))


def _review_row(pair: Mapping[str, Any]) -> tuple[Any, ...]:
    texts = map(spreadsheet_safe, (*pair["titles"], pair["doubt"]))
    return (pair["a"], pair["b"], "", "", f"{pair['score']:.3f}", *texts)


def _review_lines(pair: Mapping[str, Any]) -> list[str]:
    from lookup.side_by_side import shown

    more = f", {pair['pairs']} pairs" if pair["pairs"] > 1 else ""
    lines = [f"{shown(pair['a'])} ~ {shown(pair['b'])} {pair['score']:.3f} ({' ~ '.join(pair['clusters'])}{more})"]
    lines += [f"  {shown(title) or '(no title)'}" for title in pair["titles"]]
    lines.append(f"  doubt: {shown(pair['doubt'])}")
    lines += [f"    {found['field']:<12} {found['score']:5.3f} {shown(found['reason'])}" for found in pair["evidence"]]
    return lines


@click.command()
@catalogue_option
@click.option(
    "--from",
    "file",
    metavar="FILE",
    help="Take decisions from a CSV file with the columns a, b, verdict (same, different or nothing) and perhaps note; "
    "- is standard input.",
)
@note_option
@json_option
def review(catalogue: Path, file: str | None, note: str, as_json: bool) -> None:
    """Decide the doubtful pairs one by one, or from a file.

    Shows the two records side by side, with what speaks for and against, and asks: S the same work, D different works,
    U leave it for now, Z undo the last answer, Q quit. Each answer is kept at once.

    With --from, a line that cannot be acted on is told and the others go on; exit status 3 then.
    """
    from bibfold.workspace import opened
    from ingest.curation.decision_file import decide_rows, read_rows
    from ingest.curation.reviews import Session

    with opened(catalogue, no_flags(), write=True) as workspace:
        if file is None:
            if as_json:
                raise SettingsError("--json: there is nothing for a program to read when a person is asked; use --from")
            _ask_all(Session(workspace, say), note)
            return
        result = decide_rows(workspace, read_rows(file), say, note)
    sentence = (
        f"{result.same} same, {result.different} different, {result.left_open} left open, {result.problems} not taken"
    )
    if as_json:
        echo_json(result)
    else:
        echo(sentence)
    if result.problems:
        click.get_current_context().exit(DEAD_LETTERS)


def _ask_all(session: "Session", note: str) -> None:
    """Ask until nothing is open or the person quits."""
    counts = dict.fromkeys((*WORDS.values(), "skipped"), 0)
    with keyboard() as key:
        while (case := session.next()) is not None:
            echo("", *_case_lines(case))
            pressed = _read_key(key)
            if pressed == QUIT:
                break
            _act(session, case, pressed, note, counts)
        else:
            echo("nothing is left to decide" + (" but what was skipped" if counts["skipped"] else ""))
    echo(", ".join(f"{number} {word}" for word, number in counts.items()))


def _act(session: "Session", case: "Case", pressed: str, note: str, counts: dict[str, int]) -> None:
    try:
        if pressed == UNDO:
            if (answer := session.undo()) is None:
                echo("nothing to undo in this session; `bibfold decisions --undo A B` undoes earlier decisions")
            else:
                counts[answer] -= 1
        elif pressed == SKIP:
            session.skip(case)
            counts["skipped"] += 1
        else:
            session.decide(case, WORDS[pressed], note)
            counts[WORDS[pressed]] += 1
    except BibfoldError as error:
        echo(f"not taken: {error}")


def _case_lines(case: "Case") -> list[str]:
    from bibfold.catalogue.rows import cluster_id
    from lookup.side_by_side import shown, side_by_side

    first, second = (cluster.canonical.record for cluster in case.clusters)
    named = (
        f"{shown(key)} in {cluster_id(cluster.no)}, {len(cluster.numbered)} record{'s' * (len(cluster.numbered) > 1)}"
        for key, cluster in zip(case.pair, case.clusters, strict=True)
    )
    lines = side_by_side(first, second, case.comparison, get_terminal_size().columns)
    return [f"{case.left} to decide: {' ~ '.join(named)}", *lines]


def _read_key(key: Callable[[], str]) -> str:
    """Ask until a valid key is pressed; the end of the input and Ctrl-C mean quit."""
    while True:
        try:
            click.echo("[s]ame [d]ifferent [u]nsure, later [z] undo [q]uit? ", nl=False)
            pressed = (key() or QUIT).lower()
        except KeyboardInterrupt:
            pressed = QUIT
        echo(pressed if pressed.isprintable() else "")
        if pressed in (*WORDS, SKIP, UNDO, QUIT):
            return pressed


@click.command()
@catalogue_option
@click.option(
    "--undo",
    nargs=2,
    metavar="A B",
    help="Undo what was decided of two records, and what it did to their clusters.",
)
@LIMIT
@CSV
@json_option
def decisions(catalogue: Path, undo: tuple[str, str] | None, limit: int | None, as_csv: bool, as_json: bool) -> None:
    """List, export and undo what a person decided.

    Newest first, with notes; what `merge` and `split` decided stands there, too. The CSV can be given to another
    catalogue with `bibfold review --from`. --undo takes back all that the command decided which decided of these two
    records, and restores the clusters that it changed; where something has come to depend on it, it says what.
    """
    from bibfold.catalogue.curations import decision_list
    from bibfold.catalogue.store import open_catalogue

    if undo is not None:
        _undo(catalogue, undo, as_json)
        return
    with open_catalogue(catalogue) as opened, opened.reading() as read:
        found = decision_list(read, limit or _most(as_csv, as_json))
        if as_csv:
            names = ("a", "b", "verdict", "note", "at", "command")
            _print_csv(names, ([one[name] or "" for name in names] for one in found))
            return
        for one in found:
            if as_json:
                echo_json(one)
            else:
                echo(_decision_text(one))


def _undo(catalogue: Path, pair: tuple[str, str], as_json: bool) -> None:
    from bibfold.workspace import opened
    from ingest.curation.undo import undo_decision

    with opened(catalogue, no_flags(), write=True) as workspace:
        clusters = undo_decision(workspace, *pair, say)
    homes = dict(zip(pair, clusters, strict=False))
    sentence = "undone: " + ", ".join(f"{key} is in {home}" for key, home in homes.items())
    if as_json:
        echo_json({"undone": list(pair), "clusters": clusters})
    else:
        echo(sentence)


def _decision_text(one: Mapping[str, Any]) -> str:
    from lookup.side_by_side import shown

    by = f" (by {one['command']})" if one["command"] not in (None, "decision") else ""
    note = f": {shown(one['note'])}" if one["note"] else ""
    return f"{one['at']} {shown(one['a'])} {one['verdict']} {shown(one['b'])}{by}{note}"


def _most(as_csv: bool, as_json: bool) -> int | None:
    return None if as_csv or as_json else SHOWN


def _print_csv(names: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    with printed() as out:
        text = io.TextIOWrapper(out, encoding="utf-8", newline="")
        csv.writer(text, lineterminator="\n").writerows(chain((names,), rows))
        text.detach()
