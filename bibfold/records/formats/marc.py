"""A MARC record as a value, and how it is kept in a record's `extra`."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import msgspec

LOCAL = "997"
"""The tag of the local field, marked `$2 bibfold`, that carries what MARC has no place for."""

KEPT = "marc"
"""The key in a record's `extra` that keeps the MARC record it came from."""

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\ufeff\ufffe\uffff]")
_WINDOWS = {ord(bytes([byte]).decode("cp1252", "replace")): byte for byte in range(0x80, 0xA0)}
_WINDOWS.pop(0xFFFD)
_SCRAMBLED = re.compile("[\xc2-\xf4][\x80-\xbf" + "".join(map(chr, _WINDOWS)) + "]")


class Field(msgspec.Struct, frozen=True):
    """A control field has `data` and no indicators; any other has two, and subfields of code and value."""

    tag: str
    indicators: str = "  "
    subfields: tuple[tuple[str, str], ...] = ()
    data: str = ""

    def all(self, codes: str) -> list[str]:
        """The values of these subfields that say anything, in the field's order."""
        return [value for code, value in self.subfields if code in codes and value and not value.isspace()]

    def first(self, code: str) -> str:
        """The first value of a subfield, without blanks around it; empty where there is none."""
        for name, value in self.subfields:
            if name == code:
                return value.strip()
        return ""


class Marc(msgspec.Struct, frozen=True):
    """A leader and fields."""

    leader: str
    fields: tuple[Field, ...]

    def each(self, *tags: str) -> Iterator[Field]:
        """The fields of these tags, in the record's order."""
        return (field for field in self.fields if field.tag in tags)

    def control(self, tag: str) -> str:
        """The data of the first control field of a tag."""
        return next((field.data for field in self.fields if field.tag == tag), "")


def control(tag: str, data: str) -> Field:
    """A control field as read."""
    return Field(tag, "", (), clean(data))


def field(tag: str, indicators: str, subfields: Iterable[tuple[str, str]]) -> Field:
    """A field with subfields as read: every text cleaned, but for our own."""
    read = tuple(subfields)
    if not is_local(tag, read):
        read = tuple([(code, clean(value)) for code, value in read])
    return Field(tag, indicators[:2].ljust(2), read)


def is_local(tag: str, subfields: Collection[tuple[str, str]]) -> bool:
    """Whether this is our own local field."""
    return tag == LOCAL and ("2", "bibfold") in subfields


def clean(text: str) -> str:
    """The text composed, without control characters, and with UTF-8 that was read as Latin-1 put right."""
    if text.isascii() and text.isprintable():
        return text
    if not text.isascii():
        text = unicodedata.normalize("NFC", _unscrambled(text))
    return _CONTROLS.sub(_blank, text)


def _blank(control: re.Match[str]) -> str:
    return " " if control[0] in "\t\n\r" else ""


def _unscrambled(text: str) -> str:
    """Undo decoding as Latin-1 as often as it was done; text of other alphabets cannot have suffered it."""
    while _SCRAMBLED.search(text):
        try:
            text = text.translate(_WINDOWS).encode("latin-1").decode("utf-8")
        except UnicodeError:
            break
    return text


def kept(marc: Marc) -> list[list[Any]]:
    """The record for `extra`: `["LDR", leader]`, `[tag, data]`, `[tag, indicators, [[code, value], …]]`."""
    rows: list[list[Any]] = [["LDR", marc.leader]] if marc.leader else []
    for each in marc.fields:
        if each.indicators:
            rows.append([each.tag, each.indicators, [list(pair) for pair in each.subfields]])
        else:
            rows.append([each.tag, each.data])
    return rows


def from_kept(rows: Any) -> Marc | None:
    """The record that `kept` wrote, or None where this is no such thing."""
    if not isinstance(rows, list):
        return None
    leader = ""
    fields: list[Field] = []
    for row in rows:
        match row:
            case ["LDR", str(leader)]:
                pass
            case [str(tag), str(data)]:
                fields.append(Field(tag, "", (), data))
            case [str(tag), str(indicators), [*pairs]] if all(map(_is_subfield, pairs)):
                fields.append(Field(tag, indicators, tuple((code, value) for code, value in pairs)))
            case _:
                return None
    return Marc(leader, tuple(fields))


def _is_subfield(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair)
