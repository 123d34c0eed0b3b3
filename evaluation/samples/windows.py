"""Samples pairs by the similarity of their titles (the paper's sections 5.1 and 5.2).

Works come in random order; each record is paired with a window of the records before it, and a pair is accepted with a
probability that depends on the titles. A reservoir keeps a random selection of the accepted pairs, so that no large
group or early work dominates the sample. Sampling of different works stops at three times the requested number.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from bibfold.records.fingerprint import distance, fingerprint
from bibfold.text import stopwords
from evaluation.samples.pool import Pool
from evaluation.samples.sampled_pairs import SampledPair, SampleRequest
from evaluation.samples.similarities import characters, measures
from evaluation.samples.validation import keywords

Probability = Callable[[str, str], float]
"""The probability with which a pair is accepted, from its two folded titles."""

OVERSAMPLING = 3

DUPLICATE_PROBABILITY = 0.2
"""The probability of a pair of the same work in title sampling."""

TITLE_WINDOW: Final = 250
UNCERTAINTY_WINDOW: Final = 400


def title_pairs(
    pool: Pool, request: SampleRequest, window: int = TITLE_WINDOW, *, bits: int | None = None, every: bool = False
) -> list[SampledPair]:
    """Sample different works by the square of their titles' similarity, the same work with a fixed probability.

    Only pairs whose titles share a keyword are considered; with `bits`, different works only if their titles'
    fingerprints differ in no more bits, and `every` such pair instead of a sample.
    """
    different = _certain if every else _squared
    return _walk(
        pool,
        request,
        window,
        _if_keywords_shared(lambda first, second: DUPLICATE_PROBABILITY),
        _if_keywords_shared(different if bits is None else _if_near(different, bits)),
    )


def uncertain_pairs(pool: Pool, request: SampleRequest, window: int = UNCERTAINTY_WINDOW) -> list[SampledPair]:
    """Sample pairs on which four measures of the titles' similarity disagree.

    With m the greatest difference between the measures, a their mean and d = 0.5 + 0.5 m, a pair of the same work is
    accepted with the probability d, one of different works with d² a.
    """
    return _walk(pool, request, window, _disagreement, _weighted_disagreement)


def _walk(
    pool: Pool, request: SampleRequest, window: int, same: Probability, different: Probability
) -> list[SampledPair]:
    rng = request.rng
    groups = list(pool.groups)
    rng.shuffle(groups)
    duplicates, non_duplicates = _Reservoir(pool, request, same, True), _Reservoir(pool, request, different, False)
    before: list[int] = []
    for group in groups:
        for at, first in enumerate(group, start=1):
            duplicates.offer(first, group[at:])
        if non_duplicates.accepted < OVERSAMPLING * request.pairs:
            start = rng.randrange(max(len(before) - window, 0) + 1)
            for first in group:
                non_duplicates.offer(first, before[start : start + window])
        before.extend(group)
        request.on_progress(len(before))
    return [*duplicates.pairs, *non_duplicates.pairs]


class _Reservoir:
    """Accepts pairs of one class at random and keeps a uniform sample, of the requested size, of the accepted ones."""

    def __init__(self, pool: Pool, request: SampleRequest, probability: Probability, same: bool) -> None:
        self.members = pool.members
        self.fits = pool.same if same else pool.different
        self.request = request
        self.probability = probability
        self.same = same
        self.accepted = 0
        self.pairs: list[SampledPair] = []

    def offer(self, first: int, others: Sequence[int]) -> None:
        """Accept each pair of a record with others by its probability."""
        title = self.members[first].title
        for second in others:
            probability = self.probability(title, self.members[second].title)
            if probability and self.request.rng.random() < probability and self.fits(first, second):
                self._add(SampledPair(first, second, self.same, probability=probability))

    def _add(self, pair: SampledPair) -> None:
        self.accepted += 1
        if len(self.pairs) < self.request.pairs:
            self.pairs.append(pair)
        elif (at := self.request.rng.randrange(self.accepted)) < len(self.pairs):
            self.pairs[at] = pair


def _if_keywords_shared(probability: Probability) -> Probability:
    """The probability for titles with a keyword in common, and 0 for others."""

    def restricted(first: str, second: str) -> float:
        return 0.0 if _keywords(first).isdisjoint(_keywords(second)) else probability(first, second)

    return restricted


def _if_near(probability: Probability, bits: int) -> Probability:
    """The probability for titles whose fingerprints differ in at most so many bits, and 0 for others."""

    def restricted(first: str, second: str) -> float:
        return probability(first, second) if distance(_fingerprint(first), _fingerprint(second)) <= bits else 0.0

    return restricted


@lru_cache(maxsize=1 << 18)
def _fingerprint(title: str) -> int:
    return fingerprint(title.split(), stopwords("en"))


def _certain(first: str, second: str) -> float:
    return 1.0


@lru_cache(maxsize=1 << 18)
def _keywords(title: str) -> frozenset[str]:
    return frozenset(keywords(title))


def _squared(first: str, second: str) -> float:
    return characters(first, second) ** 2


def _disagreement(first: str, second: str) -> float:
    return _spread(measures(first, second))


def _weighted_disagreement(first: str, second: str) -> float:
    values = measures(first, second)
    return _spread(values) ** 2 * sum(values) / len(values)


def _spread(values: Sequence[float]) -> float:
    return 0.5 + 0.5 * (max(values) - min(values))
