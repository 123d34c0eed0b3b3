"""Batches: small while the catalogue is, in order, and whole up to a file that cannot be read."""

from collections.abc import Callable, Iterator

import pytest

from bibfold.errors import InputError
from bibfold.records.model import DeadLetter, Record
from ingest.arriving import SMALLEST, Plan, batches, paired, size
from lookup.profiles import BIBFOLD
from lookup.retrieve import Retrieval

Make = Callable[..., Record]

LETTER = DeadLetter(file="f", position="line 1", reason="r")


def plan(most: int) -> Plan:
    return Plan(Retrieval(), BIBFOLD, 0, most)


def test_batches_are_small_while_the_catalogue_is_and_never_above_the_setting() -> None:
    assert size(0, 20_000) == SMALLEST
    assert size(100_000, 20_000) == 5_000
    assert size(10_000_000, 20_000) == 20_000
    assert size(0, 7) == 7


@pytest.mark.parametrize("most", [1, 2, 3, 100])
def test_everything_comes_once_and_in_order(make: Make, most: int) -> None:
    stream = [LETTER if at % 4 == 3 else make(str(at), at % 6) for at in range(11)]
    found = list(batches(stream, plan(most)))
    assert all(len(batch.incoming) + len(batch.letters) <= most for batch in found)
    assert [one.record.id for batch in found for one in batch.incoming] == [
        "0",
        "1",
        "2",
        "4",
        "5",
        "6",
        "8",
        "9",
        "10",
    ]
    assert [letter for batch in found for letter in batch.letters] == [LETTER] * 2


def test_pairs_that_may_be_the_same_are_of_a_later_and_an_earlier_place(make: Make) -> None:
    (batch,) = batches([make("1"), make("2", 1), make("3"), make("4", 1), make("5")], plan(5))
    assert batch.pairs is None
    found = paired(batch, plan(5))
    assert sorted(found.pairs or ()) == [(2, 0), (3, 1), (4, 0), (4, 2)]
    assert paired(found, plan(5)) is found


def test_what_came_before_a_file_that_cannot_be_read_is_given_first(make: Make) -> None:
    def stream() -> Iterator[Record | DeadLetter]:
        yield from (make("1"), make("2"), make("3"), LETTER)
        raise InputError("b.ris: is a PDF file")

    found = batches(stream(), plan(3))
    assert [one.record.id for one in next(found).incoming] == ["1", "2", "3"]
    assert next(found).letters == [LETTER]
    with pytest.raises(InputError, match="is a PDF file"):
        next(found)


def test_no_stream_no_batches() -> None:
    assert list(batches([], plan(3))) == []
