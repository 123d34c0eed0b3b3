"""The commands that measure profiles and candidates, without a fold."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from itertools import chain
from typing import Any, TypeVar

import click

from bibfold.console import echo, echo_json
from bibfold.options import DEAD_LETTERS, Remarks, input_options, json_option, setting_options
from bibfold.outputs import Output
from bibfold.progress import progress
from bibfold.records.formats.files import Read
from bibfold.settings import checked
from bibfold.workspace import Layers
from evaluation.options import (
    input_data,
    judged_option,
    records_argument,
    report_option,
    skip_unknown_option,
    strip_option,
    truth_argument,
)
from evaluation.report.page import Section, write_report
from evaluation.runs import EvaluationRun, settings_data
from evaluation.sweeps import render
from evaluation.sweeps.data import Data
from evaluation.sweeps.distributions import distribution
from evaluation.sweeps.labelled_pairs import LabelledPairs
from evaluation.sweeps.proposals import indexed, with_proposed
from evaluation.sweeps.retrieval import Recall, SearchMethod, queries, recall, search_methods
from evaluation.sweeps.scores import PairScores, by_class, metrics, score_pairs
from evaluation.sweeps.sweep import grid
from evaluation.sweeps.sweep import sweep as swept
from evaluation.sweeps.worst import worst_sections
from lookup.profile import Profile
from lookup.profiles import PROFILES, profile_named

Command = TypeVar("Command", bound=Callable[..., Any])

PROPOSING = ("engine", "top_n", "retriever", "identifiers", "languages")
"""The settings by which pairs are proposed if the truth has no different ones."""


def data_options(command: Command) -> Command:
    """Adds the arguments for records and truth and how to read them; the command gets `data`."""

    @wraps(command)
    def with_data(records: str, truth: str, read: Read, judged: str | None, **values: Any) -> Any:
        flags = values.pop("skip_unknown"), values.pop("strip_identifiers")
        return command(data=Data(records, truth, read, judged, *flags, input_data(), letters=[]), **values)

    decorated: Any = input_options(with_data)
    for add in (strip_option, skip_unknown_option, judged_option, truth_argument, records_argument):
        decorated = add(decorated)
    return decorated  # type: ignore[no-any-return]


across_option = click.option(
    "--across-sources", is_flag=True, help="Propose only pairs of records from different sources, as a link does."
)
profile_option = click.option(
    "--profile", "profiles", multiple=True, help="A metric, see `bibfold profiles`; may be repeated; all by default."
)


@click.command()
@data_options
@profile_option
@click.option(
    "--step", type=click.FloatRange(0.001, 1), default=0.1, show_default=True, help="The distance between thresholds."
)
@across_option
@setting_options(*PROPOSING)
@json_option
@report_option
def sweep(
    data: Data,
    profiles: tuple[str, ...],
    step: float,
    across_sources: bool,
    layers: Layers,
    as_json: bool,
    report: Output | None,
) -> None:
    """Find the best threshold of each metric: precision, recall and F1 from 0 to 1.

    Every pair is scored once with each profile. If the truth is not labelled, the different pairs are those that the
    index proposes and the truth does not hold.
    """
    chosen = _chosen(profiles)
    pairs = _pairs(data, layers, across=across_sources)
    data.need(pairs, different=True)
    made = _scores(pairs, chosen)
    sweeps = {
        name: swept(metric, grid(step), profile.same)
        for profile in chosen
        for name, metric in metrics(made, profile, pairs).items()
    }
    settings = {"profile": list(made), "step": step, **_proposing(pairs, layers, across=across_sources)}
    lines = [render.pairs_line(pairs), "", *render.sweep_lines(sweeps)]
    worst = worst_sections(pairs, made[chosen[0].name], chosen[0], data.fetch)
    run = data.run("sweep", pairs, settings, {"metrics": sweeps})
    _finish(data, run, lines, chain(render.sweep_sections(sweeps, pairs), worst), as_json, report)


@click.command()
@data_options
@profile_option
@across_option
@setting_options(*PROPOSING)
@json_option
@report_option
def distributions(
    data: Data, profiles: tuple[str, ...], across_sources: bool, layers: Layers, as_json: bool, report: Output | None
) -> None:
    """Show how the scores of duplicates and of non-duplicates are distributed, in ten ranges.

    Every pair is scored once with each profile, without vetoes. If the truth is not labelled, the non-duplicates are
    the pairs that the index proposes and the truth does not hold.
    """
    pairs = _pairs(data, layers, across=across_sources)
    made = _scores(pairs, _chosen(profiles))
    found = {name: distribution(by_class(scores, pairs)) for name, scores in made.items()}
    settings = {"profile": list(made), **_proposing(pairs, layers, across=across_sources)}
    lines = [render.pairs_line(pairs), "", *render.distribution_lines(found)]
    run = data.run("distributions", pairs, settings, {"metrics": found})
    _finish(data, run, lines, render.distribution_sections(found, pairs), as_json, report)


@click.command()
@data_options
@click.option(
    "--engine",
    "engines",
    multiple=True,
    help="Where the index lives; may be repeated; by default the settings' engine, or memory.",
)
@click.option(
    "--retriever",
    "retrievers",
    multiple=True,
    type=click.Choice(("bigrams", "fingerprint")),
    help="How neighbours are found; both by default.",
)
@click.option(
    "--identifiers/--no-identifiers", default=None, help="Whether a shared identifier proposes too; both by default."
)
@setting_options("languages")
@json_option
@report_option
def retrieval(
    data: Data,
    engines: tuple[str, ...],
    retrievers: tuple[str, ...],
    identifiers: bool | None,
    layers: Layers,
    as_json: bool,
    report: Output | None,
) -> None:
    """Measure how many true pairs are among the first 1, 2, 5, 10, 20, 50 and 100 candidates.

    Each record of a true pair is looked up in an index of all the others.
    """
    pairs = data.labelled_pairs(every=True)
    data.need(pairs, different=False)
    engine_layers = {settings_data([*layers, layer], ("engine",))["engine"]: layer for layer in _engines(engines)}
    settings = {
        "engine": list(engine_layers),
        "retriever": list(retrievers) or ["bigrams", "fingerprint"],
        "identifiers": identifiers,
        "languages": settings_data(layers, ("languages",))["languages"],
    }
    chosen = search_methods(settings["retriever"], _identifiers(pairs, identifiers))
    found: dict[tuple[str, SearchMethod], Recall] = {}
    for engine, layer in engine_layers.items():
        with indexed(pairs.prepared, [*layers, layer]) as index:
            for method in chosen:
                with progress(f"{engine}, {method.name}", len(queries(pairs))) as on_progress:
                    found[engine, method] = recall(index, pairs, method, on_progress)
    run = data.run("retrieval", pairs, settings, {"recall": render.recall_figures(found)})
    _finish(data, run, render.recall_lines(found), render.recall_sections(found), as_json, report)


def _chosen(names: Sequence[str]) -> list[Profile]:
    return [profile_named(name) for name in dict.fromkeys(names or PROFILES)]


def _engines(addresses: Sequence[str]) -> list[dict[str, Any]]:
    """A layer of settings for each engine that was given; by default an empty layer, for the settings' own engine."""
    return [checked({"engine": address}) for address in addresses] or [{}]


