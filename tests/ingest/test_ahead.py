"""Reading ahead in a second process: the same items in the same order, failures handed over, nothing left behind."""

import fcntl
import multiprocessing
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bibfold.catalogue import store
from bibfold.errors import InputError
from bibfold.records.keys import KeySettings
from bibfold.records.model import DeadLetter, Record
from ingest import ahead
from ingest.incoming import ready

Make = Callable[..., Record]


@pytest.fixture(autouse=True)
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second process takes over after two records, and sends three at a time."""
    monkeypatch.setattr(ahead, "SHORT", 2)
    monkeypatch.setattr(ahead, "CHUNK", 3)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)


def items(make: Make, number: int) -> list[Record | DeadLetter]:
    letter = DeadLetter(file="f", position="line 1", reason="r")
    return [letter if at % 4 == 3 else make(str(at), at % 6) for at in range(number)]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 5, 8, 30])
def test_items_come_in_order(make: Make, number: int) -> None:
    stream = items(make, number)
    expected = [one if isinstance(one, DeadLetter) else ready(one, KeySettings()) for one in stream]
    assert list(ahead.prepared(stream, KeySettings())) == expected


@pytest.mark.parametrize("number", [1, 4, 9])
def test_what_came_before_a_failure_comes_first(make: Make, number: int) -> None:
    def stream() -> Iterator[Record | DeadLetter]:
        yield from items(make, number)
        raise InputError("b.ris: is a PDF file")

    found = ahead.prepared(stream(), KeySettings())
    assert len([next(found) for _ in range(number)]) == number
    with pytest.raises(InputError, match=r"b\.ris: is a PDF file"):
        next(found)
    assert multiprocessing.active_children() == []


def test_the_second_process_ends_when_nobody_listens_any_more(make: Make) -> None:
    found = ahead.prepared((make(str(at)) for at in range(1_000_000)), KeySettings())
    for _ in range(10):
        next(found)
    assert len(multiprocessing.active_children()) == 1
    found.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []


def test_a_second_process_does_not_hold_the_right_to_write(kept: Path, make: Make) -> None:
    catalogue = store.create(kept)
    found = ahead.prepared((make(str(at)) for at in range(1_000_000)), KeySettings())
    for _ in range(10):
        next(found)
    catalogue.close()
    with (kept / store.LOCK).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    found.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []
