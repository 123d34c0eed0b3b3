"""The last guard of every reader: whatever goes wrong within a record makes it a dead letter, and reading goes on."""

from collections.abc import Callable
from typing import TypeVar

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.model import DeadLetter

Given = TypeVar("Given")
Made = TypeVar("Made")


def attempt(
    make: Callable[[Given, Origin], Made], given: Given, origin: Origin, letter: Callable[[str], DeadLetter]
) -> Made | DeadLetter:
    """What is made of what was given, or a dead letter with the reason why it cannot be made."""
    try:
        return make(given, origin)
    except RecordError as error:
        return letter(error.reason)
    except Exception as error:  # noqa: BLE001 - no record may end a run
        return letter(failure(error))


def failure(error: Exception) -> str:
    """An error that no rule foresees, in words."""
    return f"bibfold fails on this record ({type(error).__name__}: {error}): please report it with the record"


def too_large(largest: int) -> str:
    """The reason of a dead letter for a record that is larger than allowed."""
    return f"larger than {largest / 1_000_000:g} MB, the largest size of a record (setting largest_record)"
