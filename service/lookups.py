"""Looks records up for many clients at once: what waits is asked of the engine together, by one thread."""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from threading import Condition, Thread
from typing import Any

import msgspec

from bibfold.errors import BibfoldError, IndexMissing
from bibfold.records.model import Record
from bibfold.workspace import Layers, opened
from lookup.answers import BATCH, Answer, Lookup

Render = Callable[[Answer], Any]
"""What is made of an answer, in the thread that has all the records at hand."""


class Busy(BibfoldError):
    """More waits to be looked up than the service takes."""


class _Asked(msgspec.Struct, frozen=True):
    records: Sequence[Record]
    render: Render
    answered: "Future[list[Any]]"


class Lookups:
    """One thread that looks up, with a catalogue and a matcher of its own; `most` records may wait for it."""

    def __init__(self, folder: Path, layers: Layers, most: int) -> None:
        self._folder = folder
        self._layers = layers
        self._most = most
        self._changed = Condition()
        self._waiting: deque[_Asked] = deque()
        self._count = 0
        self._closing = False
        self._thread = Thread(target=self._run, name="lookups", daemon=True)
        self._thread.start()

    def ask(self, records: Sequence[Record], render: Render) -> "Future[list[Any]]":
        """What will have been made of the answer for each record, in order; raises Busy where too many wait."""
        asked = _Asked(records, render, Future())
        with self._changed:
            if self._count and self._count + len(records) > self._most:
                raise Busy(f"{self._count} records wait to be looked up; try again in a moment")
            self._count += len(records)
            self._waiting.append(asked)
            self._changed.notify()
        return asked.answered

    @property
    def waiting(self) -> int:
        """How many records wait to be looked up."""
        return self._count

    def close(self) -> None:
        """Answer what waits, and end."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        with ExitStack() as stack:
            lookup: Lookup | None = None
            while together := self._next():
                for last in (False, True):
                    try:
                        lookup = lookup or Lookup(stack.enter_context(opened(self._folder, self._layers)))
                        self._answer(lookup, together)
                        break
                    except BaseException as error:  # noqa: BLE001 - every client hears of it, and the next is served
                        stack.close()
                        lookup = None
                        if last or not isinstance(error, IndexMissing):
                            for asked in together:
                                if not asked.answered.done():
                                    asked.answered.set_exception(error)
                            break

    def _next(self) -> list[_Asked]:
        """What to look up together, at most a batch of records unless one client asks for more; none at the end."""
        together: list[_Asked] = []
        room = BATCH
        with self._changed:
            while not together:
                while not self._waiting:
                    if self._closing:
                        return []
                    self._changed.wait()
                while self._waiting and (not together or len(self._waiting[0].records) <= room):
                    asked = self._waiting.popleft()
                    self._count -= len(asked.records)
                    if asked.answered.set_running_or_notify_cancel():
                        together.append(asked)
                        room -= len(asked.records)
        return together

    def _answer(self, lookup: Lookup, together: Sequence[_Asked]) -> None:
        answers = iter(lookup.answers([record for asked in together for record in asked.records]))
        rendered = [[asked.render(next(answers)) for _ in asked.records] for asked in together]
        for asked, made in zip(together, rendered, strict=True):
            asked.answered.set_result(made)
