"""The commands that measure whole runs."""

import csv
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from bibfold.errors import InputError
from bibfold.options import DEAD_LETTERS, input_options, json_option
from bibfold.records.formats.files import Read
from bibfold.records.model import DeadLetter, Record
from bibfold.settings import FOLDING, MATCHING
from bibfold.workspace import Layers
from evaluation.metrics.clusters import cells
from evaluation.metrics.counting import count_links, count_pairs
from evaluation.metrics.links import linkage, oriented
from evaluation.options import (
    input_data,
    judged_option,
    matching_options,
    records_argument,
    report_option,
    seed_option,
    skip_unknown_option,
    strip_option,
    truth_argument,
)
from evaluation.pairs import closure, pair
from evaluation.records import by_key, check_repeatable, fingerprint, read_records
from evaluation.replay import pages, texts
from evaluation.replay.comparing import compared
from evaluation.replay.figures import cluster_figures, figures, pair_figures
from evaluation.replay.misses import Miss, explained
from evaluation.replay.replay import Replayed, replayed, stripped
from evaluation.replay.same_to_itself import merged
from evaluation.report.page import write_report
from evaluation.runs import Run, file_data, read_run, settings_data, this_version
from evaluation.truth import need_both, need_same, read_result, read_truth
from ingest.cli import watching
from lookup.answers import comparison_data

Command = TypeVar("Command", bound=Callable[..., Any])


class Asked(msgspec.Struct, frozen=True):
    """What a replay is asked to do."""

    records: str
    truth: str
    judged: str | None
    skip_unknown: bool
    strip_identifiers: bool
    read: Read
    layers: Layers
    seed: int

    def items(self) -> Iterator[Record | DeadLetter]:
        """The records, anew each time."""
        items = self.read([self.records])
        return stripped(items) if self.strip_identifiers else items

    def run(self, kind: str, done: Replayed, found: dict[str, Any]) -> Run:
        """The run file of what was done."""
        names = ("judged", "skip_unknown", "strip_identifiers", "seed")
        flags = {name: getattr(self, name) for name in names}
        settings = settings_data(self.layers, FOLDING, **flags, **input_data())
        data: dict[str, Any] = {
            "records": file_data(self.records, done.totals.records),
            "truth": file_data(self.truth, len(done.truth.same) + len(done.truth.different)),
        }
        if self.judged:
            data["judged"] = {"fingerprint": fingerprint(self.judged)}
        return Run(kind, this_version(), settings, data, found, done.counted.missed, done.counted.wrong)


def asking(command: Command) -> Command:
    """Records, truth and how they are matched; the command gets `asked`."""

    @wraps(command)
    def with_asked(**values: Any) -> Any:
        asked = Asked(**{name: values.pop(name) for name in Asked.__struct_fields__})
        return command(asked=asked, **values)

    decorated: Any = input_options(matching_options(*FOLDING[len(MATCHING) :])(with_asked))
    for add in (seed_option, strip_option, skip_unknown_option, judged_option, truth_argument, records_argument):
        decorated = add(decorated)
    return decorated  # type: ignore[no-any-return]


@click.command()
@asking
@report_option
@json_option
def replay(asked: Asked, report: Path | None, as_json: bool) -> None:
    """Fold records in order and measure the result against known pairs.

    The records go through the real lookup and fold, into a catalogue that is thrown away. Pairs that are unsure are
    not merged, and counted. --no-identifiers --canonical founder --bridge join-best --profile mendeley is the paper's
    way; --strip-identifiers keeps identifiers from speaking against a pair as well.
    """
    with _replayed(asked) as done:
        found = figures(done, asked.seed)
        run = asked.run("replay", done, found)
        if report:
            wanted = {key for pairs in pages.striking(done) for two in pairs for key in two}
            records = by_key(read_records(asked.items()), wanted)
            write_report(report, "Replay", run, pages.replay_sections(done, found, records))
    _show(run if as_json else None, texts.replay_lines(found, run.missed, run.wrong), found["dead_letters"])


@click.command()
@asking
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A CSV file for all lost pairs.")
@report_option
@json_option
def misses(asked: Asked, out: Path | None, report: Path | None, as_json: bool) -> None:
    """Say of each lost pair why it was lost.

    Not retrieved: the two were never compared; with the rank at which a long search finds the other, and the keys
    that they share. Below threshold: with the field that costs most. Vetoed: by what. Chained apart: the two are the
    same, but when the later one came, the earlier one's cluster did not look it.
    """
    with _replayed(asked) as done:
        missed = done.counted.missed
        records = by_key(read_records(asked.items()), {key for two in missed for key in two})
        lost = explained(done, records)
        counts = {cause: count for cause, count, *_ in texts.cause_rows(lost)}
        run = asked.run("misses", done, {**figures(done, asked.seed), "causes": counts})
    if out:
        _write_misses(out, lost)
    if report:
        write_report(report, "Lost pairs", run, pages.misses_sections(lost, records))
    lines = (msgspec.json.encode(_miss_data(miss)).decode() for miss in lost) if as_json else texts.misses_lines(lost)
    _show(None, lines, run.figures["dead_letters"])


