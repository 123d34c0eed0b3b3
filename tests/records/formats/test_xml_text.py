"""Text that XML can hold."""

import json

from bibfold.records.formats.xml_text import escaped_json, legal


def test_characters_that_xml_cannot_hold_are_left_out() -> None:
    assert legal("a\x00b\tc\ufffe\n🙂") == "ab\tc\n🙂"


def test_json_says_the_same_without_them() -> None:
    text = '{"a":"\x7f\ufffe"}'
    assert "\ufffe" not in escaped_json(text)
    assert json.loads(escaped_json(text)) == json.loads(text)
