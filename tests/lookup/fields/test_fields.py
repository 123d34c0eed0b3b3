"""What every comparator promises."""

import numpy as np
import pytest
from hypothesis import given, settings

from lookup.fields import COMPARATORS
from lookup.pairs import Pairs
from tests.lookup.baseline import baseline
from tests.lookup.examples import batches, crossed, prepared


@pytest.mark.parametrize("name", COMPARATORS)
def test_a_comparator_says_what_its_score_means(name: str) -> None:
    assert COMPARATORS[name].meaning.endswith((".", '"'))
    assert "\n" not in COMPARATORS[name].meaning


@pytest.mark.parametrize("name", COMPARATORS)
def test_no_pairs_are_no_findings(name: str) -> None:
    found = COMPARATORS[name].compare(crossed([]))
    assert [len(array) for array in found] == [0, 0, 0, 0]


@pytest.mark.parametrize("name", COMPARATORS)
def test_empty_records_have_nothing_to_compare(name: str) -> None:
    found = COMPARATORS[name].compare(crossed([prepared()]))
    assert (found.missing.tolist(), found.open.tolist()) == ([True], [False])


def _check_bounds(pairs: Pairs, name: str) -> None:
    """Scores and shares are from 0 to 1; before a look, and before a dear comparator is asked, they are the most."""
    comparator = COMPARATORS[name]
    found = comparator.compare(pairs)
    present = ~found.missing
    for values in (found.score[present], found.share[present]):
        assert ((values >= 0) & (values <= 1)).all()
    if comparator.column is not None:
        most = comparator.present(pairs)
        assert not (most.missing & present).any()
        assert (most.open == ~most.missing).all()
    if comparator.look is not None:
        for pair in np.flatnonzero(found.open).tolist():
            looked_at = comparator.look(*pairs.records(pair))
            if looked_at is not None:
                assert 0 <= looked_at.score <= found.score[pair] + 1e-12
                assert 0 <= looked_at.share <= found.share[pair] + 1e-12
                assert comparator.say(*pairs.records(pair), looked_at.score)
    else:
        assert not found.open.any()


@given(batches)
@settings(max_examples=40)
def test_a_look_finds_no_more_than_the_batch_allows(pairs: Pairs) -> None:
    for name in COMPARATORS:
        _check_bounds(pairs, name)


@pytest.mark.parametrize("name", COMPARATORS)
def test_a_look_at_real_pairs_finds_no_more_than_the_batch_allows(name: str) -> None:
    _check_bounds(baseline().pairs(), name)
