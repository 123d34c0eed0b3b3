"""Asks a server again that is away or busy: with growing pauses, not all clients at once, and not for ever."""

import time
from collections.abc import Callable
from random import uniform
from typing import TypeVar

from bibfold.errors import EngineError, EngineUnavailable

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0

T = TypeVar("T")


def create_with_retry(make: Callable[[], object], made: Callable[[], bool], patience: float) -> None:
    """Make something, as `with_retry`; what an attempt made that was never answered counts as made by us."""
    unanswered = False

    def attempt() -> None:
        nonlocal unanswered
        try:
            make()
        except EngineUnavailable:
            unanswered = True
            raise
        except EngineError:
            if not (unanswered and made()):
                raise

    with_retry(attempt, patience)


def with_retry(ask: Callable[[], T], patience: float) -> T:
    """What `ask` gives, asked again while the engine is unavailable, for so many seconds since it was last there."""
    since: float | None = None
    pause = FIRST_PAUSE
    while True:
        try:
            return ask()
        except EngineUnavailable as error:
            if since is None:
                since = time.monotonic() if error.since is None else error.since
            left = since + patience - time.monotonic()
            if left <= 0:
                error.since = since
                raise
            time.sleep(min(uniform(pause / 2, pause), left))
            pause = min(2 * pause, LONGEST_PAUSE)
