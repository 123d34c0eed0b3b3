"""Pairs of records: counted against known ones, and closed into clusters."""

from collections import defaultdict
from collections.abc import Iterable, Set
from itertools import combinations

import msgspec

Key = tuple[str, str]
"""The keys of two records, in order."""


class Score(msgspec.Struct, frozen=True):
    """How predicted pairs compare with the truth."""

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        """The share of the predicted pairs that are true; 1 where nothing was predicted."""
        predicted = self.true_positives + self.false_positives
        return self.true_positives / predicted if predicted else 1.0

    @property
    def recall(self) -> float:
        """The share of the true pairs that were predicted; 1 where there are none."""
        true = self.true_positives + self.false_negatives
        return self.true_positives / true if true else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = 2 * self.true_positives + self.false_positives + self.false_negatives
        return 2 * self.true_positives / total if total else 1.0


def pair(one: str, other: str) -> Key:
    """Two records as a pair, whichever comes first."""
    return (one, other) if one < other else (other, one)


def score(predicted: Set[Key], truth: Set[Key]) -> Score:
    """Count what was found, what was found wrongly and what was missed."""
    true = len(predicted & truth)
    return Score(true, len(predicted) - true, len(truth) - true)


def pairs_of(memberships: Iterable[tuple[str, str]]) -> set[Key]:
    """All pairs of records that lie in one cluster, from (cluster, record)."""
    members: dict[str, list[str]] = defaultdict(list)
    for cluster, record in memberships:
        members[cluster].append(record)
    return {pair(a, b) for keys in members.values() for a, b in combinations(keys, 2)}


def closure(pairs: Iterable[Key]) -> dict[str, str]:
    """For each record that a pair names, the cluster that the pairs chain it into, called by one of its records."""
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        parent.setdefault(key, key)
        while parent[key] != key:
            parent[key] = key = parent[parent[key]]
        return key

    for one, other in pairs:
        parent[root(one)] = root(other)
    return {key: root(key) for key in parent}
