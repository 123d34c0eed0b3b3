"""Waiting for an engine that is away: how long, what for, and what is not waited for."""

from collections.abc import Callable

import pytest

from bibfold.engines.base import Engine
from bibfold.engines.memory import Memory
from bibfold.errors import EngineError, EngineUnavailable, IndexMissing
from indexer import outage
from indexer.outage import outlast


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made, on a clock that they alone move."""
    pauses: list[float] = []
    monkeypatch.setattr("indexer.outage.time.sleep", pauses.append)
    monkeypatch.setattr("indexer.outage.time.monotonic", lambda: 1000 + sum(pauses))
    return pauses


def away(times: int) -> Engine:
    """An engine that says so many times that it is not there."""
    answers = [False] * times

    class Away(Memory):
        def ready(self) -> bool:
            return answers.pop() if answers else True

    return Away()


def failing(*errors: Exception) -> Callable[[], str]:
    """Asked again and again, raises one after the other, then answers."""
    left = list(errors)

    def ask() -> str:
        if left:
            raise left.pop(0)
        return "answer"

    return ask


def test_it_is_asked_again_when_it_is_back(slept: list[float]) -> None:
    told: list[str] = []
    assert outlast(failing(EngineUnavailable("gone")), away(4), 300, told.append) == "answer"
    assert told == ["gone; waiting for it, 300 s at most", "the engine is back, going on"]
    assert len(slept) == 4
    assert all(pause / 2 <= made <= pause for pause, made in zip((0.25, 0.5, 1, 2), slept, strict=True))


def test_patience_ends(slept: list[float]) -> None:
    with pytest.raises(EngineUnavailable, match="gone; nothing is lost, the same command goes on from here"):
        outlast(failing(EngineUnavailable("gone")), away(10_000), 300, lambda text: None)
    assert sum(slept) == pytest.approx(300)
    assert max(slept) <= outage.LONGEST_PAUSE


def test_the_time_that_the_engine_itself_has_waited_counts(slept: list[float]) -> None:
    error = EngineUnavailable("gone")
    error.since = 1000 - 40
    with pytest.raises(EngineUnavailable, match="nothing is lost"):
        outlast(failing(error), away(10_000), 45, lambda text: None)
    assert sum(slept) == pytest.approx(5)


def test_without_patience_nothing_is_waited_for(slept: list[float]) -> None:
    with pytest.raises(EngineUnavailable, match="gone"):
        outlast(failing(EngineUnavailable("gone")), away(9), 0, lambda text: None)
    assert slept == []


def test_one_that_fails_though_it_is_there_is_not_asked_for_ever(slept: list[float]) -> None:
    full = [EngineUnavailable("the disk is full")] * 9
    told: list[str] = []
    with pytest.raises(EngineUnavailable, match="the disk is full"):
        outlast(failing(*full), Memory(), 300, told.append)
    assert len(slept) == outage.TRIES
    assert told == []


def test_indexes_that_open_late_are_waited_for_after_an_outage_only(slept: list[float]) -> None:
    missing, loading = IndexMissing("no such index"), EngineUnavailable("loading")
    told: list[str] = []
    late = failing(EngineUnavailable("gone"), *[missing, loading] * 5)
    assert outlast(late, away(2), 300, told.append) == "answer"
    assert len(told) == 2
    with pytest.raises(IndexMissing, match="no such index"):
        outlast(failing(missing), away(0), 300, lambda text: None)


def test_other_errors_are_not_waited_out(slept: list[float]) -> None:
    with pytest.raises(EngineError, match="wrong password"):
        outlast(failing(EngineError("wrong password")), away(9), 300, lambda text: None)
    assert slept == []
