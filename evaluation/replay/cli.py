"""The commands that measure whole runs of the fold, and results."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from bibfold.console import echo, echo_json
from bibfold.display import spreadsheet_safe
from bibfold.options import DEAD_LETTERS, input_options, json_option, output_options
from bibfold.outputs import Output, output_table
from bibfold.records.formats.files import Read
from bibfold.records.model import DeadLetter, Record
from bibfold.settings import FOLDING, MATCHING
from bibfold.workspace import Layers
from evaluation.metrics.clusters import cells
from evaluation.metrics.counting import count_links, count_pairs
from evaluation.metrics.links import linkage, oriented
from evaluation.options import (
    REPORT,
    REPORT_FILES,
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
from evaluation.pairs import closure, make_pair
from evaluation.records import by_key, check_repeatable, fingerprint, read_records, without_identifiers
from evaluation.replay import pages, texts
from evaluation.replay.distinct import fold_distinct
from evaluation.replay.figures import cluster_figures, figures, pair_figures
from evaluation.replay.misses import Miss, explain_misses
from evaluation.replay.replay import ReplayResult, replay_records
from evaluation.replay.run_comparison import compare_runs
from evaluation.report.page import write_report
from evaluation.runs import EvaluationRun, file_data, read_run, settings_data, this_version
from evaluation.truth import need_both, need_same, read_result, read_truth
from ingest.cli import observing
from lookup.answers import comparison_data

Command = TypeVar("Command", bound=Callable[..., Any])


class ReplayRequest(msgspec.Struct, frozen=True):
    """The arguments of a replay."""

    records: str
    truth: str
    judged: str | None
    skip_unknown: bool
    strip_identifiers: bool
    read: Read
    layers: Layers
    seed: int

    def items(self) -> Iterable[Record | DeadLetter]:
        """The records, read anew each time."""
        items = self.read([self.records])
        return without_identifiers(items) if self.strip_identifiers else items

    def run(self, kind: str, result: ReplayResult, found: dict[str, Any]) -> EvaluationRun:
        """The run file for a result."""
        names = ("judged", "skip_unknown", "strip_identifiers", "seed")
        flags = {name: getattr(self, name) for name in names}
        settings = settings_data(self.layers, FOLDING, **flags, **input_data())
        data: dict[str, Any] = {
            "records": file_data(self.records, result.totals.records),
            "truth": file_data(self.truth, len(result.truth.same) + len(result.truth.different)),
        }
        if self.judged:
            data["judged"] = {"fingerprint": fingerprint(self.judged)}
        return EvaluationRun(kind, this_version(), settings, data, found, result.counted.missed, result.counted.wrong)


def replay_options(command: Command) -> Command:
    """Records, truth and how they are matched; the command gets `request`."""

    @wraps(command)
    def with_request(**values: Any) -> Any:
        request = ReplayRequest(**{name: values.pop(name) for name in ReplayRequest.__struct_fields__})
        return command(request=request, **values)

    decorated: Any = input_options(matching_options(*FOLDING[len(MATCHING) :])(with_request))
    for add in (seed_option, strip_option, skip_unknown_option, judged_option, truth_argument, records_argument):
        decorated = add(decorated)
    return decorated  # type: ignore[no-any-return]


@click.command()
@replay_options
@report_option
@json_option
def replay(request: ReplayRequest, report: Output | None, as_json: bool) -> None:
    """Fold records in order and measure the result against known pairs.

    The records go through the real lookup and fold, into a temporary catalogue. Unsure pairs are not merged; they are
    counted. --no-identifiers --canonical founder --bridge join-best --profile mendeley folds as the paper does;
    --strip-identifiers also keeps identifiers from vetoing a pair.
    """
    with _replay(request) as result:
        found = figures(result, request.seed)
        run = request.run("replay", result, found)
        if report:
            keys = {key for pairs in pages.striking(result) for pair in pairs for key in pair}
            records = by_key(read_records(request.items()), keys)
            write_report(report, "Replay", run, pages.replay_sections(result, found, records))
    _show(run if as_json else None, texts.replay_lines(found, run.missed, run.wrong), found["dead_letters"])


@click.command()
@replay_options
@output_options(
    out=(
        click.option(
            "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write all lost pairs to this CSV file."
        ),
        None,
    ),
    report=(REPORT, REPORT_FILES),
)
@json_option
def misses(request: ReplayRequest, out: Output | None, report: Output | None, as_json: bool) -> None:
    """Explain why each lost pair was lost.

    Not retrieved: the two were never compared; shows the rank in a longer search, and the keys that they share. Below
    threshold: shows the field that lowers the score most. Vetoed: shows the veto. Chained apart: the two records are
    the same, but the later one was not the same as the cluster that held the earlier one.
    """
    with _replay(request) as result:
        missed = result.counted.missed
        records = by_key(read_records(request.items()), {key for pair in missed for key in pair})
        lost = explain_misses(result, records)
        counts = {cause: count for cause, count, *_ in texts.cause_rows(lost)}
        run = request.run("misses", result, {**figures(result, request.seed), "causes": counts})
    if out:
        _write_misses(out, lost)
    if report:
        write_report(report, "Lost pairs", run, pages.misses_sections(lost, records))
    if as_json:
        for miss in lost:
            echo_json(_miss_data(miss))
    _show(None, [] if as_json else texts.misses_lines(lost), run.figures["dead_letters"])


@click.command(name="self")
@records_argument
@strip_option
@click.option(
    "--worst", type=click.IntRange(min=0), default=10, show_default=True, help="How many wrong clusters to show."
)
@input_options
@matching_options(*FOLDING[len(MATCHING) :])
@report_option
@json_option
def itself(records: str, strip_identifiers: bool, worst: int, read: Read, layers: Layers, **output: Any) -> None:
    """Fold records known to be distinct: every merge is an error.

    Prints the share of wrongly merged records and the largest of the wrong clusters.
    """
    report, as_json = output["report"], output["as_json"]
    data = {"records": file_data(records, 0)}
    with observing("folding") as observer:
        items = read([records])
        found = fold_distinct(without_identifiers(items) if strip_identifiers else items, layers, observer, worst)
    data["records"]["count"] = found.figures["records"]
    settings = settings_data(layers, FOLDING, strip_identifiers=strip_identifiers, worst=worst, **input_data())
    run = EvaluationRun("self", this_version(), settings, data, found.figures, wrong=found.wrong)
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

    A run file is what --json prints or what --report writes as run.json. Pairs are tested by McNemar's exact test.
    """
    found = compare_runs(read_run(before), read_run(after), force=force)
    if as_json:
        echo_json(found)
        return
    echo(*texts.compared_lines(found))


