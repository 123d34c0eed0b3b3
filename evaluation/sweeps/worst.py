"""The pairs on which a metric errs most, side by side."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from bibfold.records.columns import Places
from bibfold.records.model import Record
from evaluation.comparisons import compare_pairs
from evaluation.pairs import Pair
from evaluation.report.page import Section, pair_html
from evaluation.sweeps.labelled_pairs import LabelledPairs
from evaluation.sweeps.scores import FORBIDDEN, PairScores
from lookup.matcher import Matcher
from lookup.profile import Profile
from lookup.retrieve import Retrieval

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
        compared = compare_pairs(Matcher(profile, Retrieval()), records, pairs)
        shown = [pair_html(records[a], records[b], compared.comparison(at)) for at, (a, b) in enumerate(pairs)]
        if shown:
            yield Section(title, "".join(shown), f"By {profile.name}, the worst {len(shown)} first.")


def _keys(labelled: LabelledPairs, chosen: Places) -> Sequence[Pair]:
    return [(labelled.keys[labelled.earlier[at]], labelled.keys[labelled.later[at]]) for at in chosen.tolist()]