@click.command(name="self")
@records_argument
@strip_option
@click.option("--worst", type=click.IntRange(min=0), default=10, show_default=True, help="How many merges to show.")
@input_options
@matching_options(*FOLDING[len(MATCHING) :])
@report_option
@json_option
def itself(records: str, strip_identifiers: bool, worst: int, read: Read, layers: Layers, **output: Any) -> None:
    """Fold records known to be distinct: every merge is an error.

    Tells the share that is wrongly merged and shows the largest of the wrong clusters.
    """
    report, as_json = output["report"], output["as_json"]
    data = {"records": file_data(records, 0)}
    with watching("folding") as watcher:
        items = read([records])
        found = merged(stripped(items) if strip_identifiers else items, layers, watcher, worst)
    data["records"]["count"] = found.figures["records"]
    settings = settings_data(layers, FOLDING, strip_identifiers=strip_identifiers, worst=worst, **input_data())
    run = Run("self", this_version(), settings, data, found.figures, wrong=found.wrong)
    if report:
        write_report(report, "Distinct records", run, pages.itself_sections(found.figures, found.worst))
    _show(run if as_json else None, texts.itself_lines(found.figures, found.worst), found.figures["dead_letters"])


@click.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Compare runs over different data.")
@json_option
def compare(before: Path, after: Path, force: bool, as_json: bool) -> None:
    """Compare two runs: what got better, what worse, and whether by chance.

    A run file is what --json prints or --report leaves as run.json. Pairs are tested by McNemar's exact test.
    """
    found = compared(read_run(before), read_run(after), force=force)
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    for line in texts.compared_lines(found):
        click.echo(line)


@click.command()
@click.argument("result")
@truth_argument
@judged_option
@seed_option
@json_option
def score(result: str, truth: str, judged: str | None, seed: int, as_json: bool) -> None:
    """Measure a result against known pairs.

    The result is a clusters.csv or links.csv. Of labelled pairs only those count; else every other pair that was
    found is wrong, but for those that follow from known ones.
    """
    known = read_truth(truth, judged)
    need_same(known, truth)
    found = read_result(result)
    if isinstance(found, dict):
        counted = count_pairs(known, found)
        more = (
            {"clusters": cluster_figures(cells(found, closure(known.same)), seed)} if known.whole and not judged else {}
        )
    else:
        counted = count_links(known, {pair(*link) for link in found})
        links = [link for link in found if known.counts(pair(*link))]
        more = {"links": msgspec.to_builtins(linkage(links, oriented(found, known.same)))}
    measured = {**pair_figures(counted, seed), **more}
    if as_json:
        click.echo(msgspec.json.encode(measured))
        return
    for line in texts.score_lines(measured, counted.missed, counted.wrong):
        click.echo(line)


@contextmanager
def _replayed(asked: Asked) -> Iterator[Replayed]:
    """The records folded, the truth being fit to measure by."""
    for path in (asked.records, asked.truth):
        check_repeatable(path)
    known = read_truth(asked.truth, asked.judged)
    need_both(known, asked.truth)
    with (
        watching("folding") as watcher,
        replayed(asked.items, known, asked.layers, watcher, skip_unknown=asked.skip_unknown) as done,
    ):
        yield done


def _show(run: Run | None, lines: Iterable[str], dead_letters: int) -> None:
    """Print a run as one line of JSON, or lines as they are; what could not be read is in the exit status."""
    for line in [msgspec.json.encode(run).decode()] if run else lines:
        click.echo(line)
    if dead_letters:
        click.get_current_context().exit(DEAD_LETTERS)


def _miss_data(miss: Miss) -> dict[str, Any]:
    return {**msgspec.structs.asdict(miss), "comparison": comparison_data(miss.comparison)}


def _write_misses(out: Path, lost: Iterable[Miss]) -> None:
    try:
        with out.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(("a", "b", "cause", "score", "decision", "field", "rank", "shared", "noise", "detail"))
            for miss in lost:
                found = miss.comparison
                told = (miss.cause, f"{found.score:.4f}", found.decision, miss.field, miss.rank, " ".join(miss.shared))
                rows.writerow((miss.a, miss.b, *told, " ".join(miss.noise), miss.detail))
    except OSError as error:
        raise InputError(f"--out {out} cannot be written: {error.strerror or error}; name another file") from error
