"""How a command meets the shell that started it: its standard streams, signals that stop it, a pipe that closes."""

import os
import signal
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter, RawIOBase, TextIOWrapper
from types import FrameType
from typing import IO, Any, Final

from bibfold.display import visible
from bibfold.errors import InputError

STOPPING: Final = (signal.SIGTERM, signal.SIGHUP)
"""Signals that stop a command as Ctrl-C does; one that is ignored, as under `nohup`, stays so."""

PIPE_CLOSED: Final = 128 + signal.SIGPIPE


class Stopped(KeyboardInterrupt):
    """A signal was sent to stop this process."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.status = 128 + number


class Interrupted(Exception):
    """The command of this name was stopped, by Ctrl-C or by a signal."""

    def __init__(self, command: str, stop: KeyboardInterrupt) -> None:
        super().__init__(command)
        self.command = command
        self.status = stop.status if isinstance(stop, Stopped) else 128 + signal.SIGINT


class PipeClosed(Exception):
    """Nobody reads the standard output any more, as in `| head -1`."""


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Let the signals that stop a command raise `Stopped`, so that it cleans up."""

    def stop(number: int, _: FrameType | None) -> None:
        raise Stopped(number)

    heeded = [number for number in STOPPING if signal.getsignal(number) == signal.SIG_DFL]
    for number in heeded:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, signal.SIG_DFL)


def open_streams() -> None:
    """Make up for standard streams that the shell closed (`<&-`, `>&-`), and let every text be printed.

    No file that is opened later may take their place. Reading and writing fail as they would, but notes are dropped.
    """
    for number, flags in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # the lowest free number is taken
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - by its number
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a letter that the terminal lacks is no reason to stop


@contextmanager
def printing() -> Iterator[None]:
    """Say in our own words why the standard output cannot be written; a closed pipe is no error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"standard output cannot be written: {error.strerror or error}") from error


@contextmanager
def printed() -> Iterator[IO[bytes]]:
    """The standard output for a file's content; at a terminal, control characters are written out."""
    with printing():
        if sys.stdout.isatty():
            with BufferedWriter(_Terminal()) as shown:
                yield shown
        else:
            yield sys.stdout.buffer
        sys.stdout.flush()


class _Terminal(RawIOBase):
    """Shows the lines that are written to it."""

    def __init__(self) -> None:
        self._decode = getincrementaldecoder("utf-8")("backslashreplace").decode

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        sys.stdout.write("\n".join(map(visible, self._decode(bytes(data)).replace("\r\n", "\n").split("\n"))))
        return len(data)


def drop_output() -> None:
    """Write what is still to be printed nowhere: the standard output failed, and would fail again at the end."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
