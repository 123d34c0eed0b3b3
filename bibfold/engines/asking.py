"""Asks a server, one thing or many at once, and notices within two seconds that it is away or that we are stopped."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

import msgspec

from bibfold.engines.retry import with_retry
from bibfold.errors import EngineUnavailable

SILENCE = 1.0
"""After so many seconds without any answer a server is asked whether it is there, and has as long to say so."""

A = TypeVar("A")
T = TypeVar("T")

Outcome = tuple[int, T | None, BaseException | None]


class Asking(msgspec.Struct, frozen=True):
    """How a server is asked: for how many seconds it may be away, and how it says that it is there.

    `probe` raises EngineUnavailable where it does not say so within `SILENCE`; a server that is only slow says so.
    """

    patience: float
    probe: Callable[[], object]

    def one(self, ask: Callable[[], T], patience: float | None = None) -> T:
        """What `ask` gives, asked again while the server is away and the patience lasts."""
        limit = self.patience if patience is None else patience
        return with_retry(lambda: next(self._answers(lambda _: ask(), [(0, None)], 1))[1], limit)

    def many(self, ask: Callable[[A], T], asked: Sequence[A], width: int) -> list[T]:
        """What `ask` gives for each, in order, `width` at once; after an outage only what is missing is asked again."""
        found: dict[int, T] = {}

        def ask_rest() -> None:
            before = len(found)
            rest = [(place, one) for place, one in enumerate(asked) if place not in found]
            try:
                found.update(self._answers(ask, rest, width))
            except EngineUnavailable:
                if len(found) == before:
                    raise

        while len(found) < len(asked):
            with_retry(ask_rest, self.patience)
        return [found[place] for place in range(len(asked))]

    def _answers(self, ask: Callable[[A], T], asked: Iterable[tuple[int, A]], width: int) -> Iterator[tuple[int, T]]:
        """Answers with their places as they come, each asked for once.

        The threads are daemons, and nobody waits for one: what is under way when we stop may take its time.
        """
        outcomes: SimpleQueue[Outcome[T]] = SimpleQueue()
        waiting = deque(asked)
        number = len(waiting)
        for _ in range(min(width, number)):
            Thread(target=_work, args=(ask, waiting, outcomes), daemon=True).start()
        try:
            for _ in range(number):
                place, answer, error = self._next(outcomes)
                if error is not None:
                    raise error
                yield place, answer  # type: ignore[misc]
        finally:
            waiting.clear()

    def _next(self, outcomes: "SimpleQueue[Outcome[T]]") -> Outcome[T]:
        since = time.monotonic()
        while True:
            try:
                return outcomes.get(timeout=SILENCE)
            except Empty:
                try:
                    self.probe()
                except EngineUnavailable as error:
                    error.since = since
                    raise


def _work(ask: Callable[[A], T], waiting: "deque[tuple[int, A]]", outcomes: "SimpleQueue[Outcome[T]]") -> None:
    with suppress(IndexError):  # nothing is left
        while True:
            place, one = waiting.popleft()
            try:
                outcomes.put((place, ask(one), None))
            except BaseException as error:  # noqa: BLE001 - raised where the answer is waited for
                waiting.clear()
                outcomes.put((place, None, error))
