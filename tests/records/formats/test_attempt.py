"""What no reader may do: end a run, read on into memory, take half a record for a whole one, or say nothing."""

import importlib
import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bibfold.records.formats import FORMATS, Origin, reader
from bibfold.records.formats.files import read_file
from bibfold.records.model import DeadLetter, Record
from tests.records.formats.samples import SAMPLES, Sample, workbook

Run = Callable[..., Any]


def read(name: str, data: bytes, largest: int = 16_000_000) -> list[Record | DeadLetter]:
    return list(reader(name)(io.BytesIO(data), Origin("file", "shelf", largest=largest)))


@pytest.fixture
def failing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Sample:
    """A sample whose second record cannot be made, for a reason that nobody foresaw."""
    sample = SAMPLES[request.param]
    module = importlib.import_module(f"bibfold.records.formats.{sample.maker[0]}")
    real = getattr(module, sample.maker[1])
    calls = iter(range(1, 100))

    def fails_at_the_second(*args: object, **options: object) -> object:
        if next(calls) == 2:
            raise ZeroDivisionError("a mistake of ours")
        return real(*args, **options)

    monkeypatch.setattr(module, sample.maker[1], fails_at_the_second)
    return sample


def test_every_format_has_a_sample() -> None:
    assert SAMPLES.keys() == FORMATS.keys()


@pytest.mark.parametrize("failing", SAMPLES, indirect=True)
def test_an_error_of_ours_is_a_dead_letter_and_reading_goes_on(failing: Sample) -> None:
    first, letter, third = read(failing.format, failing.joined(["First", "Second", "Third"]))
    assert isinstance(first, Record)
    assert isinstance(letter, DeadLetter)
    assert isinstance(third, Record)
    assert (first.title, third.title) == ("First", "Third")
    assert "ZeroDivisionError: a mistake of ours" in letter.reason
    assert letter.file == "file"
    assert any(character.isdigit() for character in letter.position)


@pytest.mark.parametrize("name", SAMPLES)
def test_three_records_are_three(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    path = tmp_path / "export"
    path.write_bytes(sample.joined(["First", "Second", "Third"]))
    items = list(read_file(str(path)))
    assert [item.title if isinstance(item, Record) else item.reason for item in items] == ["First", "Second", "Third"]


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample.sized])
def test_a_record_that_is_too_large_is_not_kept(name: str) -> None:
    sample = SAMPLES[name]
    data = sample.joined(["First", "word " * 2_000_000, "Third"])
    stream = io.BytesIO(data)
    tracemalloc.start()
    items = list(reader(name)(stream, Origin("file", "shelf", largest=100_000)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [item.title for item in items if isinstance(item, Record)] == ["First", "Third"]
    [letter] = [item for item in items if isinstance(item, DeadLetter)]
    assert "larger than 0.1 MB, the largest size of a record (setting largest_record)" in letter.reason
    assert peak < len(data) / 2


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample.cut])
def test_a_file_that_ends_inside_a_record_says_so(name: str) -> None:
    sample = SAMPLES[name]
    data = sample.joined(["First", "Second", "Third"])
    items = read(name, data[: data.rindex(sample.cut) + len(sample.cut)])
    letters = [item for item in items if isinstance(item, DeadLetter)]
    assert len(letters) == 1
    assert [item.title for item in items if isinstance(item, Record)] == ["First", "Second"]


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_without_a_record_says_so(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"title,year\n" if name == "csv" else b"Dear reader,\nhow do you do?\n")
    path.write_bytes(workbook([["Title", "Year"]])) if name == "xlsx" else None
    items = list(read_file(str(path), format=name))
    assert items
    assert all(isinstance(item, DeadLetter) for item in items)


@pytest.mark.parametrize(
    ("words", "content", "message"),
    [
        (["--format", "marcxml"], b"title,year\nA,2000\n", "no record in this file; is it MARCXML?"),
        ([], b"[", "cut off: the file ends before its last array or page is closed"),
        ([], b'{"message": {"items": [{"DOI": "10.5/1", "title": ["A"]},', "cut off: the file ends before"),
        ([], b"TY  - JOUR\nTI  - A\n", "cut off: the file ends before the record's ER"),
        ([], b"{}\n", "no title, identifier, author or publication: an empty object"),
        ([], b'{"resultList": {"result": [{"id": 1}]}}', "it looks like an answer of Europe PMC"),
        ([], b"title,year\n", "no record in this file; is it CSV"),
        ([], b'<OAI-PMH><error code="badArgument">No</error></OAI-PMH>', "badArgument: No"),
    ],
)
def test_the_exit_status_says_that_something_was_not_read(
    bibfold: Run, tmp_path: Path, words: list[str], content: bytes, message: str
) -> None:
    file = tmp_path / "export"
    file.write_bytes(content)
    ran = bibfold("dedupe", file, "--out", tmp_path / "out", *words)
    assert ran.status == 3
    assert message in ran.err
    assert "1 dead letters" in ran.out


def test_an_encoding_is_named_and_garbled_letters_are_remarked_on(bibfold: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes("title,year\nКаталог книг библиотеки,2001\n".encode("cp1251"))
    assert "look garbled (Êàòàëîã" in bibfold("dedupe", file, "--out", tmp_path / "a").err
    ran = bibfold("dedupe", file, "--out", tmp_path / "b", "--encoding", "cp1251")
    assert (ran.status, ran.err) == (0, "")
    assert "Каталог книг" in (tmp_path / "b" / "canonical.jsonl").read_text(encoding="utf-8")
    assert "unknown encoding 'klingon'" in bibfold("dedupe", file, "--out", tmp_path / "c", "--encoding", "klingon").err
