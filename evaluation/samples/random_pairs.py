"""Samples random pairs (the paper's section 4): a random record with one of the same work and one of another work."""

from collections.abc import Callable, Sequence
from random import Random

from evaluation.samples.pool import Pool
from evaluation.samples.sampled_pairs import SampledPair, SampleRequest, ordered

TRIES = 20
"""How many random partners are tried before all are listed."""


def random_pairs(pool: Pool, request: SampleRequest) -> list[SampledPair]:
    """Sample as many pairs of the same work as of different works, no pair twice; fewer where there are no more."""
    members, other_work = sorted(pool.group_of), pool.different_and_not_identical
    candidates = [place for group in pool.groups if len(group) > 1 for place in group]
    used: set[tuple[int, int]] = set()
    sampled: list[SampledPair] = []
    while candidates and len(sampled) < 2 * request.pairs:
        at = request.rng.randrange(len(candidates))
        first = candidates[at]
        group = pool.groups[pool.group_of[first]]
        duplicate = _partner(first, group, pool.same, used, request.rng)
        non_duplicate = _partner(first, members, other_work, used, request.rng) if duplicate is not None else None
        if duplicate is None or non_duplicate is None:
            candidates[at] = candidates[-1]
            candidates.pop()
            continue
        for second, same in ((duplicate, True), (non_duplicate, False)):
            used.add(ordered(first, second))
            sampled.append(SampledPair(first, second, same))
        request.on_progress(len(sampled))
    return sampled


def _partner(
    first: int,
    among: Sequence[int],
    fits: Callable[[int, int], bool],
    used: set[tuple[int, int]],
    rng: Random,
) -> int | None:
    """A random member that fits and was not paired with this one before; None if there is none."""

    def free(second: int) -> bool:
        return second != first and ordered(first, second) not in used and fits(first, second)

    for _ in range(TRIES):
        second = among[rng.randrange(len(among))]
        if free(second):
            return second
    candidates = [second for second in among if free(second)]
    return candidates[rng.randrange(len(candidates))] if candidates else None
