"""What every comparator promises."""

import numpy as np
import pytest
from hypothesis import given, settings

from lookup.fields import CLEANED, COMPARATORS
from lookup.pairs import Pairs
from tests.lookup.baseline import baseline
from tests.lookup.examples import batches, crossed, finding, many, prepared

EVERY = {**COMPARATORS, **{f"{name}, cleaned": comparator for name, comparator in CLEANED.items()}}


@pytest.mark.parametrize("name", EVERY)
def test_a_comparator_says_what_its_score_means(name: str) -> None:
    assert EVERY[name].meaning.endswith((".", '"'))
    assert "\n" not in EVERY[name].meaning


@pytest.mark.parametrize("name", EVERY)
def test_no_pairs_are_no_findings(name: str) -> None:
    found = EVERY[name].compare(crossed([]))
    assert (len(found.score), len(found.missing)) == (0, 0)


@pytest.mark.parametrize("name", COMPARATORS)
def test_empty_records_have_nothing_to_compare(name: str) -> None:
    assert finding(name, prepared(), prepared()) is None


def _check_bounds(pairs: Pairs, name: str) -> None:
    """Scores and shares are from 0 to 1; until a pair is looked at they are the most that it can have."""
    comparator = EVERY[name]
    found = comparator.compare(pairs)
    share = np.broadcast_to(found.share, pairs.size)
    for values in (found.score[~found.missing], share[~found.missing]):
        assert ((values >= 0) & (values <= 1)).all()
    open_pairs = np.flatnonzero(found.open & ~found.missing).tolist()
    assert comparator.look is not None or not open_pairs
    for pair in open_pairs:
        looked_at = comparator.look(*pairs.records(pair))
        if looked_at is not None:
            assert 0 <= looked_at.score <= found.score[pair] + 1e-12
            assert 0 <= looked_at.share <= share[pair] + 1e-12
            assert comparator.say(*pairs.records(pair), looked_at.score)


@given(batches)
@settings(max_examples=40)
def test_a_look_finds_no_more_than_the_batch_allows(pairs: Pairs) -> None:
    for name in EVERY:
        _check_bounds(pairs, name)
        _check_bounds(many(pairs), name)


@pytest.mark.parametrize("name", EVERY)
def test_a_look_at_real_pairs_finds_no_more_than_the_batch_allows(name: str) -> None:
    _check_bounds(baseline().pairs(), name)
