"""RIS: tagged lines from TY to ER, read as the many databases write them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import IO

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.charset import BYTE_ORDER_MARK, check, excerpt, lines
from bibfold.records.formats.remainder import restored
from bibfold.records.formats.values import (
    Fields,
    gather,
    left,
    linked,
    page_range,
    serials,
    squeeze,
    take,
    take_all,
    take_year,
)
from bibfold.records.model import DeadLetter, Record

_TAGS = {spaces: re.compile(rf"([A-Z][A-Z0-9]) {{{spaces}}}- ?(.*)") for spaces in (1, 2)}
_BEGIN = re.compile(r"TY( {1,2})-")
NOTE = "bibfold: "
BOOKS = frozenset({"BOOK", "EBOOK", "EDBOOK"})
_TEXTS = {
    "title": ("TI", "T1", "BT"),
    "volume": ("VL",),
    "issue": ("IS", "CP"),
    "edition": ("ET",),
    "publisher": ("PB", "PU"),
    "language": ("LA",),
    "abstract": ("AB", "N2"),
}
_PUBLICATION = ("JF", "T2", "JO", "BT", "JA", "J2", "J1")
_DATES = ("PY", "Y1", "DA")
_MEDLINE = re.compile(r"pubmed|medline", re.IGNORECASE)


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The records; text before, between and after them is passed over, as databases put notices there."""
    found = False
    for number, block in _blocks(lines(stream)):
        found = True
        try:
            check("".join(block))
            fields = _fields(block)
            if not fields.keys() - {"TY"}:
                raise RecordError("record", "no field but its type")
            yield _record(fields, origin)
        except RecordError as error:
            raw = excerpt("".join(block))
            yield DeadLetter(file=origin.file, position=f"line {number}", reason=error.reason, raw=raw)
    if not found:
        reason = "not RIS: no line begins with `TY  - `"
        yield DeadLetter(file=origin.file, position="whole file", reason=reason)


def _blocks(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines of each record with the number of the first: up to ER, or to the next TY without one."""
    block: list[str] = []
    begin = 0
    for number, text in enumerate(lines, 1):
        line = text.removeprefix(BYTE_ORDER_MARK)
        if block and line.startswith(("ER  -", "ER -")):
            yield begin, block
            block = []
        elif _BEGIN.match(line) or (not block and _TAGS[2].match(line)):
            if block:
                yield begin, block
            block, begin = [line], number
        elif block:
            block.append(line)
    if block:
        yield begin, block


def _fields(block: Iterable[str]) -> Fields:
    """The values of each tag; a line without one goes on with the value before it."""
    pattern = _TAGS[2]
    values: list[tuple[str, list[str]]] = []
    for line in block:
        if not values and (begin := _BEGIN.match(line)):
            pattern = _TAGS[len(begin[1])]
        if tag := pattern.match(line):
            values.append((tag[1], [tag[2]]))
        else:
            values[-1][1].append(line.strip())
    fields: Fields = {}
    for name, parts in values:
        if value := "\n".join(parts).strip():
            fields.setdefault(name, []).append(value)
    return fields


def _record(fields: Fields, origin: Origin) -> Record:
    type = take(fields, "TY")
    rest = _take_note(fields)
    texts = {field: take(fields, *tags) for field, tags in _TEXTS.items()}
    year = take_year(fields, *_DATES)
    record = Record(
        source=origin.source,
        id=take(fields, "ID") or squeeze((fields.get("AN") or fields.get("UT") or [""])[0]),
        type=type,
        authors=take_all(fields, "AU", "A1"),
        publication=take(fields, *(tag for tag in _PUBLICATION if tag != "T2" or type not in BOOKS)),
        year=year,
        pages=page_range(take(fields, "SP"), take(fields, "EP")),
        identifiers=_identifiers(fields, "isbn" if type in BOOKS else "issn"),
        extra=left(fields, "ris", year),
        **texts,
    )
    return restored(record, rest)


def _take_note(fields: Fields) -> str:
    """Remove and return what follows the mark of our own note."""
    notes = fields.pop("N1", [])
    ours = [note for note in notes if note.startswith(NOTE)]
    if others := [note for note in notes if not note.startswith(NOTE)]:
        fields["N1"] = others
    return ours[0].removeprefix(NOTE) if ours else ""


def _identifiers(fields: Fields, otherwise: str) -> Mapping[str, tuple[str, ...]]:
    """Identifiers from their own tags, and from a link or an accession number where those are missing."""
    pairs = [("doi", value) for value in take_all(fields, "DO")]
    for value in take_all(fields, "SN", "EI", "BN"):
        pairs.extend(serials(value, otherwise))
    pairs.extend(_medline(fields))
    told = {kind for kind, _ in pairs}
    links = (linked(url) for tag in ("UR", "L2") for url in fields.get(tag, ()))
    pairs.extend(pair for pair in links if pair and pair[0] not in told)
    return gather(pairs)


def _medline(fields: Fields) -> Iterator[tuple[str, str]]:
    """PMID and PMCID, for which RIS has no tag: Scopus and EndNote use C2, MEDLINE hosts AN."""
    for value in fields.get("C2", ()):
        if re.fullmatch(r"PMC\d+", value):
            yield "pmcid", value
        elif value.isdecimal() and "Scopus" in fields.get("DB", ()):
            yield "pmid", value
    hosts = " ".join(fields.get("DB", []) + fields.get("DP", []))
    for value in fields.get("AN", ()):
        if value.isdecimal() and _MEDLINE.search(hosts):
            yield "pmid", value
