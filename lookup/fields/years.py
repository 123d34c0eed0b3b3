"""How near two years of publication are."""

import numpy as np

from bibfold.records.columns import Flags, Numbers, Places
from bibfold.records.prepare import Prepared
from lookup.fields.titles import TITLE
from lookup.pairs import Pairs, Scores, scores

YEAR = Numbers(lambda record: record.year or 0)


def near(pairs: Pairs) -> Scores:
    """1 / (1 + d/4) for years that are d apart: 1 for the same, 0.8 for the next, a half for four apart."""
    apart, missing = _apart(pairs)
    return scores(1 / (1 + apart / 4), missing)


def close(pairs: Pairs) -> Scores:
    """1 for the same year, 0.3 for the next, else 0; the full weight is only for titles that differ too.

    A work may appear twice with a year between, as preprint and article; another title in another year is
    another work.
    """
    apart, missing = _apart(pairs)
    title, other_title = pairs.both(TITLE)
    score = np.where(apart == 0, 1.0, np.where(apart == 1, 0.3, 0.0))
    return scores(score, missing, np.where((apart == 0) | (title == other_title), 0.5, 1.0))


def say(ours: Prepared, theirs: Prepared, score: float) -> str:
    """The years, and how far apart they are."""
    apart = abs((ours.year or 0) - (theirs.year or 0))
    return f"year {ours.year} against {theirs.year}: {apart} apart" if apart else f"year {ours.year}: equal"


def _apart(pairs: Pairs) -> tuple[Places, Flags]:
    ours, theirs = pairs.both(YEAR)
    return np.abs(ours - theirs), (ours == 0) | (theirs == 0)
