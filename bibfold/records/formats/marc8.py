"""MARC-8 to Unicode: the character sets of the Library of Congress, chosen by escape sequences."""

import re
import unicodedata

from pymarc.marc8_mapping import CODESETS, ODD_MAP

ESCAPE = 0x1B
_LATIN, _ANSEL, _EAST_ASIAN = 0x42, 0x45, 0x31
_SPACE = 0x20
_DESIGNATION = re.compile(rb"\x1b(?:(\$?[(,])|(\$?[)-])|(\$))!?([\x30-\x7e])|\x1b([bgps])")
_PLAIN = re.compile(rb"[\x20-\x7e]+")
_CHARACTER_NUMBER = re.compile(r"&#x([0-9A-Fa-f]{4,6});")


def decode(data: bytes) -> str:
    """The text in composed form; a byte that no set assigns becomes U+FFFD, control characters go."""
    if data.isascii() and ESCAPE not in data:
        text = data.decode("ascii")
    else:
        text = unicodedata.normalize("NFC", _translate(data))
    return _CHARACTER_NUMBER.sub(_numbered, text) if "&#x" in text else text


def _translate(data: bytes) -> str:
    text: list[str] = []
    marks: list[str] = []
    low, high = _LATIN, _ANSEL
    at = 0
    while at < len(data):
        if data[at] == ESCAPE:
            found = _DESIGNATION.match(data, at)
            low, high = _designate(found, low, high) if found else (low, high)
            at = found.end() if found else at + 1
            continue
        if low == _LATIN and (plain := _PLAIN.match(data, at)):
            run = plain.group().decode("ascii")
            text.extend((run[0], *marks, run[1:]))
            marks.clear()
            at = plain.end()
            continue
        code, size = _code(data, at, low)
        at += size
        if code < _SPACE or 0x7F <= code < 0xA0:
            continue
        point, combining = _lookup(code, high if 0xA0 <= code < 0x100 else low)
        if combining:
            marks.append(chr(point))
        else:
            text.append(chr(point))
            text.extend(marks)
            marks.clear()
    return "".join(text)


def _designate(found: re.Match[bytes], low: int, high: int) -> tuple[int, int]:
    """The two sets in force behind an escape sequence; `s` goes back from sub- and superscripts to Latin."""
    into_low, into_high, many_bytes, named, single = found.groups()
    if single:
        return (_LATIN if single == b"s" else single[0]), high
    if into_low or many_bytes:
        return named[0], high
    return low, named[0] if into_high else high


def _code(data: bytes, at: int, low: int) -> tuple[int, int]:
    """The character code at a place and its size: three bytes in the East Asian set, spaces excepted."""
    if low == _EAST_ASIAN and _SPACE < data[at] < 0x80 and at + 3 <= len(data):
        return int.from_bytes(data[at : at + 3], "big"), 3
    return data[at], 1


def _lookup(code: int, chosen: int) -> tuple[int, bool]:
    """Its code point, and whether it combines; a set may stand in either half of the byte's range."""
    table = CODESETS.get(chosen, {})
    if found := table.get(code) or table.get(code ^ 0x80):
        return found[0], bool(found[1])
    if code == _SPACE:
        return _SPACE, False
    return ODD_MAP.get(code, 0xFFFD), False


def _numbered(reference: re.Match[str]) -> str:
    """The character of a numeric reference, which is how MARC-8 carries what none of its sets has."""
    number = int(reference[1], 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else reference[0]
