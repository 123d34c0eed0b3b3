"""The commands that draw a truth and that label one by hand."""

from collections.abc import Callable
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click
import msgspec

from bibfold.errors import InputError, SettingsError
from bibfold.options import DEAD_LETTERS, Remarks, input_options, json_option, setting_options
from bibfold.progress import progress
from bibfold.records.formats.files import Read
from bibfold.records.identifiers import PROPOSING
from bibfold.settings import resolve
from bibfold.workspace import Layers
from evaluation.options import records_argument, seed_option, skip_unknown_option
from evaluation.records import by_key, check_known, read_records
from evaluation.runs import file_data, settings_data, this_version
from evaluation.samples.keyboard import keyboard
from evaluation.samples.review import KEYS, QUIT, Sheet, Wanted, ask_all, doubtful
from evaluation.samples.sample import METHODS, WINDOWS, Method, Plan, Sample, beside, draw, grouped, write_sample
from evaluation.samples.showing import shown, side_by_side
from evaluation.truth import Truth, read_truth
from lookup.answers import compare_records
from lookup.evidence import Comparison
from lookup.setup import profile_of

OUT = click.Path(path_type=Path, dir_okay=False)
ASKED = ("engine", "top_n", "languages")
"""Settings that a draw by search goes by."""


@click.command()
@records_argument
@click.option("--method", type=click.Choice(METHODS), default="search", help="How pairs are drawn.", show_default=True)
@click.option(
    "--pairs",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    help="How many of the same work, and how many of different ones, at most.",
)
@click.option("--out", type=OUT, required=True, help="The truth, CSV; how it was drawn goes beside it, as .json.")
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(sorted(PROPOSING)),
    help="Which identifier makes two records one work, may be repeated; by default any that is unique per work.",
)
@click.option("--clusters", help="A truth whose clusters or pairs, not identifiers, make two records one work.")
@click.option("--judged", help="With --clusters: the records that it speaks of, one a line.")
@click.option(
    "--skip-unknown", is_flag=True, help="Go on without records that --clusters names and that are not there."
)
@seed_option
@click.option("--min-rank", type=click.IntRange(1), help="search: a different work must stand at this rank or better.")
@click.option("--count-self", is_flag=True, help="search: a title's own record has a rank, too.")
@click.option("--window", type=click.IntRange(1), help="title, uncertainty: against how many records each is set.")
@click.option(
    "--validate/--no-validate",
    default=None,
    help="Leave out records unlike the others of their work; by default where identifiers make the works.",
)
@input_options
@setting_options(*ASKED)
@json_option
def sample(records: str, out: Path, read: Read, layers: Layers, as_json: bool, **how: Any) -> None:
    """Draw a truth: pairs of the same work and of different ones.

    random: a record with another of its work and with one of another work. title: different works by the
    similarity of their titles. uncertainty: where measures of similarity disagree. search: what the engine finds by
    title. filehash: random, where a shared file makes the work, by the title that most of its records have.
    """
    clusters, judged, skip_unknown = (how.pop(name) for name in ("clusters", "judged", "skip_unknown"))
    plan = _plan(how, clusters)
    truth = _groups_of(clusters, judged)
    origin = file_data(records, 0)
    remarks = Remarks()
    stream = read_records(read([records]), lambda letter: remarks(f"{letter.file}, {letter.position}: {letter.reason}"))
    pool = grouped(stream, plan, truth, skip_unknown=skip_unknown)
    with progress("drawing") as advance:
        drawn = draw(pool, plan, layers, advance)
    made = _made(drawn, plan, origin, layers, clusters)
    write_sample(out, drawn, plan, made)
    remarks.close()
    click.echo(msgspec.json.encode(made) if as_json else _sentence(drawn, plan, out))
    if remarks.count:
        click.get_current_context().exit(DEAD_LETTERS)


def _plan(how: dict[str, Any], clusters: str | None) -> Plan:
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
    return Plan(**how, validate=not clusters if validate is None else validate)


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


def _made(drawn: Sample, plan: Plan, origin: dict[str, Any], layers: Layers, clusters: str | None) -> dict[str, Any]:
    """How a truth was drawn, so that it can be drawn again."""
    how = {**msgspec.structs.asdict(plan), "by": [] if clusters else sorted(plan.kinds)}
    if plan.method in WINDOWS:
        how["window"] = plan.window or WINDOWS[plan.method]
    if plan.method == "search":
        values = settings_data(layers)
        how |= {name: values[name] for name in ASKED}
    counts = drawn.counts()
    return {
        "version": this_version(),
        "how": how,
        "records": {**origin, "count": counts["records"]},
        "clusters": file_data(clusters, counts["works"]) if clusters else None,
        "counts": counts,
    }


