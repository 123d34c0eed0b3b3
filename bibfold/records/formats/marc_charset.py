"""Which character set a MARC record is really in, whatever its leader says."""

import re
from collections.abc import Callable

from bibfold.records.formats import marc8

Decoder = Callable[[bytes], str]

_CARRIERS = {
    0xE0: b"aeiouy",
    0xE1: b"aeiou",
    0xE2: b"aeiouycnszrlgkm",
    0xE3: b"aeiouwycghjsz",
    0xE4: b"aonieuy",
    0xE5: b"aeiouy",
    0xE6: b"aeioug",
    0xE7: b"ezgcnmshlti",
    0xE8: b"aeiouy",
    0xE9: b"cszrneaiou",
    0xEA: b"au",
    0xEB: b"a-z",
    0xEC: b"a-z",
    0xEE: b"ou",
    0xF0: b"cstknlrghd",
    0xF1: b"aeiu",
    0xF2: b"abdehiklmnorstuvwyz",
    0xF3: b"u",
    0xF4: b"a",
    0xF7: b"st",
    0xF9: b"h",
}
"""For each diacritic of MARC-8, which stands before its letter, the letters that carry it in real names."""

_DIACRITICS = b"|".join(
    bytes([mark]) + rb"[\xe0-\xfe]*[" + base + base.upper() + b"]" for mark, base in _CARRIERS.items()
)
_LIKELY_MARC8 = re.compile(
    _DIACRITICS
    + rb"|\xf6[gkdtszGKDTSZ]\xf6[hH]|(?<=[A-Ga-g])\xa9"
    + rb"|[\x88\x89\x8d\x8e\xa1-\xa8\xaa-\xae\xb0-\xba\xbc\xbd\xc0-\xc8]"
)
_HIGH = re.compile(rb"[\x80-\xff]")
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


def decoder(data: bytes, says_utf8: bool) -> Decoder:
    """What turns the bytes of this record's fields into text.

    Bytes that read as UTF-8 are UTF-8: no MARC-8 or Latin-1 text reads so by chance. Other bytes are MARC-8
    where the diacritics stand before letters that carry them, else Windows Latin-1. In a record that says
    UTF-8 this is settled piece by piece, and a damaged piece of UTF-8 keeps U+FFFD where bytes are lost.
    """
    if marc8.ESCAPE not in data:
        if data.isascii():
            return _ascii
        if _is_utf8(data):
            return _utf8
    legacy = _legacy(_MULTIBYTE.sub(b"", data) if says_utf8 else data)
    if not says_utf8:
        return legacy

    def piecewise(piece: bytes) -> str:
        if _is_utf8(piece):
            return marc8.decode(piece) if marc8.ESCAPE in piece else _utf8(piece)
        return piece.decode("utf-8", "replace") if _MULTIBYTE.search(piece) else legacy(piece)

    return piecewise


def _legacy(data: bytes) -> Decoder:
    if marc8.ESCAPE in data:
        return marc8.decode
    high = len(_HIGH.findall(data))
    likely = sum(len(_HIGH.findall(found)) for found in _LIKELY_MARC8.findall(data))
    return marc8.decode if high - likely <= high / 3 else _latin1


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _ascii(data: bytes) -> str:
    return data.decode("ascii")


def _utf8(data: bytes) -> str:
    return data.decode("utf-8", "replace")  # fields may be cut within a character


def _latin1(data: bytes) -> str:
    return data.decode("cp1252", "replace")
