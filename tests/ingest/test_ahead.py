"""Making batches ahead in a second process: the same in the same order, failures handed over, nothing left behind."""

import fcntl
import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from ingest.ahead import ahead
from ingest.arriving import Batch, Plan, batches, paired

from bibfold.catalogue import locks, store
from bibfold.errors import InputError
from bibfold.records.model import DeadLetter, Record
from ingest import ahead as module
from lookup.profiles import BIBFOLD
from lookup.retrieve import Retrieval

Make = Callable[..., Record]

PLAN = Plan(Retrieval(), BIBFOLD, 0, 3)


@pytest.fixture(autouse=True)
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second process takes over after the first batch, of three records."""
    monkeypatch.setattr(module, "SHORT", 2)
    monkeypatch.setattr("os.cpu_count", lambda: 2)


def items(make: Make, number: int) -> list[Record | DeadLetter]:
    letter = DeadLetter(file="f", position="line 1", reason="r")
    return [letter if at % 4 == 3 else make(str(at), at % 6) for at in range(number)]


def made(stream: Iterable[Record | DeadLetter]) -> Iterator[Batch]:
    return ahead(batches(stream, PLAN), PLAN)


def endless(make: Make) -> Iterator[Batch]:
    """Batches of a stream that does not end, some of them made ahead."""
    found = made(make(str(at)) for at in range(1_000_000))
    for _ in range(3):
        next(found)
    assert len(multiprocessing.active_children()) == 1
    return found


@pytest.mark.parametrize("number", [0, 1, 2, 3, 5, 8, 30])
def test_batches_come_in_order(make: Make, number: int) -> None:
    stream = items(make, number)
    assert list(made(stream)) == [paired(batch, PLAN) for batch in batches(stream, PLAN)]
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("number", [1, 4, 9])
def test_what_came_before_a_failure_comes_first(make: Make, number: int) -> None:
    def stream() -> Iterator[Record | DeadLetter]:
        yield from items(make, number)
        raise InputError("b.ris: is a PDF file")

    found = made(stream())
    expected = [paired(batch, PLAN) for batch in batches(items(make, number), PLAN)]
    assert [next(found) for _ in expected] == expected
    with pytest.raises(InputError, match=r"b\.ris: is a PDF file"):
        next(found)
    assert multiprocessing.active_children() == []


def test_the_second_process_ends_when_nobody_listens_any_more(make: Make) -> None:
    found = endless(make)
    found.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []


def test_the_second_process_does_not_hold_the_right_to_write(kept: Path, make: Make) -> None:
    catalogue = store.create(kept)
    found = endless(make)
    catalogue.close()
    with (kept / locks.FILES["writer"]).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    found.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []
