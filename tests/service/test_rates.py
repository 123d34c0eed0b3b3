"""One address may ask so often, and no more; others are not affected."""

from service.rates import MOST_CLIENTS, Rates


def test_a_burst_is_taken_and_then_the_rate() -> None:
    now = 0.0
    rates = Rates(2, lambda: now)
    assert [rates.allow("a") for _ in range(21)] == [True] * 20 + [False]
    assert rates.allow("b")
    now = 1.0
    assert [rates.allow("a") for _ in range(3)] == [True, True, False]
    now = 1_000.0
    assert sum(rates.allow("a") for _ in range(50)) == 20


def test_nothing_is_kept_of_more_addresses_than_a_bound() -> None:
    rates = Rates(1)
    for number in range(MOST_CLIENTS + 5):
        rates.allow(str(number))
    assert len(rates._left) == MOST_CLIENTS


def test_without_a_rate_everybody_may_ask() -> None:
    assert all(Rates(0).allow("a") for _ in range(1_000))
