"""The group `learn`: makes profile files from examples."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from bibfold.cli import Commands, Lazy
from bibfold.errors import SettingsError
from bibfold.options import json_option, setting_options
from bibfold.progress import progress
from bibfold.workspace import Layers
from evaluation.options import seed_option
from evaluation.sweeps.cli import PROPOSING, across_option, data_options
from evaluation.sweeps.data import Data
from evaluation.sweeps.proposals import with_proposed
from evaluation.tables import table
from learning.fitting import Plan
from learning.trees import Learned, learn
from lookup.profile_file import to_text
from lookup.trees import MOST_LEAVES

COMMANDS: Final[Commands] = {
    "trees": ("learning.cli:trees", "Learn a profile of trees from known pairs."),
}
"""Every command of the group."""


EXAMPLES: Final = {"trees": "learn trees records.jsonl truth.csv --out mine.json"}


@click.command("learn", cls=Lazy, table=COMMANDS, examples=EXAMPLES)
def group() -> None:
    """Make profile files from examples.

    A truth is a CSV file of pairs (a,b: all of them the same work), of labelled pairs (a,b,label: same or different)
    or of clusters (cluster,source,id). A record is named source:id.
    """


@click.command()
@data_options
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The profile file to write."
)
@click.option("--trees", "count", type=click.IntRange(1, 1000), default=150, show_default=True, help="How many trees.")
@click.option(
    "--leaves",
    type=click.IntRange(2, MOST_LEAVES),
    default=MOST_LEAVES,
    show_default=True,
    help="How many leaves each tree has at most.",
)
@click.option("--least", type=click.IntRange(1), default=10, show_default=True, help="How many pairs a leaf needs.")
@click.option("--rate", type=click.FloatRange(0.001, 1), default=0.1, show_default=True, help="The learning rate.")
@click.option(
    "--folds", type=click.IntRange(2, 20), default=4, show_default=True, help="Folds of the cross-validation."
)
@click.option("--free", is_flag=True, help="Let more agreement also lower a score; trees are monotone otherwise.")
@across_option
@setting_options(*PROPOSING)
@seed_option
@json_option
def trees(data: Data, out: Path, across_sources: bool, layers: Layers, as_json: bool, **how: Any) -> None:
    """Learn a profile of trees from known pairs.

    If the truth is not labelled, the different pairs are those that the index proposes and the truth does not hold.
    Prints how good the trees are on works that they did not learn from. The file is for --profile ./mine.json.
    """
    if not out.parent.is_dir():
        raise SettingsError(f"--out: the folder {out.parent} does not exist")
    pairs = data.labelled_pairs()
    if pairs.whole:
        with progress("records", len(pairs.keys)) as on_progress:
            pairs = with_proposed(pairs, layers, across=across_sources, on_progress=on_progress)
    data.need(pairs, different=True)
    plan = Plan(trees=how["count"], **{name: how[name] for name in ("leaves", "least", "rate", "free", "seed")})
    learned = learn(out.stem, pairs, plan, how["folds"])
    out.write_text(to_text(learned.profile), encoding="utf-8")
    if as_json:
        shown = {name: getattr(learned, name) for name in learned.__struct_fields__ if name != "profile"}
        thresholds = {"same_from": learned.profile.same, "unsure_from": learned.profile.unsure}
        click.echo(msgspec.json.encode({"profile": str(out), **thresholds, **msgspec.to_builtins(shown)}))
    else:
        click.echo("\n".join(_lines(learned, out)))


def _lines(learned: Learned, out: Path) -> Iterator[str]:
    profile = learned.profile
    yield f"{learned.same:,} pairs of the same work, {learned.different:,} of different ones"
    yield f"same from {profile.same}, unsure from {profile.unsure}"
    yield ""
    header = ["folds", "accuracy", "same: precision", "recall", "different: precision", "recall"]
    rows = [
        [what, *(f"{figure:.4f}" for figure in msgspec.structs.astuple(found))]
        for what, found in (("by works", learned.by_works), ("by pairs", learned.by_pairs))
    ]
    yield from table(header, rows)
    yield ""
    yield from table(["part", "counts"], [[field, f"{share:.1%}"] for field, share in learned.importance.items()])
    yield f"written: {out}"
