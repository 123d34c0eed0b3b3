"""Pairs compared at once compare as each does by itself."""

from collections.abc import Callable
from itertools import combinations

from bibfold.records.model import Record
from evaluation.comparisons import compare_pairs
from evaluation.records import by_key
from lookup.answers import compare_records
from lookup.matcher import Matcher
from lookup.profiles import BIBFOLD
from lookup.retrieve import Retrieval


def test_every_pair_is_compared_in_order(make: Callable[..., Record]) -> None:
    records = by_key([make("a"), make("b"), make("c", 1), make("d", title="")])
    pairs = list(combinations(records, 2))
    compared = compare_pairs(Matcher(BIBFOLD, Retrieval()), records, pairs)
    expected = [compare_records(records[a], records[b]) for a, b in pairs]
    assert [compared.comparison(at) for at in range(len(pairs))] == expected
    assert {comparison.decision for comparison in expected} >= {"same", "different"}


def test_no_pairs() -> None:
    assert compare_pairs(Matcher(BIBFOLD, Retrieval()), {}, []).pairs.size == 0
