"""The commands that sample a truth and that label one by hand."""

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click
import msgspec

from bibfold.console import echo, echo_json
from bibfold.errors import InputError, SettingsError
from bibfold.keyboard import keyboard
from bibfold.options import DEAD_LETTERS, Remarks, input_options, json_option, output_options, setting_options
from bibfold.outputs import Output
from bibfold.progress import progress
from bibfold.records.formats.files import Read
from bibfold.records.identifiers import PROPOSING
from bibfold.settings import resolve
from bibfold.workspace import Layers
from evaluation.comparisons import compare_pairs
from evaluation.options import records_argument, seed_option, skip_unknown_option
from evaluation.records import by_key, check_present, read_records
from evaluation.runs import file_data, settings_data, this_version
from evaluation.samples.pool import SHOWN, Pool
from evaluation.samples.review import KEYS, QUIT, Selection, Sheet, ask_all, doubtful
from evaluation.samples.sample import (
    METHODS,
    WINDOWS,
    Method,
    Sample,
    SamplePlan,
    borderline,
    draw,
    grouped,
    origin_path,
    write_sample,
)
from evaluation.samples.validation import source_signatures
from evaluation.truth import Truth, read_truth
from lookup.generic import ALIKE
from lookup.matcher import matcher_of
from lookup.side_by_side import shown, side_by_side

OUT = click.Path(path_type=Path, dir_okay=False)
SEARCH_SETTINGS = ("engine", "top_n", "languages")
"""The settings that the method `search` uses."""


@click.command()
@records_argument
@click.option("--method", type=click.Choice(METHODS), default="search", help="How pairs are drawn.", show_default=True)
@click.option(
    "--pairs",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    help="The greatest number of pairs of the same work, and of different works.",
)
@output_options(
    out=(
        click.option(
            "--out",
            type=OUT,
            required=True,
            help="The truth, a CSV file; a .json file next to it says how it was drawn.",
        ),
        None,
    )
)
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(sorted(PROPOSING)),
    help="The identifier that defines a work, may be repeated; by default any that is unique per work.",
)
@click.option("--clusters", help="A truth whose clusters or pairs, instead of identifiers, define the works.")
@click.option("--judged", help="With --clusters: the records that it judges, one per line.")
@click.option("--skip-unknown", is_flag=True, help="Skip records of --clusters that the file does not hold.")
@seed_option
@click.option("--min-rank", type=click.IntRange(1), help="search: a different work must be at this rank or better.")
@click.option("--count-self", is_flag=True, help="search: a title's own record takes up a rank.")
@click.option("--window", type=click.IntRange(1), help="title, uncertainty: with how many records each is paired.")
@click.option(
    "--validate/--no-validate",
    default=None,
    help="Leave out records unlike the others of their work; by default where identifiers define the works.",
)
@click.option("--sources", help="The source's own records: those that share an identifier are validated against them.")
@click.option(
    "--similarity",
    type=click.FloatRange(0, 1),
    default=ALIKE,
    show_default=True,
    help="How like its reference a record must be to be valid, in the characters of title keywords and first author.",
)
@click.option(
    "--borderline",
    type=click.IntRange(0, SHOWN),
    default=3,
    show_default=True,
    help="How many of the nearest rejected and of the farthest accepted records are shown, to judge --similarity by.",
)
@click.option(
    "--equal-titles/--no-equal-titles",
    default=False,
    help="filehash: records of two files with equal titles count as different works, as in the paper, or not at all.",
)
@input_options
@setting_options(*SEARCH_SETTINGS)
@json_option
def sample(records: str, out: Output, read: Read, layers: Layers, as_json: bool, **how: Any) -> None:
    """Draw a truth: pairs of the same work and of different ones.

    random: a record with another of its work and with one of another work. title: different works by the
    similarity of their titles. uncertainty: pairs on which measures of similarity disagree. search: pairs that the
    engine finds by title. filehash: random, where a shared file defines the work.
    """
    clusters, judged, skip_unknown = (how.pop(name) for name in ("clusters", "judged", "skip_unknown"))
    sources, shown_borderline = how.pop("sources"), how.pop("borderline")
    plan = _plan(how, clusters)
    if sources and (clusters or not plan.validate):
        raise SettingsError(
            "--sources: validates records that share an identifier; leave out --clusters, --no-validate"
        )
    truth = _groups_of(clusters, judged)
    origin = file_data(records, 0)
    remarks = Remarks()
    stream = read_records(read([records]), lambda letter: remarks(f"{letter.file}, {letter.position}: {letter.reason}"))
    signatures = source_signatures(read_records(read([sources]))) if sources else None
    pool = grouped(stream, plan, truth, skip_unknown=skip_unknown, signatures=signatures)
    with progress("drawing") as advance:
        sampled = draw(pool, plan, layers, advance)
    made = _made(sampled, plan, origin, layers, clusters)
    made["sources"] = file_data(sources, len(signatures or ())) if sources else None
    write_sample(out, sampled, plan, made)
    remarks.close()
    if as_json:
        echo_json(made)
    else:
        echo(*_lines(sampled, plan, out.path), *_borderline_lines(pool, plan, shown_borderline))
    if remarks.count:
        click.get_current_context().exit(DEAD_LETTERS)


