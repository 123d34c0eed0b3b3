"""Lock files in a catalogue's folder: who writes, who builds an index, and whose turn it is at the published one."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Literal

from bibfold.errors import CatalogueLocked
from bibfold.files import share

Right = Literal["writer", "builder"]
"""What one process at a time may have for long: to write, or to build an index."""

FILES: dict[Right, str] = {"writer": "writer.lock", "builder": "reindex.lock"}
INDEX = "index.lock"
TURN = "turn.lock"
PAUSE = 0.05
"""Seconds between two attempts to take a right that another process has."""

_HELD_BY: dict[Right, str] = {
    "writer": "is being written by another process",
    "builder": "has its index built anew by another process",
}

_held: set[IO[str]] = set()
"""The lock files that this process holds."""


def _let_go() -> None:
    """A child process must not keep a right when its parent is gone."""
    for lock in _held:
        lock.close()
    _held.clear()


os.register_at_fork(after_in_child=_let_go)


def take(folder: Path, right: Right, wait: float = 0) -> IO[str]:
    """Take a right, until it is released or the process ends, however it ends.

    Refused where another process has it and does not give it back within so many seconds.
    """
    lock = _opened(folder / FILES[right])
    try:
        _lock_within(lock, wait)
    except BaseException as error:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        if not isinstance(error, BlockingIOError):
            raise
        raise CatalogueLocked(
            f"{folder} {_HELD_BY[right]} ({holder}); wait for it to end or stop it, then try again"
        ) from error
    lock.truncate(0)
    lock.write(f"pid {os.getpid()}")
    lock.flush()
    _held.add(lock)
    return lock


def is_held(folder: Path, right: Right) -> bool:
    """Whether a process has a right now, as far as one can tell who may only read the folder."""
    try:
        with (folder / FILES[right]).open(encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _opened(path: Path) -> IO[str]:
    """A lock file, which is made where it is not there; whoever may write to the folder may use it."""
    lock = path.open("a+", encoding="utf-8")
    share(path)
    return lock


def _lock_within(lock: IO[str], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(PAUSE)


def release(lock: IO[str]) -> None:
    """Give a right back."""
    lock.truncate(0)
    lock.close()
    _held.discard(lock)


@contextmanager
def at_index(folder: Path) -> Iterator[None]:
    """Wait to be alone with the published index.

    Who waits holds the turn, so that who comes again and again cannot be first each time.
    """
    with ExitStack() as until_done:
        with _waited_for(folder / TURN):
            until_done.enter_context(_waited_for(folder / INDEX))
        yield


@contextmanager
def _waited_for(path: Path) -> Iterator[None]:
    with _opened(path) as lock:
        _held.add(lock)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            _held.discard(lock)
