"""Asking again: only where the engine is unavailable, with pauses that grow, and not for ever."""

import time
from collections.abc import Callable

import pytest

from bibfold.engines.retry import FIRST_PAUSE, LONGEST_PAUSE, create_with_retry, with_retry
from bibfold.errors import EngineError, EngineUnavailable


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that only sleep moves on, and how long each sleep was."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(time, "monotonic", lambda: sum(slept))
    return slept


def failing(times: int, error: EngineError) -> object:
    left = iter([error] * times)

    def ask() -> str:
        for one in left:
            raise one
        return "answered"

    return ask


def test_an_answer_is_not_asked_for_twice(pauses: list[float]) -> None:
    assert with_retry(lambda: 1, 60) == 1
    assert pauses == []


def test_pauses_grow_and_differ(pauses: list[float]) -> None:
    assert with_retry(failing(12, EngineUnavailable("away")), 1_000) == "answered"  # type: ignore[arg-type]
    bounds = [min(FIRST_PAUSE * 2**turn, LONGEST_PAUSE) for turn in range(12)]
    assert all(bound / 2 <= pause <= bound for pause, bound in zip(pauses, bounds, strict=True))
    assert len(set(pauses)) == 12


def test_patience_ends(pauses: list[float]) -> None:
    with pytest.raises(EngineUnavailable, match="away"):
        with_retry(failing(1_000, EngineUnavailable("away")), 30)  # type: ignore[arg-type]
    assert sum(pauses) == pytest.approx(30)


def test_patience_begins_when_the_engine_was_last_there(pauses: list[float]) -> None:
    error = EngineUnavailable("silent for a while")
    error.since = -20.0
    with pytest.raises(EngineUnavailable) as raised:
        with_retry(failing(1_000, error), 30)  # type: ignore[arg-type]
    assert sum(pauses) == pytest.approx(10)
    assert raised.value.since == -20


def test_other_errors_are_raised_at_once(pauses: list[float]) -> None:
    with pytest.raises(EngineError, match="broken"):
        with_retry(failing(1, EngineError("broken")), 30)  # type: ignore[arg-type]
    assert pauses == []


def making(*outcomes: EngineError | None) -> Callable[[], None]:
    left = iter(outcomes)

    def make() -> None:
        if (error := next(left)) is not None:
            raise error

    return make


def test_what_was_made_without_an_answer_is_made(pauses: list[float]) -> None:
    create_with_retry(making(EngineUnavailable("no answer"), EngineError("it exists")), lambda: True, 30)
    assert len(pauses) == 1


def test_what_was_there_before_is_not_made(pauses: list[float]) -> None:
    with pytest.raises(EngineError, match="it exists"):
        create_with_retry(making(EngineError("it exists")), lambda: True, 30)


def test_what_cannot_be_made_is_an_error(pauses: list[float]) -> None:
    with pytest.raises(EngineError, match="not so"):
        create_with_retry(making(EngineUnavailable("no answer"), EngineError("not so")), lambda: False, 30)
