"""Web of Science's tagged export (`savedrecs.txt`, `.ciw`, `.isi`): two-letter tags from PT to ER."""

import re
from collections.abc import Iterator, Mapping
from typing import IO

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.charset import lines
from bibfold.records.formats.tagged import blocks, records, whole
from bibfold.records.formats.values import Fields, gather, left, page_range, serials, squeeze, take, take_all, take_year
from bibfold.records.model import DeadLetter, Record

_TAG = re.compile(r"\ufeff?([A-Z][A-Z0-9])(?:\s(.*)|$)")
_MARKS = re.compile(
    r"\ufeff?(?:(?P<begin>PT(?:\s|$))|(?P<end>ER\s*$)|(?P<outside>(?:FN|VR|EF)(?:\s|$))|(?P<loose>[A-Z][A-Z0-9]\s))"
)
_LISTS = frozenset({"AU", "AF", "BA", "BF", "BE", "GP", "CA", "CR", "C1", "ED"})
"""Tags of which each line is a value; the lines of any other are one text."""

_TEXTS = {
    "title": ("TI",),
    "volume": ("VL",),
    "issue": ("IS",),
    "publisher": ("PU",),
    "type": ("DT",),
    "language": ("LA",),
    "abstract": ("AB",),
}


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The records; the id is the accession number (UT)."""
    found = whole(blocks(lines(stream, origin.largest), _MARKS, origin.largest), "ER")
    yield from records(found, _record, origin, "not an export of Web of Science: no line begins with `PT `")


def _fields(block: list[str]) -> Fields:
    fields: Fields = {}
    values: list[str] = []
    tag = ""
    for line in block:
        found = _TAG.match(line)
        if found:
            tag = found[1]
            values = fields.setdefault(tag, [])
        text = squeeze((found[2] or "") if found else line)
        if text and not found and tag not in _LISTS and values:
            values[-1] += f" {text}"
        elif text:
            values.append(text)
    return {name: kept for name, kept in fields.items() if kept}


def _record(block: list[str], origin: Origin) -> Record:
    fields = _fields(block)
    kind = take(fields, "PT")
    if not fields:
        raise RecordError("record", "no field but its type")
    texts = {field: take(fields, *tags) for field, tags in _TEXTS.items()}
    year = take_year(fields, "PY", "EY", "PD")
    return Record(
        source=origin.source,
        id=squeeze((fields.get("UT") or fields.get("AN") or fields.get("GA") or [""])[0]),
        authors=_authors(fields),
        publication=take(fields, "SO", "JI", "J9", "SE"),
        year=year,
        pages=page_range(take(fields, "BP"), take(fields, "EP")) or squeeze((fields.get("AR") or [""])[0]),
        identifiers=_identifiers(fields),
        extra={**left(fields, "wos", year), **({"wos:PT": kind} if kind else {})},
        **texts,
    )


def _authors(fields: Fields) -> tuple[str, ...]:
    """Full names where there are any, or else short ones; then groups; or else the editors."""
    full, short = take_all(fields, "AF"), take_all(fields, "AU")
    books = take_all(fields, "BF") or take_all(fields, "BA")
    people = (full if len(full) >= len(short) else short) or books
    return people + take_all(fields, "CA", "GP") or take_all(fields, "BE", "ED")


def _identifiers(fields: Fields) -> Mapping[str, tuple[str, ...]]:
    pairs = [("doi", value) for value in take_all(fields, "DI")]
    pairs += [("pmid", value) for value in take_all(fields, "PM")]
    for tag, kind in (("SN", "issn"), ("EI", "issn"), ("BN", "isbn")):
        for value in take_all(fields, tag):
            pairs.extend(serials(value, kind))
    return gather(pairs)
