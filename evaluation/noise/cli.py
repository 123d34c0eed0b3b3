"""The commands that generate noise, and that count how real duplicates differ."""

from pathlib import Path
from typing import Any

import click
import msgspec

from bibfold.console import echo, echo_json
from bibfold.options import DEAD_LETTERS, Remarks, input_options, json_option, output_options
from bibfold.outputs import Output, output_folder
from bibfold.progress import progress
from bibfold.records.formats.files import Read
from evaluation.noise.differences import shares
from evaluation.noise.generate import Counts, NoisePlan, generate
from evaluation.noise.mix import MIX, read_mix
from evaluation.options import records_argument, seed_option, skip_unknown_option, truth_argument
from evaluation.records import by_key, check_present, read_records
from evaluation.runs import file_data, this_version
from evaluation.tables import table
from evaluation.truth import read_pairs

SHARE = click.FloatRange(0, 1)
FILES = ("records.jsonl.gz", "truth.csv.gz", "clusters.csv.gz", "noise.json")


@click.command()
@records_argument
@output_options(
    out=(
        click.option(
            "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="The folder to write."
        ),
        FILES,
    )
)
@click.option("--rate", type=SHARE, default=0.3, show_default=True, help="The share of records that get duplicates.")
@click.option("--most", type=click.IntRange(1), default=3, show_default=True, help="Duplicates of a record, at most.")
@click.option("--near-misses", type=SHARE, default=0.1, show_default=True, help="The share that get a near miss.")
@click.option(
    "--keep-identifiers", is_flag=True, help="Duplicates keep the identifiers, by which they are easily found."
)
@click.option("--mix", type=click.Path(path_type=Path, dir_okay=False), help="A JSON file of shares by kind of noise.")
@seed_option
@input_options
@json_option
def noise(records: str, out: Output, read: Read, as_json: bool, mix: Path | None, **how: Any) -> None:
    """Make noisy duplicates and near misses of clean records.

    Every record of the input counts as a different work. Writes all records (records.jsonl.gz), labelled pairs
    (truth.csv.gz), clusters (clusters.csv.gz) and the settings and counts (noise.json); each generated record names its
    kinds of noise. With --mix, the output of `bibfold evaluate differences --json` gives noise like that of real data.
    """
    plan = NoisePlan(**how, mix=read_mix(mix) if mix else MIX)
    origin = file_data(records, 0)
    remarks = Remarks()
    stream = read_records(read([records]), lambda letter: remarks(f"{letter.file}, {letter.position}: {letter.reason}"))
    with output_folder(out) as folder, progress("making noise") as advance:
        counts = generate(stream, folder, plan, advance)
        made = _made(counts, plan, origin)
        (folder / "noise.json").write_bytes(msgspec.json.format(msgspec.json.encode(made)) + b"\n")
    remarks.close()
    if as_json:
        echo_json(made)
    else:
        echo(*_lines(counts, out.path))
    if remarks.count:
        click.get_current_context().exit(DEAD_LETTERS)


def _made(counts: Counts, plan: NoisePlan, origin: dict[str, Any]) -> dict[str, Any]:
    clean = counts.records - counts.duplicates - counts.near_misses
    return {
        "version": this_version(),
        "how": msgspec.structs.asdict(plan),
        "records": {**origin, "count": clean},
        "counts": msgspec.structs.asdict(counts),
    }


def _lines(counts: Counts, out: Path) -> list[str]:
    lines = [
        f"{counts.records} records, of them {counts.duplicates} noisy duplicates and {counts.near_misses} near misses; "
        f"{counts.same} pairs of the same work and {counts.different} of different ones; see {out}/"
    ]
    return [*lines, *table(("kind", "records"), sorted(counts.kinds.items(), key=lambda kind: -kind[1]))]


@click.command()
@records_argument
@truth_argument
@skip_unknown_option
@input_options
@json_option
def differences(records: str, truth: str, skip_unknown: bool, read: Read, as_json: bool) -> None:
    """Count the ways in which known duplicates differ.

    The --json output is a mix for `bibfold evaluate noise --mix`.
    """
    pairs = sorted(read_pairs(truth))
    named = {key for pair in pairs for key in pair}
    remarks = Remarks()
    stream = read_records(read([records]), lambda letter: remarks(f"{letter.file}, {letter.position}: {letter.reason}"))
    found = by_key(stream, named)
    unknown = check_present(named, found, skip_unknown=skip_unknown)
    number, share = shares((found[a], found[b]) for a, b in pairs if a in found and b in found)
    remarks.close()
    if as_json:
        echo_json({"pairs": number, "unknown": len(unknown), "shares": share})
    else:
        echo(f"{number} pairs of the same work; the share that differs in each way:")
        echo(*table(("way", "share"), sorted(share.items(), key=lambda way: -way[1])))
    if remarks.count:
        click.get_current_context().exit(DEAD_LETTERS)
