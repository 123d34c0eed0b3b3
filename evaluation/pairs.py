"""Pairs of record keys: compared with true pairs, and closed into clusters."""

from collections import defaultdict
from collections.abc import Iterable, Set
from itertools import combinations

import msgspec

Pair = tuple[str, str]
"""The keys of two records, in ascending order."""


class Score(msgspec.Struct, frozen=True):
    """The numbers of right, wrong and missed pairs, with precision, recall and F1."""

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        """The share of the predicted pairs that are true; 1 if nothing was predicted."""
        predicted = self.true_positives + self.false_positives
        return self.true_positives / predicted if predicted else 1.0

    @property
    def recall(self) -> float:
        """The share of the true pairs that were predicted; 1 if there are none."""
        true = self.true_positives + self.false_negatives
        return self.true_positives / true if true else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = 2 * self.true_positives + self.false_positives + self.false_negatives
        return 2 * self.true_positives / total if total else 1.0


def make_pair(a: str, b: str) -> Pair:
    """The pair of two keys, in ascending order."""
    return (a, b) if a < b else (b, a)


def score(predicted: Set[Pair], truth: Set[Pair]) -> Score:
    """Compare predicted pairs with true ones."""
    true = len(predicted & truth)
    return Score(true, len(predicted) - true, len(truth) - true)


def pairs_of(memberships: Iterable[tuple[str, str]]) -> set[Pair]:
    """All pairs of records in the same cluster, from (cluster, record) memberships."""
    members: dict[str, list[str]] = defaultdict(list)
    for cluster, record in memberships:
        members[cluster].append(record)
    return {make_pair(a, b) for keys in members.values() for a, b in combinations(keys, 2)}


def closure(pairs: Iterable[Pair]) -> dict[str, str]:
    """The transitive closure of pairs: the cluster of each record, named after one of its records."""
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        parent.setdefault(key, key)
        while parent[key] != key:
            parent[key] = key = parent[parent[key]]
        return key

    for a, b in pairs:
        parent[root(a)] = root(b)
    return {key: root(key) for key in parent}
