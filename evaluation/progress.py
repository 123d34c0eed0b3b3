"""How long computations report their progress."""

from collections.abc import Callable
from typing import Any

OnProgress = Callable[[int], Any]
"""Called with the number of items done so far."""


def no_progress(done: int) -> None:
    """Report nothing."""
