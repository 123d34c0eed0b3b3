"""The pairs on which a metric errs most, side by side."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from bibfold.records.model import Record
from evaluation.pairs import Pair
from evaluation.report.page import Section, pair_html
from evaluation.sweeps.labelled_pairs import LabelledPairs, Places
from evaluation.sweeps.scores import FORBIDDEN, PairScores
from lookup.answers import compare_records
from lookup.evidence import Profile

SHOWN = 10


def worst_sections(
    labelled: LabelledPairs, scores: PairScores, profile: Profile, fetch: Callable[[set[str]], dict[str, Record]]
) -> Iterator[Section]:
    """Pairs of the same work that score lowest, and pairs of different works that score highest despite vetoes."""
    reached = np.where(scores.allowed, scores.score, FORBIDDEN)
    same, different = labelled.same.nonzero()[0], (~labelled.same & scores.allowed).nonzero()[0]
    lowest = _keys(labelled, same[np.argsort(reached[same], kind="stable")[:SHOWN]])
    highest = _keys(labelled, different[np.argsort(-reached[different], kind="stable")[:SHOWN]])
    records = fetch({key for pair in (*lowest, *highest) for key in pair})
    for title, pairs in (
        ("Duplicates that look least alike", lowest),
        ("Non-duplicates that look most alike", highest),
    ):
        shown = [pair_html(records[a], records[b], compare_records(records[a], records[b], profile)) for a, b in pairs]
        if shown:
            yield Section(title, "".join(shown), f"By {profile.name}, the worst {len(shown)} first.")


def _keys(labelled: LabelledPairs, chosen: Places) -> Sequence[Pair]:
    return [(labelled.keys[labelled.earlier[at]], labelled.keys[labelled.later[at]]) for at in chosen.tolist()]
