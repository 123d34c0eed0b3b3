"""Lock files: a right is refused to a second, and who waits for the index comes next, however busy a writer is."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from bibfold.catalogue.locks import at_index, release, take
from bibfold.errors import CatalogueLocked


def test_rights_are_apart_and_each_is_refused_to_a_second(tmp_path: Path) -> None:
    writer, builder = take(tmp_path, "writer"), take(tmp_path, "builder")
    with pytest.raises(CatalogueLocked, match=r"is being written by another process \(pid \d+\)"):
        take(tmp_path, "writer")
    with pytest.raises(CatalogueLocked, match=r"has its index built anew by another process \(pid \d+\)"):
        take(tmp_path, "builder")
    release(builder)
    release(take(tmp_path, "builder"))
    release(writer)
    release(take(tmp_path, "writer"))


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[list[int]]:
    """Counts how often a writer that never rests has had the index."""
    turns, stop, begun = [0], Event(), Event()

    def work() -> None:
        while not stop.is_set():
            with at_index(tmp_path):
                turns[0] += 1
                begun.set()

    thread = Thread(target=work)
    thread.start()
    begun.wait()
    yield turns
    stop.set()
    thread.join()


def test_a_busy_writer_lets_others_come_between(tmp_path: Path, busy: list[int]) -> None:
    for _ in range(20):
        with at_index(tmp_path):
            before = busy[0]
            assert [busy[0] for _ in range(1000)] == [before] * 1000


def test_a_failure_inside_gives_the_index_back(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), at_index(tmp_path):
        raise ZeroDivisionError
    with at_index(tmp_path):
        pass
