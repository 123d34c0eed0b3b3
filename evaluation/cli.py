"""The command that measures results."""

import click
import msgspec

from bibfold.errors import InputError
from bibfold.options import json_option
from evaluation.pairs import score
from evaluation.truth import read_pairs

WORST = 10


@click.command()
@click.argument("result")
@click.argument("truth")
@json_option
def evaluate(result: str, truth: str, as_json: bool) -> None:
    """Measure a result against known pairs.

    The result is a clusters.csv or links.csv; the known pairs are a CSV file with the columns a,b or
    cluster,source,id.
    """
    known = read_pairs(truth)
    if not known:
        raise InputError(f"{truth} holds no pairs; precision and recall mean nothing without them")
    found = read_pairs(result)
    measured = score(found, known)
    missed, wrong = sorted(known - found), sorted(found - known)
    if as_json:
        data = {
            "precision": round(measured.precision, 6),
            "recall": round(measured.recall, 6),
            "f1": round(measured.f1, 6),
            **msgspec.structs.asdict(measured),
        }
        click.echo(msgspec.json.encode(data))
        return
    click.echo(
        f"precision {measured.precision:.4f}  recall {measured.recall:.4f}  F1 {measured.f1:.4f}  "
        f"({measured.true_positives} found, {measured.false_positives} wrong, {measured.false_negatives} missed)"
    )
    for label, pairs in (("missed", missed), ("wrong", wrong)):
        for one, other in pairs[:WORST]:
            click.echo(f"  {label}: {one} ~ {other}")
        if len(pairs) > WORST:
            click.echo(f"  … and {len(pairs) - WORST} more {label}")
