"""Two records compared as whole citations, word by word."""

import numpy as np
from rapidfuzz.distance import Levenshtein

from bibfold.records.columns import Numbers
from bibfold.records.prepare import Prepared
from lookup.evidence import Finding
from lookup.pairs import Pairs, Scores, scores


def words(pairs: Pairs) -> Scores:
    """One minus the edit distance, in words, of title, sorted authors, publication and year over the maximum."""
    ours, theirs = pairs.both(LENGTH)
    longer = np.maximum(ours, theirs)
    missing = (ours == 0) | (theirs == 0)
    return scores(np.minimum(ours, theirs) / np.maximum(longer, 1), missing, open=~missing)


def look(ours: Prepared, theirs: Prepared) -> Finding:
    """The edit distance of one pair; no better than the lengths allow."""
    mine, yours = _words(ours), _words(theirs)
    return Finding(1 - Levenshtein.distance(mine, yours) / max(len(mine), len(yours)))


def say(ours: Prepared, theirs: Prepared, score: float) -> str:
    """How many words differ."""
    mine, yours = _words(ours), _words(theirs)
    return f"citation: {Levenshtein.distance(mine, yours)} of {max(len(mine), len(yours))} words differ"


def _words(record: Prepared) -> list[str]:
    authors = sorted(f"{family} {given}" for family, given in record.people)
    year = "" if record.year is None else str(record.year)
    return " ".join((record.title, *authors, record.publication, year)).split()


LENGTH = Numbers(lambda record: len(_words(record)))
"""How many words a citation has."""
