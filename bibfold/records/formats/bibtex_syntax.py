"""The syntax of BibTeX: the entries of a text and their fields, with macros put in."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bibfold.errors import RecordError

_TYPE = r"@([^\W\d_][\w.+-]*)"
MARKS = re.compile(rf"\ufeff?(?P<begin>[ \t]*{_TYPE}[ \t]*(?:[{{(]|$))")
"""The lines that open an entry: a brace that is missing spoils one entry, not the rest of the file."""

_OPEN = re.compile(rf"{_TYPE}\s*([{{(])")
_CLOSING = {"{": "}", "(": ")", '"': '"'}
_KEYS = {mark: re.compile(rf"\s*([^,={{}}\"]*?)\s*(?:,|(?=\{_CLOSING[mark]}))") for mark in "{("}
_BETWEEN = r"(?:[\s,]|%[^\n]*(?:\n|$))*"  # a comment may stand between fields
_NAME = re.compile(_BETWEEN + r"([^\s=,{}\"()#%]+(?:[ \t]+[^\s=,{}\"()#%]+)*)\s*=\s*")
_END = re.compile(_BETWEEN + r"([})]|$)")
_FIELD = re.compile(r"\s*,?\s*[\w-]+\s*=\s*[{\"]")
_WORD = re.compile(r"[^\s,#{}()\"=]+")
_JOIN = re.compile(r"\s*#\s*")
_MARKS = (
    re.compile(r'\\.|[{}"()]', re.DOTALL),  # as TeX reads: an escaped brace is a letter
    re.compile(r'[{}"()]'),  # as BibTeX reads: every brace counts
)
Marks = re.Pattern[str]


class Entry(NamedTuple):
    """An entry: its type and key, and its fields in order, each with its value before LaTeX is read."""

    type: str
    key: str
    fields: list[tuple[str, str]]


def entries(block: str, macros: dict[str, str]) -> Iterator[Entry]:
    """The entries of a block; what `@string` defines is added to the macros. Raises RecordError."""
    place = 0
    while opening := _OPEN.search(block, place):
        kind = opening[1].lower()
        if kind in ("comment", "preamble"):
            place = _end_of_group(block, opening.end(2) - 1, _MARKS[1]) or len(block)
            continue
        entry, place = _lenient(block, opening, macros)
        if kind == "string":
            macros.update((name, value) for name, value in entry.fields)
        else:
            yield entry


def _lenient(block: str, opening: re.Match[str], macros: Mapping[str, str]) -> tuple[Entry, int]:
    """The entry as TeX counts braces, or else as BibTeX counts them."""
    try:
        return _entry(block, opening, macros, _MARKS[0])
    except RecordError as error:
        try:
            return _entry(block, opening, macros, _MARKS[1])
        except RecordError:
            raise error from None


def _entry(block: str, opening: re.Match[str], macros: Mapping[str, str], marks: Marks) -> tuple[Entry, int]:
    kind = opening[1].lower()
    key, place = "", opening.end()
    if kind != "string" and (found := _KEYS[opening[2]].match(block, place)):
        key, place = found[1], found.end()
    fields: list[tuple[str, str]] = []
    while name := _NAME.match(block, place):
        value, place = _value(block, name.end(), macros, marks, name[1])
        fields.append((name[1].lower(), value))
    end = _END.match(block, place)
    if not end or end[1] not in ("", _CLOSING[opening[2]]):
        near = " ".join(block[place : place + 30].split())
        raise RecordError("entry", f"expected a field or the end of the entry, got {near!r}")
    if not end[1]:
        raise RecordError("entry", f"no closing brace for @{opening[1]}")
    if _FIELD.match(block, end.end()):
        raise RecordError("entry", "a brace too many: the entry closes before its last field")
    return Entry(kind, key, fields), end.end()


def _value(text: str, place: int, macros: Mapping[str, str], marks: Marks, name: str) -> tuple[str, int]:
    """A value and where it ends: braced, quoted, a number or a macro, or several joined by `#`."""
    parts: list[str] = []
    while True:
        if text[place : place + 1] in ("{", '"'):
            end = _end_of_group(text, place, marks)
            if end is None:
                raise RecordError("entry", f"field {name!r} is opened by {text[place]} and not closed")
            parts.append(text[place + 1 : end - 1])
            place = end
        elif word := _WORD.match(text, place):
            parts.append(macros.get(word.group().lower(), word.group()))
            place = word.end()
        joined = _JOIN.match(text, place)
        if not joined:
            return "".join(parts), place
        place = joined.end()


def _end_of_group(text: str, place: int, marks: Marks) -> int | None:
    """Where the group that opens here has closed; inside it, braces must match."""
    close = _CLOSING[text[place]]
    depth = 0
    for found in marks.finditer(text, place + 1):
        mark = found.group()
        if mark == close and depth == 0:
            return found.end()
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
            if depth < 0:
                return None
    return None


def is_safe(value: str) -> bool:
    """Whether a value can stand between braces, however its reader counts them."""
    return all(_end_of_group(f"{{{value}}}", 0, marks) == len(value) + 2 for marks in _MARKS)
