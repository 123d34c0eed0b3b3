"""The pairs that a metric gets most wrong, side by side."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from bibfold.records.model import Record
from evaluation.pairs import Key
from evaluation.report.page import Section, pair_html
from evaluation.sweeps.known import Known, Places
from evaluation.sweeps.scores import FORBIDDEN, Scores
from lookup.answers import compare_records
from lookup.evidence import Profile

SHOWN = 10


def worst_sections(
    known: Known, scores: Scores, profile: Profile, fetch: Callable[[set[str]], dict[str, Record]]
) -> Iterator[Section]:
    """Pairs of the same work that score lowest, and of different ones that score highest and no veto parts."""
    reached = np.where(scores.allowed, scores.score, FORBIDDEN)
    same, different = known.same.nonzero()[0], (~known.same & scores.allowed).nonzero()[0]
    lowest = _keys(known, same[np.argsort(reached[same], kind="stable")[:SHOWN]])
    highest = _keys(known, different[np.argsort(-reached[different], kind="stable")[:SHOWN]])
    records = fetch({key for two in (*lowest, *highest) for key in two})
    for title, pairs in (
        ("Duplicates that look least alike", lowest),
        ("Non-duplicates that look most alike", highest),
    ):
        shown = [pair_html(records[a], records[b], compare_records(records[a], records[b], profile)) for a, b in pairs]
        if shown:
            yield Section(title, "".join(shown), f"By {profile.name}, the worst {len(shown)} first.")


def _keys(known: Known, chosen: Places) -> Sequence[Key]:
    return [(known.keys[known.earlier[at]], known.keys[known.later[at]]) for at in chosen.tolist()]
