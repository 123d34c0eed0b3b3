"""The command that measures all public data sets."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from bibfold.options import json_option, say, setting_options
from bibfold.progress import progress
from bibfold.records.model import Record
from bibfold.workspace import Layers
from evaluation.benchmark.gate import TOLERANCE, Name, change_lines, held, losses, name_of, read_baseline
from evaluation.benchmark.measure import USUAL, WAYS, Way, items, measure, ways
from evaluation.benchmark.sets import SETS, present
from evaluation.benchmark.showing import sections, tables
from evaluation.options import data_option, markdown_option, report_option, seed_option
from evaluation.records import by_key, read_records
from evaluation.report.page import write_report
from evaluation.runs import Run, settings_data, this_version
from evaluation.tables import markdown, table
from lookup.profiles import PROFILES

HELD_BY = ("engine", "top_n", "retriever")
"""Settings that may be chosen for the whole benchmark."""


@click.command()
@data_option
@click.option("--set", "names", multiple=True, type=click.Choice(list(SETS)), help="A set, may be repeated; else all.")
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    type=click.Choice(list(PROFILES)),
    help=f"A metric, may be repeated; else {' and '.join(USUAL)}, the latter not on sets where it takes long.",
)
@click.option(
    "--against",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A baseline that --json wrote: tell what was lost since, on which pairs; exit status 1 on a loss.",
)
@click.option(
    "--tolerance", type=click.FloatRange(0, 1), default=TOLERANCE, show_default=True, help="How much F1 may fall."
)
@markdown_option
@setting_options(*HELD_BY)
@seed_option
@report_option
@json_option
def benchmark(names: tuple[str, ...], profiles: tuple[str, ...], layers: Layers, seed: int, **how: Any) -> None:
    """Measure all public data sets, and hold them against a baseline.

    Each set goes through the real dedupe, link or fold, with the default metric and with the paper's, which folds as
    the paper does and is tried at 0.4 and 0.5. Sets that are not there are named and passed over. --json prints a run
    a line, with the pairs that were missed and wrong; this is also what --against takes.
    """
    data, report, against = how["data"], how["report"], how["against"]
    baseline = read_baseline(against) if against else {}
    wanted = _wanted(names, profiles, baseline)
    folders = present(tuple(dict.fromkeys(name for name, _ in wanted)), data)
    absent = [name for name in dict.fromkeys(name for name, _ in wanted) if name not in folders]
    if absent:
        say(f"not there, passed over: {', '.join(absent)}; name the folder of the sets with --data or BIBFOLD_DATA")
    runs = []
    for name, way in wanted:
        if name in folders:
            with progress(f"{name}, {way.name}") as told:
                runs.append(measure(SETS[name], folders[name], way, layers, seed=seed, told=told))
    if report:
        write_report(report, "Benchmark", _whole(runs, profiles, layers, seed), sections(runs, absent))
    _show(runs, as_json=how["as_json"], as_markdown=how["as_markdown"])
    if baseline:
        _hold(runs, baseline, folders, how["tolerance"])


def _wanted(names: Sequence[str], profiles: Sequence[str], baseline: Mapping[Name, Run]) -> list[tuple[str, Way]]:
    """Each set with each way in which it is to be measured; those of the baseline where there is one."""
    if baseline:
        every = [(name, WAYS[way]) for name, way in baseline if name in SETS and way in WAYS]
        return [
            (name, way)
            for name, way in every
            if (not names or name in names) and (not profiles or way.profile in profiles)
        ]
    return [
        (name, way) for name in names or SETS for way in ways(profiles or (USUAL[:1] if SETS[name].costly else USUAL))
    ]


def _whole(runs: Sequence[Run], profiles: Sequence[str], layers: Layers, seed: int) -> Run:
    """All runs as one, for the page."""
    held_by = settings_data(layers)
    settings = {
        "set": list(dict.fromkeys(run.settings["set"] for run in runs)),
        "profile": list(profiles),
        **{name: held_by[name] for name in HELD_BY},
        "seed": seed,
    }
    data = {run.settings["set"]: run.data for run in runs}
    figures = {" with ".join(name_of(run)): run.figures for run in runs}
    return Run("benchmark", this_version(), settings, data, figures)


def _show(runs: Sequence[Run], *, as_json: bool, as_markdown: bool) -> None:
    if as_json:
        for run in runs:
            click.echo(msgspec.json.encode(run))
        return
    made = [
        markdown(header, rows) if as_markdown else "\n".join(table(header, rows)) for _, header, rows in tables(runs)
    ]
    click.echo("\n\n".join(made))


def _hold(runs: Sequence[Run], baseline: Mapping[Name, Run], folders: Mapping[str, Path], tolerance: float) -> None:
    """Tell how the runs stand against the baseline; a loss is in the exit status."""

    def fetch(name: str, wanted: set[str]) -> dict[str, Record]:
        return by_key(read_records(items(SETS[name], folders[name])), wanted)

    changes = [held(baseline[name_of(run)], run) for run in runs]
    for line in ("", *change_lines(changes, fetch, tolerance)):
        click.echo(line, err=True)
    if losses(changes, tolerance):
        click.get_current_context().exit(1)
