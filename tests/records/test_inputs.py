"""What a Python caller hands in becomes a stream of records."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bibfold.errors import InputError, RecordError
from bibfold.records.inputs import as_record, read
from bibfold.records.model import DeadLetter, Record

Make = Callable[..., Record]
Write = Callable[..., str]


def test_paths_of_any_kind(write: Write, make: Make, tmp_path: Path) -> None:
    write("a.jsonl", make("1"))
    write("b.jsonl", make("2"))
    assert list(read(str(tmp_path / "a.jsonl"))) == [make("1")]
    assert list(read(tmp_path / "a.jsonl")) == [make("1")]
    assert list(read([tmp_path / "a.jsonl", str(tmp_path / "b.jsonl")])) == [make("1"), make("2")]
    assert list(read(sorted(tmp_path.glob("*.jsonl")))) == [make("1"), make("2")]


def test_a_path_that_is_not_there_is_refused_at_once(tmp_path: Path, write: Write, make: Make) -> None:
    with pytest.raises(InputError, match="absent: no such file"):
        read([write("a.jsonl", make("1")), tmp_path / "absent"])


def test_how_a_file_is_read_can_be_said(write: Write) -> None:
    file = write("a.txt", b"Titel,id\nFaust,1\n")
    assert list(read(file, format="csv", source="me", columns={"Titel": "title"})) == [
        Record(source="me", id="1", title="Faust")
    ]


def test_records_and_json_objects(make: Make) -> None:
    letter = DeadLetter(file="f", position="line 1", reason="broken")
    assert list(read(make("1"))) == [make("1")]
    assert list(read({"source": "a", "id": "1", "title": "T", "x": 1})) == [
        Record(source="a", id="1", title="T", extra={"x": 1})
    ]
    assert list(read(iter([make("1"), letter, {"id": "2", "title": "U"}]), source="me")) == [
        make("1"),
        letter,
        Record(source="me", id="2", title="U"),
    ]
    assert list(read([])) == []


def test_a_record_without_id_gets_one_from_its_content() -> None:
    first, second, other = read([{"title": "T"}, {"title": "T"}, {"title": "U"}])
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert isinstance(other, Record)
    assert len(first.id) == 12
    assert first.id != other.id
    assert second.id == f"{first.id}-2"


def test_a_malformed_object_is_a_dead_letter_and_the_stream_goes_on() -> None:
    letter, record = read([{"authors": {"family": "Doe"}}, {"id": "2", "title": "U"}])
    assert letter == DeadLetter(
        file="records",
        position="record 1",
        reason="authors: expected a text, got dict",
        raw="{'authors': {'family': 'Doe'}}",
    )
    assert record == Record(source="records", id="2", title="U")


@pytest.mark.parametrize("given", [[1], ["a.jsonl", 1], [b"x"]])
def test_what_is_neither_path_nor_record_is_refused(given: list[object]) -> None:
    with pytest.raises(InputError, match=r"expected a (path|record or the JSON object of one), got (int|bytes): "):
        list(read(given))  # type: ignore[arg-type]


def test_as_record(make: Make) -> None:
    assert as_record(make("1")) == make("1")
    assert as_record({"title": "T"}, "a", "1") == Record(source="a", id="1", title="T")
    with pytest.raises(RecordError, match="title: expected a text"):
        as_record({"title": []})
