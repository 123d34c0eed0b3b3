"""bibfold's own JSON form of a record."""

import msgspec

from bibfold.records.model import Record
from bibfold.records.native import KNOWN, _Line, encode, to_native


def test_a_line_of_the_usual_shape_has_the_fields_of_the_model_in_the_order_in_which_they_are_written():
    every = dict.fromkeys(KNOWN, "x") | {"authors": ("A",), "year": 1, "identifiers": {"doi": ("1",)}}
    record = Record(**every)
    assert list(_Line.__struct_fields__) == list(to_native(record))
    assert encode(record) == msgspec.json.encode(to_native(record))
    assert set(_Line.__struct_fields__) == set(Record.__struct_fields__) - {"extra"}
