"""Makes the default profile from the shown sets and from hard negatives: `python -m learning.default`.

Sets that are not found are named and left out; BIBFOLD_DATA or `--data` names the folder that holds them.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from bibfold.records.formats.files import read_files
from evaluation.benchmark.measure import truth_of
from evaluation.benchmark.sets import SETS, data_folders, find
from evaluation.records import read_records
from learning.candidates import Candidates, of_different, of_truth
from learning.examples import Examples, related, scores
from learning.fitting import Plan, fit
from learning.judging import Judged, calibrated, one_left_out, out_of_fold
from learning.parts import PARTS
from learning.profile import made
from learning.trees import quality
from learning.words import rare_words
from lookup.learnt import Learnt
from lookup.profile_file import to_text

OUT: Final = Path(__file__).parents[1] / "lookup" / "data" / "bibfold.json"

LABELLED: Final = (
    "dblp-acm", "dblp-scholar", "nypl-books", "cora", "stroke", "cytology-screening", "diabetes", "arxiv-revisions",
)  # fmt: skip

DIFFERENT: Final = {"arxiv": 20_000, "acl": 15_000}
"""Sets of different works, and how many of their records are held against their neighbours."""

WEIGHTS: Final = {"arxiv": 2.0, "arxiv-revisions": 0.1}
"""What a set weighs, if not 1: most records of a collection are neighbours of others, few are retitled."""

LARGEST: Final = 200_000
"""No more records of a set are read."""

MOST_PAIRS: Final = 30_000
"""No more pairs of a set are compared in full."""

RETITLED: Final = 0.5
"""A title that holds less than this of the other, in words and in letters, tells no reader that the two are one."""

SAME: Final = 0.45
UNSURE: Final = 0.2
"""Chosen by F1 on the shown sets, not by costs: a wrong merge at five missed ones asks for a `same` of 0.77 or more."""

PLAN: Final = Plan(trees=250, most=6_000)
FOLDS: Final = 2


def main(arguments: Sequence[str] = ()) -> None:
    """Write the profile, and print what the trees do on works and on sets that they did not learn from."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="The folder of the sets.")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--sets-left-out", action="store_true", help="Judge each set by the others, too: takes long.")
    asked = parser.parse_args(arguments)
    found = list(candidates(data_folders(asked.data)))
    words = rare_words([of.prepared[:40_000] for of in found])
    sets = [examples(of, Learnt(words=words)) for of in found]
    judged = out_of_fold(sets, PARTS, PLAN, FOLDS)
    trees = calibrated(fit(sets, PARTS, PLAN), judged)
    title = "Learnt trees over title, authors, publication, year, numbering and identifiers, with rules"
    profile = made("bibfold", title, Learnt(trees=trees, words=words), SAME, UNSURE)
    asked.out.write_text(to_text(profile), encoding="utf-8")
    _print("works not learnt from", judged)
    if asked.sets_left_out:
        _print("sets not learnt from", list(one_left_out(sets, PARTS, PLAN)))


def candidates(folders: Sequence[Path]) -> Iterator[Candidates]:
    """The labelled pairs of every set that is there."""
    for name in (*LABELLED, *DIFFERENT):
        folder = find(name, folders)
        if folder is None:
            _say(f"{name}: not found, left out")
            continue
        records = list(islice(read_records(read_files([str(folder / "records.jsonl.gz")])), LARGEST))
        if name in DIFFERENT:
            found = of_different(name, records, DIFFERENT[name])
        else:
            found = of_truth(name, records, truth_of(folder), SETS[name].sides)
        _say(f"{name}: {len(found.same):,} pairs, {int(found.same.sum()):,} of the same work")
        yield found


def examples(found: Candidates, learnt: Learnt) -> Examples:
    """What the parts find of a set's pairs, without those that are not related or that no reader could know."""
    gate = [part for part in PARTS if part.needed]
    kept = np.flatnonzero(related(scores(found.prepared, found.left, found.right, gate, learnt), gate))
    rng = np.random.default_rng(0)
    different = kept[~found.same[kept]]
    if len(different) > MOST_PAIRS:
        different = np.sort(rng.choice(different, MOST_PAIRS, replace=False))
    kept = np.concatenate((kept[found.same[kept]], different))
    matrix = scores(found.prepared, found.left[kept], found.right[kept], PARTS, learnt)
    made_of = Examples(found.name, matrix, found.same[kept], found.works[kept], WEIGHTS.get(found.name, 1.0))
    field = {part.field: place for place, part in enumerate(PARTS)}
    retitled = (matrix[:, field["title.rare_contained"]] < RETITLED) & (matrix[:, field["title.letters"]] < RETITLED)
    return made_of.only(~(made_of.same & retitled)) if found.name == "arxiv-revisions" else made_of


def _print(what: str, judged: Sequence[Judged]) -> None:
    """Precision and recall of pairs at the threshold, a line for each set."""
    for one in judged:
        said = 1 / (1 + np.exp(-one.margins)) >= SAME
        found = quality(said, one.examples.same)
        _say(f"{what}: {one.examples.name}: precision {found.precision:.4f}, recall {found.recall:.4f}")


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
