"""bibfold's own JSON form of a record."""

import msgspec
import pytest

from bibfold.records.model import FIELD_NAMES, NATIVE_FIELDS, TEXT_FIELDS, Record
from bibfold.records.native import decode, encode, to_native, usual

FULL = Record(**dict.fromkeys(("source", "id", *TEXT_FIELDS), "x"), authors=("A",), year=1, identifiers={"doi": ("1",)})


def test_the_order_of_fields_is_that_of_the_model_and_part_of_every_digest() -> None:
    order = "source id title subtitle authors publication year identifiers volume issue pages edition publisher type"
    assert (*order.split(), "language", "abstract") == NATIVE_FIELDS
    assert set(NATIVE_FIELDS) == FIELD_NAMES
    assert list(to_native(FULL)) == list(NATIVE_FIELDS)
    assert set(TEXT_FIELDS) == FIELD_NAMES - {"source", "id", "authors", "year", "identifiers"}


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, b'{"source":"s","id":"1"}'),
        ({"year": 0, "title": "T"}, b'{"source":"s","id":"1","title":"T","year":0}'),
        ({"id": "", "abstract": "A"}, b'{"source":"s","id":"","abstract":"A"}'),
        (
            {"authors": ("A", "B"), "identifiers": {"doi": ("1",), "isbn": ("2", "3")}, "pages": "7"},
            b'{"source":"s","id":"1","authors":["A","B"],"identifiers":{"doi":"1","isbn":["2","3"]},"pages":"7"}',
        ),
        ({"extra": {"x": 1}, "title": "T"}, b'{"source":"s","id":"1","title":"T","x":1}'),
        ({"extra": {"year": "MMXX"}}, b'{"source":"s","id":"1","year":"MMXX"}'),
    ],
)
def test_a_record_is_one_line_of_json(fields: dict[str, object], line: bytes) -> None:
    record = Record(**{"source": "s", "id": "1", **fields})
    assert encode(record) == line == msgspec.json.encode(to_native(record))
    assert decode(line) == record


def test_a_line_of_the_usual_shape_is_encoded_as_one_of_any_shape() -> None:
    assert encode(FULL) == msgspec.json.encode(to_native(FULL))


def test_an_identifier_without_values_is_left_out_and_a_given_source_serves_where_there_is_none() -> None:
    record = usual(b'{"id":"1","identifiers":{"doi":[],"pmid":"","isbn":["2"]}}', "file")
    assert record == Record(source="file", id="1", identifiers={"pmid": ("",), "isbn": ("2",)})


@pytest.mark.parametrize("line", [b'{"extra":{}}', b'{"year":"2020"}', b'{"x":1}'])
def test_a_line_of_another_shape_is_not_usual(line: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        usual(line, "")
