"""Identifiers that two records share."""

from collections.abc import Mapping

import numpy as np

from bibfold.records.columns import Bags
from bibfold.records.prepare import Prepared
from lookup.pairs import Pairs, Scores, scores

NAMES = Bags(lambda record: [f"{kind}:{value}" for kind, value in record.identifiers if kind != "issn"])
"""All but ISSNs, which name a journal and not a work."""


def shared(pairs: Pairs) -> Scores:
    """1 where a DOI, PMID, ISBN or the like is common to both; says nothing where none is."""
    _, _, common = pairs.overlap(NAMES)
    return scores(np.ones(pairs.size), common == 0)


def say(ours: Prepared, theirs: Prepared, score: float) -> str:
    """The first identifier in common."""
    kind, value = next(pair for pair in ours.identifiers if pair in theirs.identifiers and pair[0] != "issn")
    return f"{kind} {value}: equal"


def by_kind(record: Prepared) -> Mapping[str, set[str]]:
    """The values of each kind."""
    kinds: dict[str, set[str]] = {}
    for kind, value in record.identifiers:
        kinds.setdefault(kind, set()).add(value)
    return kinds