def _plan(how: dict[str, Any], clusters: str | None) -> SamplePlan:
    method: Method = how["method"]
    if clusters and (how["by"] or method == "filehash"):
        raise SettingsError(
            "--clusters: the truth makes the works, or identifiers do (--by, filehash); name one of them"
        )
    if how["window"] and method not in WINDOWS:
        raise SettingsError(f"--window: method {method} has none; use it with {' or '.join(WINDOWS)}")
    if (how["min_rank"] or how["count_self"]) and method != "search":
        raise SettingsError(f"--min-rank, --count-self: method {method} has no ranks; use them with search")
    validate = how.pop("validate")
    return SamplePlan(**how, validate=not clusters if validate is None else validate)


def _groups_of(clusters: str | None, judged: str | None) -> Truth | None:
    if clusters is None:
        if judged:
            raise SettingsError("--judged: belongs to a truth; name it with --clusters")
        return None
    truth = read_truth(clusters, judged)
    if not truth.whole:
        raise InputError(
            f"{clusters}: labelled pairs do not say which other records are different; name clusters "
            "(cluster,source,id) or all pairs that are the same (a,b)"
        )
    return truth


def _made(
    sampled: Sample, plan: SamplePlan, origin: dict[str, Any], layers: Layers, clusters: str | None
) -> dict[str, Any]:
    """How a truth was drawn, so that it can be reproduced."""
    how = {**msgspec.structs.asdict(plan), "by": [] if clusters else sorted(plan.kinds)}
    if plan.method in WINDOWS:
        how["window"] = plan.window or WINDOWS[plan.method]
    if plan.method == "search":
        values = settings_data(layers, SEARCH_SETTINGS)
        how |= {name: values[name] for name in SEARCH_SETTINGS}
    counts = sampled.counts()
    return {
        "version": this_version(),
        "how": how,
        "records": {**origin, "count": counts["records"]},
        "clusters": file_data(clusters, counts["works"]) if clusters else None,
        "counts": counts,
        "borderline": borderline(sampled.pool, SHOWN),
    }


def _borderline_lines(pool: Pool, plan: SamplePlan, most: int) -> Iterator[str]:
    for what, near in borderline(pool, most).items():
        if near:
            yield f"  {what}, nearest to {plan.similarity:g}:"
        for record in near:
            yield f"    {record.similarity:.3f} {record.key}: {record.text} ~ {record.reference or '(no reference)'}"


