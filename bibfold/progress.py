"""Reports the progress of a long command: how much is done, how fast, and how long the rest will take."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import TextIO

WIDTH = 24
"""The bar's length in characters."""

OFTEN, SELDOM = 0.2, 10.0
"""Seconds between two reports: on a terminal, where each is written over the last, and elsewhere, a line each."""


class Progress:
    """Called with the number done so far, and the total if there is one; writes a report from time to time."""

    def __init__(self, label: str, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._label = label
        self._out = out
        self._clock = clock
        self._terminal = out.isatty()
        self._wrote = clock()
        self._first: tuple[float, int] | None = None
        self._last = ""

    def __call__(self, done: int, total: int = 0) -> None:
        """Note how many are done; the rate is counted from the first call."""
        now = self._clock()
        self._first = self._first or (now, done)
        began, before = self._first
        self._last = report(self._label, done, total, (done - before) / (now - began) if now > began else 0)
        if now - self._wrote >= (OFTEN if self._terminal else SELDOM):
            self._wrote = now
            self._write()

    def close(self) -> None:
        """Write the last report."""
        if self._last:
            self._write()
            if self._terminal:
                self._out.write("\n")
                self._out.flush()

    def _write(self) -> None:
        with suppress(OSError):  # a report that nobody can see is no reason to stop
            self._out.write(f"\r{self._last}\x1b[K" if self._terminal else f"{self._last}\n")
            self._out.flush()


def report(label: str, done: int, total: int, rate: float) -> str:
    """One report: the number done and the rate; with a total also a bar and the time left."""
    speed = f"{rate:,.0f} a second"
    if not total:
        return f"{label}: {done:,}, {speed}"
    full = WIDTH * done // total
    bar = "#" * full + "-" * (WIDTH - full)
    left = f", {_time((total - done) / rate)} left" if rate and done < total else ""
    return f"{label}: [{bar}] {done:,} of {total:,}, {speed}{left}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def progress(label: str, total: int = 0, shown: bool | None = None) -> Iterator[Callable[..., None]]:
    """A progress report on the error stream, by default only where that is a terminal.

    Yields a function that takes the number done so far and, optionally, the total.
    """
    if not (sys.stderr.isatty() if shown is None else shown):
        yield lambda done, of=0: None
        return
    with closing(Progress(label, sys.stderr)) as bar:
        yield lambda done, of=total: bar(done, of)
