"""Records of a truth: which are there, and how a file is known again."""

import gzip
from collections.abc import Callable

import pytest

from bibfold.errors import InputError
from bibfold.records.model import DeadLetter, Record
from evaluation.records import by_key, check_present, fingerprint, read_records

Make = Callable[..., Record]
Write = Callable[..., str]


def test_what_cannot_be_read_is_told(make: Make) -> None:
    letters: list[DeadLetter] = []
    broken = DeadLetter(file="f", position="line 2", reason="r")
    assert [record.key for record in read_records([make("1"), broken, make("2")], letters.append)] == ["x:1", "x:2"]
    assert letters == [broken]


def test_records_by_key(make: Make) -> None:
    first, repeated, second = make("1"), make("1", 1), make("2")
    assert by_key([first, repeated, second]) == {"x:1": first, "x:2": second}
    assert by_key([first, repeated, second], {"x:2"}) == {"x:2": second}


def test_unknown_records_are_named_and_may_be_skipped() -> None:
    named = {f"x:{at:02}" for at in range(13)}
    with pytest.raises(
        InputError, match=r"names 12 records that are not there: x:01, .*, x:10 and 2 more; .*--skip-un"
    ):
        check_present(named, {"x:00"})
    assert check_present(named, {"x:00"}, skip_unknown=True) == [f"x:{at:02}" for at in range(1, 13)]
    assert check_present(named, named) == []


def test_a_fingerprint_is_of_the_content(write: Write) -> None:
    plain = fingerprint(write("a", b"one\ntwo\n"))
    assert len(plain) == 16
    assert plain == fingerprint(write("b.gz", gzip.compress(b"one\ntwo\n")))
    assert plain != fingerprint(write("c", b"one\ntwo"))
    assert fingerprint(write("d.gz", gzip.compress(b"one\ntwo\n" * 99)[:-9])) != plain


def test_standard_input_is_refused() -> None:
    with pytest.raises(InputError, match="standard input can be read only once"):
        fingerprint("-")
