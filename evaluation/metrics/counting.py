"""Counts the pairs of a truth that predicted clusters hold, without listing every pair of a large cluster."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import combinations, islice

import msgspec
import numpy as np

from evaluation.metrics.clusters import Floats
from evaluation.pairs import Key, Score, closure, pair
from evaluation.truth import Truth

LISTED = 100_000
"""How many wrong pairs are listed; all are counted."""


class Counted(msgspec.Struct, frozen=True):
    """How a truth's pairs fared: the counts, the pairs that went wrong, and what each work adds to the counts."""

    score: Score
    missed: list[Key]
    wrong: list[Key]
    parts: Floats


def count_pairs(truth: Truth, predicted: Mapping[str, str]) -> Counted:
    """Compare clusters, from record to cluster, with a truth.

    Of a labelled truth its own pairs count. Of a whole one every pair within a cluster counts that is not known
    to be the same; one that follows from known pairs but is not among them is neither right nor wrong. A wrong
    pair is charged by halves to the two works that it mixes.
    """
    work = closure(truth.same)
    if not truth.whole:
        return _counted(truth, work, lambda two: _together(predicted, *two))
    charges = list(_mixed(truth, predicted, work))
    wrong = sum(charge for _, charge in charges) // 2
    listed = sorted(islice(_wrong_pairs(truth, predicted, work), LISTED))
    counted = _counted(truth, work, lambda two: _together(predicted, *two), [(one, n / 2) for one, n in charges])
    score = Score(counted.score.true_positives, wrong, counted.score.false_negatives)
    return msgspec.structs.replace(counted, score=score, wrong=listed)


def count_links(truth: Truth, found: Set[Key]) -> Counted:
    """Compare found pairs with a truth by the same rules, without following them from one to the next."""
    work = closure(truth.same)
    if not truth.whole:
        return _counted(truth, work, found.__contains__)
    wrong = sorted(two for two in found if truth.counts(two) and _mixes(work, two))
    counted = _counted(truth, work, found.__contains__, [(work.get(key, key), 0.5) for two in wrong for key in two])
    score = Score(counted.score.true_positives, len(wrong), counted.score.false_negatives)
    return msgspec.structs.replace(counted, score=score, wrong=wrong)


def _counted(
    truth: Truth, work: Mapping[str, str], found: Callable[[Key], bool], charges: Iterable[tuple[str, float]] = ()
) -> Counted:
    """The truth's own pairs counted, and what else is charged to works."""
    adds: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    missed, wrong = [], sorted(filter(found, truth.different))
    for two in truth.same:
        is_found = found(two)
        adds[work[two[0]]][0 if is_found else 2] += 1
        if not is_found:
            missed.append(two)
    for one, charge in (*charges, *((work.get(key, key), 0.5) for two in wrong for key in two)):
        adds[one][1] += charge
    score = Score(len(truth.same) - len(missed), len(wrong), len(missed))
    return Counted(score, sorted(missed), wrong, np.array(list(adds.values()) or [[0.0] * 3]))


def _mixes(work: Mapping[str, str], two: Key) -> bool:
    one, other = two
    return work.get(one, one) != work.get(other, other)


def members_of(clusters: Mapping[str, str]) -> dict[str, list[str]]:
    """Clusters with their records, in the order of the records."""
    members: dict[str, list[str]] = defaultdict(list)
    for record, cluster in clusters.items():
        members[cluster].append(record)
    return members


def _together(predicted: Mapping[str, str], one: str, other: str) -> bool:
    return one in predicted and predicted[one] == predicted.get(other)


def _mixed(truth: Truth, predicted: Mapping[str, str], work: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """For every cluster and every work in it, the pairs that count of its records with those of other works."""
    for records in members_of(predicted).values():
        if len(records) == 1:
            continue
        judged = [truth.judged is None or record in truth.judged for record in records]
        unjudged = len(records) - sum(judged)
        sizes: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for record, is_judged in zip(records, judged, strict=True):
            size = sizes[work.get(record, record)]
            size[0] += 1
            size[1] += not is_judged
        for one, (count, out) in sizes.items():
            if charge := count * (len(records) - count) - out * (unjudged - out):
                yield one, charge


def _wrong_pairs(truth: Truth, predicted: Mapping[str, str], work: Mapping[str, str]) -> Iterator[Key]:
    for records in members_of(predicted).values():
        for one, other in combinations(records, 2):
            two = pair(one, other)
            if _mixes(work, two) and truth.counts(two):
                yield two