def _lines(sampled: Sample, plan: SamplePlan, out: Path) -> list[str]:
    counts = sampled.counts()
    lines = [
        f"{counts['duplicates']} pairs of the same work and {counts['non-duplicates']} of different ones, drawn from "
        f"{counts['records drawn from']} records of {counts['works']} works; see {out}"
    ]
    for what in counts:
        if counts[what] and (what == "generic identifiers" or what.startswith("not like")):
            lines.append(f"  left out: {counts[what]} {what}")
    short = [name for name in ("duplicates", "non-duplicates") if counts[name] < plan.pairs]
    if short:
        lines.append(f"  fewer than the {plan.pairs} asked for could be drawn: {' and '.join(short)}")
    if sampled.pool.probable:
        lines.append("  those of different works are only probably so: one work may have several files")
    return lines


@click.command()
@click.argument("truth", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--records", help="The records' file; by default the one that the truth was drawn from.")
@click.option("--all", "every", is_flag=True, help="Ask for all pairs, not only the doubtful ones.")
@click.option("--from", "low", type=click.FloatRange(0, 1), help="Ask for pairs with at least this score.")
@click.option("--to", "high", type=click.FloatRange(0, 1), help="Ask for pairs with at most this score.")
@skip_unknown_option
@input_options
@setting_options("profile", "same", "unsure")
def review(truth: Path, records: str | None, skip_unknown: bool, read: Read, layers: Layers, **which: Any) -> None:
    """Label the pairs of a truth by hand.

    By default it asks for doubtful pairs: those without a label, those that the profile is unsure of, and those whose
    label its decision contradicts. Each answer is saved at once; run the same command again to continue. A pair that
    remains unsure is left out of every evaluation.
    """
    sheet = Sheet(truth)
    named = {key for place in range(len(sheet.rows)) for key in sheet.pair(place)}
    found = by_key(read_records(read([records or _drawn_from(truth)])), named)
    check_present(named, found, skip_unknown=skip_unknown)
    pairs = [pair for place in range(len(sheet.rows)) if found.keys() >= set(pair := sheet.pair(place))]
    compared = compare_pairs(matcher_of(resolve(layers)), found, pairs)
    comparisons = {pair: compared.comparison(at) for at, pair in enumerate(pairs)}

    def show(place: int) -> list[str]:
        a, b = sheet.pair(place)
        return side_by_side(found[a], found[b], comparisons[a, b], get_terminal_size().columns)

    places = doubtful(sheet, comparisons, Selection(**which))
    echo(f"{len(places)} pairs to label, {sheet.answered()} were labelled by hand before")
    with keyboard() as key:

        def ask(place: int, at: int) -> str:
            echo("", f"{at + 1} of {len(places)}", *show(place), f"labelled: {sheet.label(place) or 'not yet'}")
            return _read_key(key)

        answers = ask_all(sheet, places, ask)
    left = len(places) - answers.total()
    echo(
        "",
        f"{answers.total()} answered: {answers['same']} same, {answers['different']} different, {answers['unsure']} "
        f"unsure; {left} left" + (", the same command goes on with them" if left else ""),
    )


def _drawn_from(truth: Path) -> str:
    """The records file that the truth was drawn from, according to the .json file next to it."""
    try:
        path = Path(msgspec.json.decode(origin_path(truth).read_bytes())["records"]["path"])
    except (OSError, msgspec.DecodeError, KeyError, TypeError):
        raise InputError(f"{truth}: where its records are is not known; name their file with --records") from None
    for place in (path, truth.parent / path.name):
        if place.exists():
            return str(place)
    raise InputError(f"{path}, from which {truth} was drawn, is not there; name the records' file with --records")


def _read_key(key: Callable[[], str]) -> str:
    """Ask until a valid key is pressed; the end of the input and Ctrl-C mean quit."""
    while True:
        try:
            click.echo("[s]ame [d]ifferent [u]nsure [b]ack [q]uit? ", nl=False)
            pressed = (key() or QUIT).lower()
        except KeyboardInterrupt:
            pressed = QUIT
        echo(shown(pressed))
        if pressed in KEYS:
            return pressed