def _sentence(drawn: Sample, plan: Plan, out: Path) -> str:
    counts = drawn.counts()
    lines = [
        f"{counts['duplicates']} pairs of the same work and {counts['non-duplicates']} of different ones, drawn from "
        f"{counts['records drawn from']} records of {counts['works']} works; see {out}"
    ]
    for what in ("generic identifiers", "not like their group"):
        if counts.get(what):
            lines.append(f"  left out: {counts[what]} {what}")
    short = [name for name in ("duplicates", "non-duplicates") if counts[name] < plan.pairs]
    if short:
        lines.append(f"  fewer than the {plan.pairs} asked for could be drawn: {' and '.join(short)}")
    if drawn.pool.probable:
        lines.append("  those of different works are only probably so: one work may have several files")
    return "\n".join(lines)


@click.command()
@click.argument("truth", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--records", help="The records' file; by default the one that the truth was drawn from.")
@click.option("--all", "every", is_flag=True, help="Ask for all pairs, not only the doubtful ones.")
@click.option("--from", "low", type=click.FloatRange(0, 1), help="Ask for pairs from this score on.")
@click.option("--to", "high", type=click.FloatRange(0, 1), help="Ask for pairs up to this score.")
@skip_unknown_option
@input_options
@setting_options("profile", "same", "unsure")
def review(truth: Path, records: str | None, skip_unknown: bool, read: Read, layers: Layers, **which: Any) -> None:
    """Label the pairs of a truth by hand.

    Asked for are doubtful pairs: those without a label, those that the metric is unsure of, and those that it
    decides against their label. Each answer is written into the file at once; the same command again goes on
    where it was left. A pair that remains unsure is left out of every evaluation.
    """
    sheet = Sheet(truth)
    named = {key for place in range(len(sheet.rows)) for key in sheet.pair(place)}
    found = by_key(read_records(read([records or _drawn_from(truth)])), named)
    check_known(named, found, skip_unknown=skip_unknown)
    profile = profile_of(resolve(layers))

    def compared(one: str, other: str) -> Comparison | None:
        return compare_records(found[one], found[other], profile) if one in found and other in found else None

    def show(place: int) -> str:
        one, other = sheet.pair(place)
        comparison = compare_records(found[one], found[other], profile)
        return side_by_side(found[one], found[other], comparison, get_terminal_size().columns)

    places = doubtful(sheet, compared, Wanted(**which))
    click.echo(f"{len(places)} pairs to label, {sheet.answered()} were labelled by hand before")
    with keyboard() as key:

        def ask(place: int, at: int) -> str:
            click.echo(f"\n{at + 1} of {len(places)}\n{show(place)}\nlabelled: {sheet.label(place) or 'not yet'}")
            return _asked(key)

        answers = ask_all(sheet, places, ask)
    left = len(places) - answers.total()
    click.echo(
        f"\n{answers.total()} answered: {answers['same']} same, {answers['different']} different, {answers['unsure']} "
        f"unsure; {left} left" + (", the same command goes on with them" if left else "")
    )


def _drawn_from(truth: Path) -> str:
    """The records that the truth was drawn from, as the file beside it says."""
    try:
        path = Path(msgspec.json.decode(beside(truth).read_bytes())["records"]["path"])
    except (OSError, msgspec.DecodeError, KeyError, TypeError):
        raise InputError(f"{truth}: where its records are is not known; name their file with --records") from None
    for place in (path, truth.parent / path.name):
        if place.exists():
            return str(place)
    raise InputError(f"{path}, from which {truth} was drawn, is not there; name the records' file with --records")


def _asked(key: Callable[[], str]) -> str:
    """Ask until a key means something; an end of the input or Ctrl-C is a stop."""
    while True:
        click.echo("[s]ame [d]ifferent [u]nsure [b]ack [q]uit? ", nl=False)
        try:
            pressed = (key() or QUIT).lower()
        except KeyboardInterrupt:
            pressed = QUIT
        click.echo(shown(pressed))
        if pressed in KEYS:
            return pressed
