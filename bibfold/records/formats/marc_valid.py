"""MARC records as the schema of MARCXML (MARC21slim) allows them.

`mended` changes form alone: the leader, the order of fields, indicators, characters that XML cannot hold. `valid` also
leaves out what the schema has no place for: fields with another tag, subfields with another code, empty fields.
"""

import re
from typing import Final

from bibfold.records.formats.marc import Field, Marc
from bibfold.records.formats.xml_text import legal

_LEADER: Final = "00000nam a2200000 u 4500"
_LEADER_RULES: Final = (
    (0, 5, re.compile(r"[0-9 ]{5}")),
    (5, 6, re.compile(r"[0-9A-Za-z ]")),
    (6, 7, re.compile(r"[0-9A-Za-z]")),
    *((place, place + 1, re.compile(r"[0-9A-Za-z ]")) for place in (7, 8, 9)),
    (10, 12, re.compile(r"[2 ]{2}")),
    (12, 17, re.compile(r"[0-9 ]{5}")),
    *((place, place + 1, re.compile(r"[0-9A-Za-z ]")) for place in (17, 18, 19)),
    (20, 24, re.compile(r"4500| {4}")),
)
_CONTROL_TAG: Final = re.compile(r"00[1-9A-Za-z]")
_TAG: Final = re.compile(r"0[1-9A-Z][0-9A-Z]|0[1-9a-z][0-9a-z]|[1-9A-Z][0-9A-Z]{2}|[1-9a-z][0-9a-z]{2}")
_NO_INDICATOR: Final = re.compile(r"[^0-9a-z ]")
_CODE: Final = re.compile(r"[0-9A-Za-z!\"#$%&'()*+,\-./:;<=>?{}_^`~\[\]\\]")


def mended(marc: Marc) -> Marc:
    """The record with a leader of 24 characters, control fields first, and no character that XML cannot hold."""
    fields = sorted(map(_mended_field, marc.fields), key=lambda field: bool(field.indicators))
    return Marc(leader(marc.leader), tuple(fields))


def valid(marc: Marc) -> Marc:
    """The record without what the schema has no place for."""
    kept = (_valid_field(field) for field in marc.fields)
    return Marc(leader(marc.leader), tuple(field for field in kept if field))


def leader(text: str) -> str:
    """The leader with what is missing or not allowed as in that of a new record for a book."""
    if not text.strip():
        return _LEADER
    text = legal(text).ljust(24)[:24]
    pieces = [(text[start:end], _LEADER[start:end], rule) for start, end, rule in _LEADER_RULES]
    return "".join(piece if rule.fullmatch(piece) else usual for piece, usual, rule in pieces)


def _mended_field(field: Field) -> Field:
    if not field.indicators:
        return Field(legal(field.tag), "", (), legal(field.data))
    subfields = tuple([(legal(code), legal(value)) for code, value in field.subfields])
    return Field(legal(field.tag), _NO_INDICATOR.sub(" ", field.indicators[:2].ljust(2)), subfields)


def _valid_field(field: Field) -> Field | None:
    if not field.indicators:
        return field if _CONTROL_TAG.fullmatch(field.tag) else None
    subfields = tuple([pair for pair in field.subfields if _CODE.fullmatch(pair[0])])
    return Field(field.tag, field.indicators, subfields) if subfields and _TAG.fullmatch(field.tag) else None
