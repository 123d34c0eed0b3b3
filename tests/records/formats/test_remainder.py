"""What a format cannot say, as JSON."""

import json

from bibfold.records.formats.remainder import remainder, restored
from bibfold.records.model import Record

RECORD = Record(source="s", id="1", title="A", year=2000, extra={"note": None})


def test_equal_records_leave_nothing() -> None:
    assert remainder(RECORD, RECORD) == ""
    assert restored(RECORD, "") is RECORD


def test_only_the_difference_is_said() -> None:
    again = Record(source="", id="1", title="A", type="misc", year=2000)
    text = remainder(RECORD, again)
    assert json.loads(text) == {"set": {"source": "s", "note": None}, "unset": ["type"]}
    assert restored(again, text) == RECORD


def test_a_damaged_remainder_is_kept_as_text() -> None:
    for text in ("{", "[]", '{"set": {"title": []}}', '{"other": 1}'):
        record = restored(RECORD, text)
        assert record.title == "A"
        assert record.extra == {"note": None, "bibfold": text}
