"""Reads single keys from a terminal, or the first letter of each line of other input."""

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

END = ""
"""Returned at the end of the input."""

_ESCAPE, _END_OF_FILE = b"\x1b", b"\x04"


@contextmanager
def keyboard() -> Iterator[Callable[[], str]]:
    """A function that returns the next key: at a terminal as it is pressed, else the first letter of the next line.

    The terminal's mode is restored at the end. An arrow or function key counts as a space.
    """
    if not sys.stdin.isatty():
        yield _first_letter
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield lambda: _pressed(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _first_letter() -> str:
    line = sys.stdin.readline()
    return (line.strip()[:1] or " ") if line else END


def _pressed(terminal: int) -> str:
    try:
        byte = os.read(terminal, 1)
    except OSError:  # the terminal was closed
        return END
    if byte == _ESCAPE:
        while select.select([terminal], [], [], 0.02)[0] and os.read(terminal, 16):
            pass
        return " "
    return END if byte in (b"", _END_OF_FILE) else byte.decode(errors="replace")
