"""The outbox's rows: each change is noted for the published index, and for one that is being built."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection

from bibfold.catalogue import store
from bibfold.catalogue.outbox import PUBLISHED, Build, building, forget, note, noted, register, unregister, waiting

BUILD = Build("new", "", ("en",), "bigrams", last=9)


@pytest.fixture
def connection() -> Iterator[Connection]:
    with store.throw_away() as catalogue, catalogue.writing() as made:
        yield made


def test_without_a_build_changes_are_noted_once(connection: Connection) -> None:
    assert note(connection, [3, 1]) == 2
    assert note(connection, [3]) == 3
    assert noted(connection, PUBLISHED, 99, 10) == ([3, 1], 3)
    assert noted(connection, PUBLISHED, 2, 10) == ([3, 1], 2)
    assert noted(connection, PUBLISHED, 99, 1) == ([3], 1)
    forget(connection, PUBLISHED, 2)
    assert waiting(connection) == 1


def test_each_target_is_forgotten_by_itself(connection: Connection) -> None:
    register(connection, BUILD)
    last = note(connection, [4, 5])
    assert (waiting(connection), waiting(connection, "new")) == (2, 2)
    forget(connection, PUBLISHED, last)
    assert (waiting(connection), noted(connection, "new", 99, 10)[0]) == (0, [4, 5])
    last = note(connection, [6])
    assert noted(connection, PUBLISHED, last, 10) == ([6], last)
    assert noted(connection, "new", 99, 10)[0] == [4, 5, 6]
    assert noted(connection, "another", 99, 10) == ([], 0)


def test_a_build_is_there_until_it_is_given_up(connection: Connection) -> None:
    assert building(connection) is None
    register(connection, BUILD)
    further = Build("new", "", ("en",), "bigrams", last=9, done=5)
    register(connection, further)
    assert building(connection) == further
    note(connection, [1])
    unregister(connection, "new")
    assert building(connection) is None
    assert (waiting(connection), waiting(connection, "new")) == (1, 0)
