"""Compares pairs of records that are given by their keys, all at once."""

from collections.abc import Mapping, Sequence

import numpy as np

from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from evaluation.pairs import Pair
from lookup.comparing import Compared
from lookup.matcher import Matcher


def compare_pairs(matcher: Matcher, records: Mapping[str, Record], pairs: Sequence[Pair]) -> Compared:
    """Compare every pair, in order; `records` holds the records of the pairs by key."""
    keys = list(dict.fromkeys(key for pair in pairs for key in pair))
    places = dict(zip(keys, matcher.add(prepare(records[key]) for key in keys).tolist(), strict=True))
    left, right = (np.array([places[pair[side]] for pair in pairs], np.int64) for side in (0, 1))
    return matcher.compare(left, right, every=True)