def _identifiers(pairs: LabelledPairs, choice: bool | None) -> list[bool]:
    """Without and with identifiers, unless one of them was chosen or no record has any."""
    if choice is not None:
        return [choice]
    return [False, True] if any(record.identifiers for record in pairs.prepared) else [False]


def _pairs(data: Data, layers: Layers, *, across: bool) -> LabelledPairs:
    """The pairs of the truth, with proposed pairs as the different ones if the truth is whole."""
    pairs = data.labelled_pairs()
    if not pairs.whole:
        return pairs
    with progress("records", len(pairs.keys)) as on_progress:
        return with_proposed(pairs, layers, across=across, on_progress=on_progress)


def _scores(pairs: LabelledPairs, profiles: Sequence[Profile]) -> dict[str, PairScores]:
    with progress("pairs", len(pairs.same)) as on_progress:
        return score_pairs(pairs, profiles, on_progress)


def _proposing(pairs: LabelledPairs, layers: Layers, *, across: bool) -> dict[str, Any]:
    """The settings by which pairs were proposed, if any were."""
    if not pairs.proposed:
        return {}
    settings = settings_data(layers, PROPOSING)
    return {"across_sources": across, **{name: settings[name] for name in PROPOSING}}


def _finish(
    data: Data,
    run: EvaluationRun,
    lines: Sequence[str],
    sections: Iterable[Section],
    as_json: bool,
    report: Output | None,
) -> None:
    """Print the figures and the dead letters, and write the report if asked to."""
    remarks = Remarks()
    for letter in data.letters:
        remarks(f"{letter.file}, {letter.position}: {letter.reason}")
    remarks.close()
    if as_json:
        echo_json(run)
    else:
        echo(*lines)
    if report:
        write_report(report, run.kind.capitalize(), run, list(sections))
        echo(f"report: {report.path / 'index.html'}", err=True)
    if data.letters:
        click.get_current_context().exit(DEAD_LETTERS)
