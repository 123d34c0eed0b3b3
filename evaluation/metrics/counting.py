"""Counts right, wrong and missed pairs against a truth, without listing every pair of a large cluster."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import combinations, islice

import msgspec
import numpy as np

from evaluation.metrics.clusters import Floats
from evaluation.pairs import Pair, Score, closure, make_pair
from evaluation.truth import Truth

LISTED = 100_000
"""How many wrong pairs are listed; all are counted."""


class Counted(msgspec.Struct, frozen=True):
    """The counts, the missed and wrong pairs, and in `parts` the counts of each work, for the bootstrap."""

    score: Score
    missed: list[Pair]
    wrong: list[Pair]
    parts: Floats


def count_pairs(truth: Truth, predicted: Mapping[str, str]) -> Counted:
    """Compare clusters, a mapping from record to cluster, with a truth.

    For a labelled truth only its own pairs count. For a whole one every other pair within a cluster is wrong, except
    those that follow from known pairs by transitivity, which count as neither right nor wrong. A wrong pair is charged
    by halves to the two works that it mixes.
    """
    work = closure(truth.same)
    if not truth.whole:
        return _counted(truth, work, lambda pair: _together(predicted, *pair))
    charges = list(_mixed(truth, predicted, work))
    wrong = sum(charge for _, charge in charges) // 2
    listed = sorted(islice(_wrong_pairs(truth, predicted, work), LISTED))
    counted = _counted(
        truth, work, lambda pair: _together(predicted, *pair), [(work_id, n / 2) for work_id, n in charges]
    )
    score = Score(counted.score.true_positives, wrong, counted.score.false_negatives)
    return msgspec.structs.replace(counted, score=score, wrong=listed)


def count_links(truth: Truth, found: Set[Pair]) -> Counted:
    """Compare found pairs with a truth by the same rules, without their transitive closure."""
    work = closure(truth.same)
    if not truth.whole:
        return _counted(truth, work, found.__contains__)
    wrong = sorted(pair for pair in found if truth.counts(pair) and _mixes(work, pair))
    counted = _counted(truth, work, found.__contains__, [(work.get(key, key), 0.5) for pair in wrong for key in pair])
    score = Score(counted.score.true_positives, len(wrong), counted.score.false_negatives)
    return msgspec.structs.replace(counted, score=score, wrong=wrong)


def _counted(
    truth: Truth, work: Mapping[str, str], found: Callable[[Pair], bool], charges: Iterable[tuple[str, float]] = ()
) -> Counted:
    """Count the truth's own pairs, and add further charges to works."""
    adds: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    missed, wrong = [], sorted(filter(found, truth.different))
    for pair in truth.same:
        is_found = found(pair)
        adds[work[pair[0]]][0 if is_found else 2] += 1
        if not is_found:
            missed.append(pair)
    for work_id, charge in (*charges, *((work.get(key, key), 0.5) for pair in wrong for key in pair)):
        adds[work_id][1] += charge
    score = Score(len(truth.same) - len(missed), len(wrong), len(missed))
    return Counted(score, sorted(missed), wrong, np.array(list(adds.values()) or [[0.0] * 3]))


def _mixes(work: Mapping[str, str], pair: Pair) -> bool:
    a, b = pair
    return work.get(a, a) != work.get(b, b)


def members_of(clusters: Mapping[str, str]) -> dict[str, list[str]]:
    """The records of each cluster, in their order."""
    members: dict[str, list[str]] = defaultdict(list)
    for record, cluster in clusters.items():
        members[cluster].append(record)
    return members


def _together(predicted: Mapping[str, str], a: str, b: str) -> bool:
    return a in predicted and predicted[a] == predicted.get(b)


def _mixed(truth: Truth, predicted: Mapping[str, str], work: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """For every work in every cluster, the number of its judged pairs with records of other works."""
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
        for work_id, (count, out) in sizes.items():
            if charge := count * (len(records) - count) - out * (unjudged - out):
                yield work_id, charge


def _wrong_pairs(truth: Truth, predicted: Mapping[str, str], work: Mapping[str, str]) -> Iterator[Pair]:
    for records in members_of(predicted).values():
        for a, b in combinations(records, 2):
            pair = make_pair(a, b)
            if _mixes(work, pair) and truth.counts(pair):
                yield pair
