"""XML is read record by record, safely, and on behind what is broken."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bibfold.records.formats import LARGEST, Origin
from bibfold.records.formats.attempt import too_large
from bibfold.records.formats.xml import Found, elements
from bibfold.records.formats.xml_parser import DEEPEST
from bibfold.records.model import RAW_LIMIT, DeadLetter

ORIGIN = Origin("file.xml", "shelf")


class Dripping(io.BytesIO):
    """A stream that gives few bytes at a time, as decompressors may."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(7)


def found(data: bytes, *names: str) -> list[Found | DeadLetter]:
    return list(elements(io.BytesIO(data), ORIGIN, names or ("record",)))


def texts(data: bytes) -> list[str]:
    """The text of each record; of each dead letter its place and reason."""
    return [
        f"{each.position}: {each.reason}" if isinstance(each, DeadLetter) else "".join(each.element.itertext())
        for each in found(data)
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"<c><record>a</record><record>b</record></c>",
        b'<?xml version="1.0"?>\n<c xmlns="x"><record>a</record>\n<record>b</record></c>\n',
        b"<m:c><m:record>a</m:record><m:record><m:x>b</m:x></m:record></m:c>",
        b"<record>a</record>\n<record>b</record>",
        b"<c><record>a</record></c>\n<c><record>b</record></c>",
        b' \n<?xml version="1.0"?><c><record>a</record></c><?xml version="1.0"?><c><record>b</record></c>',
        b"<!-- one -- two --><c><record>a</record><!-- <record>x</record> -- --><record>b</record></c>",
        b'<?xml version="1.1"?><c><record>a</record><record>b</record></c>',
        b'<?xml version="1.0" encoding="nonsense"?><c><record>a</record><record>b</record></c>',
        b'<!DOCTYPE c SYSTEM "http://example.org/c.dtd"><c><record>a</record><record>b</record></c>',
        b"<c><record>a\x01</record><record>b\x1f\0</record></c>",
        b"<c><record><![CDATA[a]]></record><record>b<!-- </record> --></record></c>",
        b"<c x='1><record>a</record><record>b</record></c>",
    ],
)
def test_records_are_found(data: bytes) -> None:
    assert texts(data) == ["a", "b"]
    assert len(list(elements(Dripping(data), ORIGIN, ("record",)))) == 2


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ["line 1, column 1: the file holds no XML element"]),
        (b"hello", ["line 1, column 1: the file holds no XML element"]),
        (
            b"<c>\n<record>a</record>\n<record>x<y></record>\n<record>b</record></c>",
            ["a", "record 2, line 3, column 15: mismatched tag (the record begins on line 3, column 1)", "b"],
        ),
        (
            b"<c><record>a</record>\n<record>x\n<record>b</record></c>",
            [
                "a",
                "record 2, line 3, column 1: another <record> begins before this one has ended "
                "(the record begins on line 2, column 1)",
                "b",
            ],
        ),
        (
            b"<c><record>a</record>\n<record <x></record><record>b</record></c>",
            ["a", "record 2, line 2, column 9: not well-formed (invalid token)", "b"],
        ),
        (
            b"<c><record>a</record><record>&eacute;</record><record>b</record></c>",
            ["a", "record 2, line 1, column 30: undefined entity (the record begins on line 1, column 22)", "b"],
        ),
        (
            b"<c><record>a</record>\n<record>b",
            ["a", "record 2, line 2, column 10: the file ends (the record begins on line 2, column 1)"],
        ),
        (b"<c><record>a</record>\n", ["a", "line 2, column 1: the file ends before </c>"]),
        (
            b"<c><record>a</record><!-- never -- <record>b</record>",
            ["a", "line 1, column 35: not well-formed (invalid token), in what never ends"],
        ),
    ],
)
def test_breaks_are_told_and_passed(data: bytes, expected: list[str]) -> None:
    assert texts(data) == expected
    dripped = elements(Dripping(data), ORIGIN, ("record",))
    assert [each.position for each in dripped if isinstance(each, DeadLetter)] == [
        text.split(": ")[0] for text in expected if ": " in text
    ]


def test_lines_are_counted_on_behind_a_break() -> None:
    data = b"<c>\n<record><a></record>\n\n<record>good</record>\n <record><b></record></c>"
    positions = [each.position for each in found(data)]
    assert positions == ["record 1, line 2, column 14", "record 2, line 4, column 1", "record 3, line 5, column 15"]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("ISO-8859-1", "Müller"), ("shift_jis", "日本"), ("windows-1251", "Москва"), ("UTF-8", "Müller")],
)
def test_declared_encodings_are_read(encoding: str, text: str) -> None:
    data = f'<?xml version="1.0" encoding="{encoding}"?><c><record>{text}</record></c>'.encode(encoding)
    assert texts(data) == [text]


