"""Waits for a search server that is away, and goes on when it is back."""

import time
from collections.abc import Callable
from random import uniform
from typing import Any, TypeVar

from bibfold.engines.base import Engine
from bibfold.errors import EngineUnavailable, IndexMissing

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 10.0

TRIES = 3
"""So often an engine may fail again though it was there all the time."""

T = TypeVar("T")


def outlast(ask: Callable[[], T], engine: Engine, seconds: float, tell: Callable[[str], Any]) -> T:
    """What `ask` gives; where the engine is away, asked again when it is back, if that is within so many seconds.

    A server that has just come back may not have opened its indexes yet: then a missing one is waited for, too.
    """
    end: float | None = None
    pause, tries, was_away = FIRST_PAUSE, 0, False
    while True:
        try:
            return ask()
        except (EngineUnavailable, IndexMissing) as error:
            if end is None and isinstance(error, IndexMissing):
                raise
            if end is None:
                since = error.since if isinstance(error, EngineUnavailable) else None
                end = (time.monotonic() if since is None else since) + seconds
            away = not engine.ready()
            tries, was_away = tries + 1, was_away or away
            if away:
                tell(f"{error}; waiting for it, {max(0, end - time.monotonic()):.0f} s at most")
            pause = _wait(engine, pause, end if was_away or tries <= TRIES else 0, error)
            if away:
                tell("the engine is back, going on")


def _wait(engine: Engine, pause: float, end: float, error: Exception) -> float:
    """Wait once, and then until the engine is there; the length of the next pause."""
    while True:
        left = end - time.monotonic()
        if left <= 0:
            raise EngineUnavailable(f"{error}; nothing is lost, the same command goes on from here") from error
        time.sleep(min(uniform(pause / 2, pause), left))
        pause = min(2 * pause, LONGEST_PAUSE)
        if engine.ready():
            return pause