@click.command()
@click.argument("result")
@truth_argument
@judged_option
@seed_option
@json_option
def score(result: str, truth: str, judged: str | None, seed: int, as_json: bool) -> None:
    """Measure a result against known pairs.

    The result is a clusters.csv or links.csv. With labelled pairs only those count; otherwise every found pair that is
    not among the known ones and does not follow from them is wrong.
    """
    truth_pairs = read_truth(truth, judged)
    need_same(truth_pairs, truth)
    found = read_result(result)
    if isinstance(found, dict):
        counted = count_pairs(truth_pairs, found)
        more = (
            {"clusters": cluster_figures(cells(found, closure(truth_pairs.same)), seed)}
            if truth_pairs.whole and not judged
            else {}
        )
    else:
        counted = count_links(truth_pairs, {make_pair(*link) for link in found})
        links = [link for link in found if truth_pairs.counts(make_pair(*link))]
        more = {"links": msgspec.to_builtins(linkage(links, oriented(found, truth_pairs.same)))}
    measured = {**pair_figures(counted, seed), **more}
    if as_json:
        echo_json(measured)
        return
    echo(*texts.score_lines(measured, counted.missed, counted.wrong))


@contextmanager
def _replay(request: ReplayRequest) -> Iterator[ReplayResult]:
    """Check the truth and fold the records."""
    for path in (request.records, request.truth):
        check_repeatable(path)
    truth_pairs = read_truth(request.truth, request.judged)
    need_both(truth_pairs, request.truth)
    with (
        observing("folding") as observer,
        replay_records(
            request.items, truth_pairs, request.layers, observer, skip_unknown=request.skip_unknown
        ) as result,
    ):
        yield result


def _show(run: EvaluationRun | None, lines: Iterable[str], dead_letters: int) -> None:
    """Print a run as one line of JSON, or lines of text; dead letters set the exit status."""
    if run:
        echo_json(run)
    else:
        echo(*lines)
    if dead_letters:
        click.get_current_context().exit(DEAD_LETTERS)


def _miss_data(miss: Miss) -> dict[str, Any]:
    return {**msgspec.structs.asdict(miss), "comparison": comparison_data(miss.comparison)}


def _write_misses(out: Output, lost: Iterable[Miss]) -> None:
    with output_table(out) as rows:
        rows.writerow(("a", "b", "cause", "score", "decision", "field", "rank", "shared", "noise", "detail"))
        for miss in lost:
            found = miss.comparison
            columns = (miss.cause, f"{found.score:.4f}", found.decision, miss.field, miss.rank, " ".join(miss.shared))
            cells = (miss.a, miss.b, *columns, " ".join(miss.noise), miss.detail)
            rows.writerow([spreadsheet_safe(cell) if isinstance(cell, str) else cell for cell in cells])