def test_bytes_that_are_not_utf8_are_windows_1252() -> None:
    assert texts(b"<c><record>M\xfcller \x96 \xc3\xbc</record></c>") == ["Müller – ü"]


@pytest.mark.parametrize("encoding", ["UTF-16", "hex", "idna", "undefined", "utf-7"])
def test_a_declaration_that_cannot_be_is_not_believed(encoding: str) -> None:
    data = f'<?xml version="1.0" encoding="{encoding}"?><c><record>Müller</record></c>'.encode()
    assert texts(data) == ["Müller"]


def test_a_byte_of_no_meaning_is_a_dead_letter() -> None:
    broken, good = texts(b"<c><record>a\x81b</record><record>good</record></c>")
    assert "not well-formed (invalid token)" in broken
    assert good == "good"


def test_a_block_without_anything_readable_is_not_the_end() -> None:
    assert texts(b"<c><record>a</record>" + b"\0" * 200_000 + b"<record>b</record></c>") == ["a", "b"]


def test_a_character_may_be_cut_by_a_block() -> None:
    text = "ü日🙂" * 20
    dripped = list(elements(Dripping(f"<c><record>{text}</record></c>".encode()), ORIGIN, ("record",)))
    assert [each.element.text for each in dripped if isinstance(each, Found)] == [text]


def test_entities_are_never_expanded_and_other_records_are_read() -> None:
    data = (
        b"<!DOCTYPE c [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]>"
        b"<c><record>&b;</record><record>good</record><record>&b;</record></c>"
    )
    kinds = [type(each) for each in found(data)]
    assert kinds == [DeadLetter, DeadLetter, Found, DeadLetter]
    assert "the DTD declares the entity 'a'; DTDs are not read" in texts(data)[0]


def test_an_entity_of_an_external_dtd_is_a_dead_letter() -> None:
    data = b'<!DOCTYPE c SYSTEM "c.dtd"><c><record>&uuml;</record><record>good</record></c>'
    assert ["&uuml; comes from a DTD" in text for text in texts(data)] == [True, False]


def test_elements_too_deep_are_refused() -> None:
    data = b"<c><record>" + b"<x>" * DEEPEST + b"</record><record>good</record></c>"
    refused, good = texts(data)
    assert f"more than {DEEPEST} elements in each other" in refused
    assert good == "good"


def test_a_record_too_large_is_refused() -> None:
    data = b"<c><record>" + b"x" * (LARGEST + 1)
    letter = found(data)[0]
    assert isinstance(letter, DeadLetter)
    assert letter.reason == f"{too_large(LARGEST)} (the record begins on line 1, column 4)"
    assert len(letter.raw) == RAW_LIMIT


def test_a_record_may_stand_in_the_metadata_of_another() -> None:
    data = b"<O><record><header>h</header><metadata><record>m</record></metadata></record><record>b</record></O>"
    assert texts(data) == ["hm", "b"]


def test_a_record_holds_no_second_one() -> None:
    data = b"<O><record><metadata><record>m</record><record>a</record><record>b</record></O>"
    refused, *others = texts(data)
    assert "another <record> begins before this one has ended" in refused
    assert others == ["a", "b"]


def test_a_broken_outer_record_takes_its_inner_one_along() -> None:
    data = b"<O><record><h></x><metadata><record>m</record></metadata></record><record>b</record></O>"
    assert [type(each) for each in found(data)] == [DeadLetter, Found]


def test_several_names_may_be_asked_for() -> None:
    assert len(found(b"<c><dc>a</dc><record><dc/></record><x/></c>", "dc")) == 2
    kinds = [
        each.element.tag for each in found(b"<c><dc>a</dc><record/></c>", "dc", "record") if isinstance(each, Found)
    ]
    assert kinds == ["dc", "record"]


pieces = st.lists(
    st.sampled_from(
        [
            *(b"<record>", b"</record>", b"<c>", b"</c>", b"<record", b"<!--", b"-->", b"--", b"<![CDATA[", b"]]>"),
            *(b"<?xml version='1.0'?>", b"?>", b"&amp;", b"&x;", b"<", b">", b"'", b"text", b"\n", b"\xff", b"\xc3"),
            *(b"<!DOCTYPE c [", b"<!ENTITY a 'b'>", b"]>", b"metadata>", b"<metadata>", b"</metadata>"),
        ]
    ),
    max_size=25,
).map(b"".join)


@settings(deadline=None)
@given(pieces | st.binary(max_size=60))
def test_no_bytes_raise_or_loop(data: bytes) -> None:
    whole = found(data)
    assert sum(isinstance(each, Found) for each in whole) <= data.count(b"<record")


@settings(deadline=None)
@given(pieces)
def test_a_good_record_behind_anything_but_an_open_comment_is_read(data: bytes) -> None:
    if b"<!--" not in data and b"<![CDATA[" not in data and b"<?" not in data and b"metadata" not in data:
        assert "good" in texts(data + b"\n<record>good</record>\n<record>good</record>")
