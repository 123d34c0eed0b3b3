"""The command that measures all public data sets."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bibfold.console import echo, echo_json
from bibfold.options import json_option, say, setting_options
from bibfold.progress import progress
from bibfold.records.model import Record
from bibfold.workspace import Layers
from evaluation.benchmark.gate import TOLERANCE, Name, change_lines, compare_to_baseline, losses, name_of, read_baseline
from evaluation.benchmark.measure import DEFAULT_PROFILES, VARIANTS, Variant, items, measure, variants
from evaluation.benchmark.render import sections, tables
from evaluation.benchmark.sets import SETS, present
from evaluation.options import data_option, markdown_option, report_option, seed_option
from evaluation.records import by_key, read_records
from evaluation.report.page import write_report
from evaluation.runs import EvaluationRun, settings_data, this_version
from evaluation.tables import markdown, table
from lookup.profiles import PROFILES

SETTINGS = ("engine", "top_n", "retriever")
"""The settings that may be given for the whole benchmark."""


@click.command()
@data_option
@click.option("--set", "names", multiple=True, type=click.Choice(list(SETS)), help="A set, may be repeated; else all.")
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    type=click.Choice(list(PROFILES)),
    help=f"A metric, may be repeated; by default {' and '.join(DEFAULT_PROFILES)}, the latter not on costly sets.",
)
@click.option(
    "--against",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Compare with a baseline that --json wrote and list the lost pairs; exit status 1 on a loss.",
)
@click.option(
    "--tolerance", type=click.FloatRange(0, 1), default=TOLERANCE, show_default=True, help="How much F1 may fall."
)
@markdown_option
@setting_options(*SETTINGS)
@seed_option
@report_option
@json_option
def benchmark(names: tuple[str, ...], profiles: tuple[str, ...], layers: Layers, seed: int, **how: Any) -> None:
    """Measure all public data sets, and compare them with a baseline.

    Each set goes through the real dedupe, link or fold, with the default profile and with the paper's, which folds as
    the paper does, at the thresholds 0.4 and 0.5. Sets that are not found are named and skipped. --json prints one run
    per line, with the pairs that were missed and wrong; this is also what --against takes.
    """
    report, against = how["report"], how["against"]
    baseline = read_baseline(against) if against else {}
    selected = _selected(names, profiles, baseline)
    set_names = list(dict.fromkeys(name for name, _ in selected))
    folders = present(set_names, how["data_folders"])
    absent = [name for name in set_names if name not in folders]
    if absent:
        say(f"not found, skipped: {', '.join(absent)}; name the folder of the sets with --data or BIBFOLD_DATA")
    runs = []
    for name, variant in selected:
        if name in folders:
            with progress(f"{name}, {variant.name}") as on_progress:
                runs.append(measure(SETS[name], folders[name], variant, layers, seed=seed, on_progress=on_progress))
    if report:
        write_report(report, "Benchmark", _whole(runs, profiles, layers, seed), sections(runs, absent))
    _show(runs, as_json=how["as_json"], as_markdown=how["as_markdown"])
    if baseline:
        _gate(runs, baseline, folders, how["tolerance"])


def _selected(
    names: Sequence[str], profiles: Sequence[str], baseline: Mapping[Name, EvaluationRun]
) -> list[tuple[str, Variant]]:
    """Each set with each variant to measure; those of the baseline if there is one."""
    if baseline:
        every = [(name, VARIANTS[variant]) for name, variant in baseline if name in SETS and variant in VARIANTS]
        return [
            (name, variant)
            for name, variant in every
            if (not names or name in names) and (not profiles or variant.profile in profiles)
        ]
    defaults = {name: DEFAULT_PROFILES[:1] if SETS[name].costly else DEFAULT_PROFILES for name in SETS}
    return [(name, variant) for name in names or SETS for variant in variants(profiles or defaults[name])]


def _whole(runs: Sequence[EvaluationRun], profiles: Sequence[str], layers: Layers, seed: int) -> EvaluationRun:
    """All runs as one, for the report."""
    values = settings_data(layers, SETTINGS)
    settings = {
        "set": list(dict.fromkeys(run.settings["set"] for run in runs)),
        "profile": list(profiles),
        **{name: values[name] for name in SETTINGS},
        "seed": seed,
    }
    data = {run.settings["set"]: run.data for run in runs}
    figures = {" with ".join(name_of(run)): run.figures for run in runs}
    return EvaluationRun("benchmark", this_version(), settings, data, figures)


def _show(runs: Sequence[EvaluationRun], *, as_json: bool, as_markdown: bool) -> None:
    if as_json:
        for run in runs:
            echo_json(run)
        return
    for at, (_, header, rows) in enumerate(tables(runs)):
        echo(*([""] if at else []), *(markdown(header, rows) if as_markdown else table(header, rows)))


def _gate(
    runs: Sequence[EvaluationRun], baseline: Mapping[Name, EvaluationRun], folders: Mapping[str, Path], tolerance: float
) -> None:
    """Print how the runs compare with the baseline, and exit with status 1 on a loss."""

    def fetch(name: str, keys: set[str]) -> dict[str, Record]:
        return by_key(read_records(items(SETS[name], folders[name])), keys)

    changes = [compare_to_baseline(baseline[name_of(run)], run) for run in runs]
    for line in ("", *change_lines(changes, fetch, tolerance)):
        echo(line, err=True)
    if losses(changes, tolerance):
        click.get_current_context().exit(1)
