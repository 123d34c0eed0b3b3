"""Batches: small while the catalogue is, in order, ready to be folded, and whole up to a file that cannot be read."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from bibfold.errors import InputError
from bibfold.records.keys import KeySettings
from bibfold.records.model import DeadLetter, Record
from ingest.batches import SMALLEST, batches, size
from ingest.incoming import Arrived, arrive, forms

Make = Callable[..., Record]

KEYS = KeySettings()
LETTER = DeadLetter(file="f", position="line 1", reason="r")


def test_batches_are_small_while_the_catalogue_is_and_never_above_the_setting() -> None:
    assert size(0, 20_000) == SMALLEST
    assert size(100_000, 20_000) == 5_000
    assert size(10_000_000, 20_000) == 20_000
    assert size(0, 7) == 7


def test_batches_grow_with_what_the_stream_itself_has_brought(make: Make) -> None:
    found = batches([make(str(at)) for at in range(340)], KEYS, held=1_900, most=20_000)
    assert [len(batch.arrived) for batch in found] == [100, 100, 105, 35]


@pytest.mark.parametrize("most", [1, 2, 3, 100])
def test_everything_comes_once_and_in_order(make: Make, most: int) -> None:
    stream = [LETTER if at % 4 == 3 else make(str(at), at % 6) for at in range(11)]
    found = list(batches(stream, KEYS, held=0, most=most))
    assert all(len(batch.arrived) + len(batch.letters) <= most for batch in found)
    arrived = [given for batch in found for given in batch.arrived]
    assert [given.record for given in arrived] == [record for record in stream if isinstance(record, Record)]
    assert [letter for batch in found for letter in batch.letters] == [LETTER] * 2


def test_a_batch_holds_the_forms_of_its_records_and_has_not_paired_them(make: Make) -> None:
    settings = KeySettings(("de",), fingerprints=True)
    (batch,) = batches([make("1"), make("2", 1)], settings, held=0, most=5)
    assert batch.neighbours is None
    for given in batch.arrived:
        assert given.forms == forms(given.record, settings)
        assert given.forms is not None
        assert given.forms.terms["block"]
        assert (given.content, given.digest) == (arrive(given.record).content, arrive(given.record).digest)


def test_no_forms_are_made_of_what_the_catalogue_has(make: Make) -> None:
    asked: list[list[str]] = []

    def is_stored(arrived: Sequence[Arrived]) -> set[str]:
        asked.append([given.record.key for given in arrived])
        return {"x:2", "x:3"}

    found = list(batches([make(id) for id in "1234"], KEYS, 0, 3, is_stored))
    assert asked == [["x:1", "x:2", "x:3"], ["x:4"]]
    assert [[given.forms is None for given in batch.arrived] for batch in found] == [[False, True, True], [False]]


def test_what_came_before_a_file_that_cannot_be_read_is_given_first(make: Make) -> None:
    def stream() -> Iterator[Record | DeadLetter]:
        yield from (make("1"), make("2"), make("3"), LETTER)
        raise InputError("b.ris: is a PDF file")

    found = batches(stream(), KEYS, held=0, most=3)
    assert [given.record.id for given in next(found).arrived] == ["1", "2", "3"]
    assert next(found).letters == [LETTER]
    with pytest.raises(InputError, match="is a PDF file"):
        next(found)


def test_no_stream_no_batches() -> None:
    assert list(batches([], KEYS, held=0, most=3)) == []
