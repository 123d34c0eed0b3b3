"""The syntax of BibTeX, in the forms that real files have."""

import pytest

from bibfold.errors import RecordError
from bibfold.records.formats.bibtex_syntax import MARKS, Entry, entries, is_safe
from bibfold.records.formats.tagged import blocks


def parse(text: str) -> list[Entry]:
    return list(entries(text, {}))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@a{k, x = {1}}", Entry("a", "k", [("x", "1")])),
        ("@A { k , X = {1} , }", Entry("a", "k", [("x", "1")])),
        ("@a(k, x = {1)2})", Entry("a", "k", [("x", "1)2")])),
        ("@a{k}", Entry("a", "k", [])),
        ("@a{, x = 1}", Entry("a", "", [("x", "1")])),
        ("@a{x = 1}", Entry("a", "", [("x", "1")])),
        ("@a{ISI:A1(2), x = 1}", Entry("a", "ISI:A1(2)", [("x", "1")])),
        ("@a{two words, x = 1}", Entry("a", "two words", [("x", "1")])),
        ('@a{k, x = "q {"}in{"} q"}', Entry("a", "k", [("x", 'q {"}in{"} q')])),
        ('@a{k, x = "comma {, "} here"}', Entry("a", "k", [("x", 'comma {, "} here')])),
        ('@a{k, x = {1} # " " # two # 3}', Entry("a", "k", [("x", "1 two3")])),
        ("@a{k, x = {1} y = {2}}", Entry("a", "k", [("x", "1"), ("y", "2")])),
        ("@a{k, x = , y = {2}}", Entry("a", "k", [("x", ""), ("y", "2")])),
        ("@a{k, x = {a \\} b}, y = 2}", Entry("a", "k", [("x", "a \\} b"), ("y", "2")])),
        ("@a{k, x = {C:\\}, y = 2}", Entry("a", "k", [("x", "C:\\"), ("y", "2")])),
        ("@a{k, x = {line\\\\}, y = 2}", Entry("a", "k", [("x", "line\\\\"), ("y", "2")])),
        ("@a\n{k, x = {mail@home{at} @b{c}}}", Entry("a", "k", [("x", "mail@home{at} @b{c}")])),
    ],
)
def test_entries(text: str, expected: Entry) -> None:
    assert parse(text) == [expected]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("@a{k, x = {1}", "no closing brace for @a"),
        ("@a{k, x = {1", "field 'x' is opened by { and not closed"),
        ('@a{k, x = "1}', "field 'x' is opened by \" and not closed"),
        ("@a{k, x = {1} two}", "expected a field or the end of the entry, got 'two}'"),
        ("@a{k, x = {1}}, y = {2}}", "a brace too many: the entry closes before its last field"),
        ("@a{k, x = {1})", "expected a field or the end of the entry, got ')'"),
    ],
)
def test_errors(text: str, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert caught.value.reason == reason


def test_macros_are_put_in_from_where_they_are_defined() -> None:
    macros: dict[str, str] = {}
    text = '@a{k, x = early} @string{early = "E"} @string(both = early # {!})@a{l, x = Both}'
    assert [entry.fields for entry in entries(text, macros)] == [[("x", "early")], [("x", "E!")]]
    assert macros == {"early": "E", "both": "E!"}


def test_comments_and_preambles_are_passed_over() -> None:
    text = '@comment{a {b} @x{y}} text @preamble{"z" # {w}} @a{k, x = 1} more text'
    assert parse(text) == [Entry("a", "k", [("x", "1")])]


def test_blocks_begin_at_lines_that_open_an_entry() -> None:
    text = ["junk\n", "@a{k, x = {1\n", "  @b{l, y = 2}\n", "@ no entry\n", "@c\n", "{m}\n"]
    assert [(block.number, "".join(block.lines)) for block in blocks(text, MARKS, 1000)] == [
        (2, "@a{k, x = {1\n"),
        (3, "  @b{l, y = 2}\n@ no entry\n"),
        (5, "@c\n{m}\n"),
    ]


@pytest.mark.parametrize(
    ("value", "safe"),
    [("plain", True), ("{a} b", True), ("}{", False), ("{", False), ("a\\", False), ("\\{", False)],
)
def test_values_that_can_stand_between_braces(value: str, safe: bool) -> None:
    assert is_safe(value) is safe
