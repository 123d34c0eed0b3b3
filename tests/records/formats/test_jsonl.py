"""JSON Lines, bibfold's own form."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.files import read_file
from bibfold.records.formats.jsonl import read
from bibfold.records.model import FIELD_NAMES, RAW_LIMIT, DeadLetter, Record
from bibfold.records.native import from_native, says_something

DATA = Path(__file__).parents[2] / "data" / "formats"


def read_bytes(data: bytes) -> list[Record | DeadLetter]:
    return list(read(io.BytesIO(data), Origin("file.jsonl", "shelf")))


def test_the_sample() -> None:
    own, loose, nameless, broken, wrong = read_bytes((DATA / "records.jsonl").read_bytes())
    assert own == Record(
        source="dblp",
        id="1",
        title="Folding duplicate records",
        authors=("Anna Müller", "Bo Øster"),
        publication="JCS",
        year=2019,
        identifiers={"doi": ("10.5555/jcs.2019.17",), "issn": ("1234-5679", "2049-3630")},
    )
    assert isinstance(loose, Record)
    assert (loose.source, loose.id, loose.year, loose.extra) == ("shelf", "2", 2001, {"shelf": {"room": 3}})
    assert isinstance(nameless, Record)
    assert nameless.id == ""
    assert isinstance(broken, DeadLetter)
    assert (broken.position, broken.raw) == ("line 5", '{"title": "No end')
    assert broken.reason.startswith("not JSON: ")
    assert isinstance(wrong, DeadLetter)
    assert (wrong.position, wrong.reason) == ("line 6", "title: expected a text, got list")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'["a", "list"]', "expected a JSON object, got list"),
        (b'{"title": "\x81"}', "byte 0x81 is neither UTF-8 nor Windows-1252"),
        (b'{"x": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"year": NaN}', "not JSON: JSON is malformed: invalid character (byte 9)"),
        (b'{"identifiers": 5}', "identifiers: expected an object, got int"),
    ],
)
def test_lines_that_are_no_record(line: bytes, reason: str) -> None:
    [letter] = read_bytes(line + b"\n")
    assert isinstance(letter, DeadLetter)
    assert letter.reason == reason
    assert len(letter.raw) <= RAW_LIMIT


def test_bytes_of_windows_1252_are_read() -> None:
    [record] = read_bytes(b'{"title": "caf\xe9 \xc3\xa9"}\n')
    assert isinstance(record, Record)
    assert record.title == "café é"


json_values = (
    st.none()
    | st.booleans()
    | st.integers(-9999, 9999)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
)
values = (
    json_values
    | st.lists(json_values, max_size=2)
    | st.dictionaries(st.text(max_size=3), json_values | st.lists(st.text(max_size=3), max_size=2), max_size=2)
)
objects = st.dictionaries(st.sampled_from(sorted(FIELD_NAMES)) | st.text(max_size=3), values, max_size=5)


@given(objects)
def test_the_quick_way_reads_as_the_slow_way_does(data: dict[str, object]) -> None:
    line = json.dumps(data).encode()
    try:
        record = from_native(json.loads(line), "shelf")
        expected = record if says_something(record) else None
    except RecordError:
        expected = None
    [item] = read_bytes(line + b"\n")
    assert (item if isinstance(item, Record) else None) == expected


@pytest.mark.parametrize(
    "text",
    [
        '[{"title": "A", "authors": ["B"]}, {"title": "C", "authors": ["D"]}]',
        '[\n {\n  "title": "A",\n  "authors": ["B"]\n },\n {"title": "C", "authors": ["D"]}\n]\n',
        '{\n "title": "A",\n "authors": ["B"]\n}\n{\n "title": "C"\n}\n',
    ],
)
def test_lists_and_objects_that_run_over_lines(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    assert [item.title for item in read_file(str(path)) if isinstance(item, Record)] == ["A", "C"]
