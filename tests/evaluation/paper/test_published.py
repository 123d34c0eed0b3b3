"""The paper's figures were copied rightly, as far as they can be checked by themselves."""

import pytest

from evaluation.paper.published import DISTRIBUTIONS, RESULTS


@pytest.mark.parametrize("key", DISTRIBUTIONS, ids=str)
def test_shares_sum_to_a_hundred(key: tuple[int, str, str]) -> None:
    assert len(DISTRIBUTIONS[key]) == 10
    assert sum(DISTRIBUTIONS[key]) == pytest.approx(100, abs=0.05)


@pytest.mark.parametrize("number", RESULTS)
def test_f1_is_that_of_precision_and_recall(number: int) -> None:
    for precision, recall, f1, *_ in RESULTS[number].values():
        assert 2 * precision * recall / (precision + recall) == pytest.approx(f1, abs=0.001 if number > 4 else 0.01)
