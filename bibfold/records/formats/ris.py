"""RIS: tagged lines from TY to ER, read as the many databases write them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import IO

from bibfold.errors import RecordError
from bibfold.records.formats import Origin, tagged
from bibfold.records.formats.charset import BYTE_ORDER_MARK, lines
from bibfold.records.formats.remainder import restored
from bibfold.records.formats.tagged import blocks, records, whole
from bibfold.records.formats.values import (
    Fields,
    gather,
    left,
    linked,
    noted,
    page_range,
    serials,
    squeeze,
    take,
    take_all,
    take_year,
)
from bibfold.records.model import DeadLetter, Record

_TAGS = {1: re.compile(r"([A-Z][A-Z0-9]) - ?(.*)"), 2: re.compile(r"([A-Z][A-Z0-9]{1,4})  - ?(.*)")}
"""A tag and its value, by the spaces before the hyphen; some databases have tags such as `PMID`."""

_HINTS = ("TY", "ER", "\ufeff")
_MARKS = re.compile(r"\ufeff?(?:(?P<begin>TY {1,2}-)|(?P<end>ER {0,2}(?:-|$))|(?P<loose>[A-Z][A-Z0-9]  -))")
_BEGIN = re.compile(r"\ufeff?TY( {1,2})-")
NOTE = "bibfold: "
BOOKS = frozenset({"BOOK", "EBOOK", "EDBOOK"})
_TEXTS = {
    "title": ("TI", "T1", "CT", "BT", "ST"),
    "volume": ("VL",),
    "issue": ("IS", "CP", "NO"),
    "edition": ("ET",),
    "publisher": ("PB", "PU"),
    "language": ("LA",),
    "abstract": ("AB", "N2"),
}
_PUBLICATION = ("JF", "T2", "JO", "BT", "JA", "J2", "J1", "SO")
_DATES = ("PY", "Y1", "YR", "DA")
_MEDLINE = re.compile(r"pubmed|medline", re.IGNORECASE)
_EMBASE = re.compile(r"L\d+")
_COCHRANE = re.compile(r"\bPUBMED (\d+)", re.IGNORECASE)


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The records; text before, between and after them is passed over, as databases put notices there."""
    found = whole(blocks(lines(stream, origin.largest), _MARKS, origin.largest, _HINTS), "ER")
    yield from records(found, _read, origin, "not RIS: no line begins with `TY  - `")


def _read(block: list[str], origin: Origin) -> Record:
    block[0] = block[0].removeprefix(BYTE_ORDER_MARK)
    fields = _fields(block)
    if not fields.keys() - {"TY"}:
        raise RecordError("record", "no field but its type")
    return _record(fields, origin)


def _fields(block: Sequence[str]) -> Fields:
    """The values of each tag; names under A1 and AU stand together, in their order."""
    begin = _BEGIN.match(block[0])
    found = tagged.fields(block, _TAGS[len(begin[1])] if begin else _TAGS[2], "\n")
    if "A1" in found and "AU" in found:
        names = found.pop("A1")
        if names != found["AU"]:
            tag = re.compile(r"(?:AU|A1) {1,2}- ?(.*)")
            found["AU"] = [name[1].strip() for line in block if (name := tag.match(line)) and name[1].strip()]
    return found


def _record(fields: Fields, origin: Origin) -> Record:
    type = take(fields, "TY")
    rest = _take_note(fields)
    texts = {field: take(fields, *tags) for field, tags in _TEXTS.items()}
    year = take_year(fields, *_DATES)
    record = Record(
        source=origin.source,
        id=take(fields, "ID") or squeeze((fields.get("AN") or fields.get("UT") or fields.get("U2") or [""])[0]),
        type=type,
        authors=take_all(fields, "AU", "A1") or take_all(fields, "A2", "ED"),
        publication=take(fields, *(tag for tag in _PUBLICATION if tag != "T2" or type not in BOOKS)),
        year=year,
        pages=page_range(take(fields, "SP"), take(fields, "EP")) or take(fields, "PG"),
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
    pairs = [("doi", value) for value in take_all(fields, "DO", "DOI")]
    for value in take_all(fields, "SN", "EI", "BN"):
        pairs.extend(serials(value, otherwise))
    pairs.extend(_medline(fields))
    hints = [pair for tag in ("UR", "L2", "L3", "M3", "N1") for value in fields.get(tag, ()) if (pair := linked(value))]
    hints += [pair for note in fields.get("N1", ()) for pair in noted(note)]
    own = {kind for kind, _ in pairs}
    return gather([*pairs, *(pair for pair in hints if pair[0] not in own)])


def _medline(fields: Fields) -> Iterator[tuple[str, str]]:
    """PMID and PMCID, for which RIS has no tag: Scopus and EndNote use C2, MEDLINE hosts AN, Embase C5, Cochrane
    C3, XR and PM.
    """
    for kind in ("pmid", "pmcid"):
        yield from ((kind, value) for value in take_all(fields, kind.upper()))
    for value in fields.get("C2", ()):
        if re.fullmatch(r"PMC\d+", value):
            yield "pmcid", value
        elif value.isdecimal() and "Scopus" in fields.get("DB", ()):
            yield "pmid", value
    hosts = " ".join(fields.get("DB", []) + fields.get("DP", []))
    for value in fields.get("AN", ()):
        if value.isdecimal() and _MEDLINE.search(hosts):
            yield "pmid", value
    for value in fields.get("C5", ()):
        if value.isdecimal() and any(_EMBASE.fullmatch(number) for number in fields.get("U2", ())):
            yield "pmid", value
    for value in fields.get("C3", []) + fields.get("XR", []) + fields.get("PM", []):
        yield from (("pmid", number) for number in _COCHRANE.findall(value))
