"""The group `evaluate`: a table of command names; the commands are in the `cli` module of each part."""

from typing import Final

import click

from bibfold.cli import Commands, Lazy

COMMANDS: Final[Commands] = {
    "sample": ("evaluation.samples.cli:sample", "Draw a truth: pairs of the same work and of different ones."),
    "review": ("evaluation.samples.cli:review", "Label the pairs of a truth by hand."),
    "noise": ("evaluation.noise.cli:noise", "Make noisy duplicates and near misses of clean records."),
    "differences": ("evaluation.noise.cli:differences", "Count the ways in which known duplicates differ."),
    "sweep": (
        "evaluation.sweeps.cli:sweep",
        "Find the best threshold of each metric: precision, recall and F1 from 0 to 1.",
    ),
    "distributions": (
        "evaluation.sweeps.cli:distributions",
        "Show how the scores of duplicates and of non-duplicates are distributed, in ten ranges.",
    ),
    "retrieval": (
        "evaluation.sweeps.cli:retrieval",
        "Measure how many true pairs are among the first 1, 2, 5, 10, 20, 50 and 100 candidates.",
    ),
    "replay": ("evaluation.replay.cli:replay", "Fold records in order and measure the result against known pairs."),
    "misses": ("evaluation.replay.cli:misses", "Explain why each lost pair was lost."),
    "self": ("evaluation.replay.cli:itself", "Fold records known to be distinct: every merge is an error."),
    "compare": (
        "evaluation.replay.cli:compare",
        "Compare two runs: what got better, what worse, and whether by chance.",
    ),
    "benchmark": (
        "evaluation.benchmark.cli:benchmark",
        "Measure all public data sets, and compare them with a baseline.",
    ),
    "tables": ("evaluation.paper.cli:tables", "Make the paper's tables from public data, beside its own figures."),
    "score": ("evaluation.replay.cli:score", "Measure a result against known pairs."),
}
"""Every command of the group."""

EXAMPLES: Final = {
    "sample": "evaluate sample records.jsonl --method search --pairs 500 --out truth.csv",
    "review": "evaluate review truth.csv --records records.jsonl",
    "noise": "evaluate noise clean.jsonl --out noisy/",
    "differences": "evaluate differences records.jsonl truth.csv --json",
    "sweep": "evaluate sweep records.jsonl truth.csv --profile bibfold --report sweep/",
    "distributions": "evaluate distributions records.jsonl truth.csv",
    "retrieval": "evaluate retrieval records.jsonl truth.csv --engine tantivy",
    "replay": "evaluate replay records.jsonl truth.csv --report replay/",
    "misses": "evaluate misses records.jsonl truth.csv --out misses.csv",
    "self": "evaluate self distinct.jsonl",
    "compare": "evaluate compare before/run.json after/run.json",
    "benchmark": "evaluate benchmark --set cora --json",
    "tables": "evaluate tables --table 1 --markdown",
    "score": "evaluate score folded/clusters.csv truth.csv",
}
"""For each command a line that shows how it is used."""


@click.command(cls=Lazy, table=COMMANDS, examples=EXAMPLES)
def evaluate() -> None:
    """Measure results, metrics and candidates against known pairs.

    A truth is a CSV file of pairs (a,b: all of them the same work), of labelled pairs (a,b,label: same or different)
    or of clusters (cluster,source,id). A record is named source:id.
    """
