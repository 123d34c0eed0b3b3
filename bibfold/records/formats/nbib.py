"""NBIB, the MEDLINE tags of PubMed."""

import re
from collections.abc import Iterable, Iterator
from typing import IO

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.charset import BYTE_ORDER_MARK, check, excerpt, lines
from bibfold.records.formats.values import Fields, gather, left, serials, take, take_all, take_year
from bibfold.records.model import DeadLetter, Record

_TAG = re.compile(r"([A-Z][A-Z0-9 ]{3})- ?(.*)")
_LABELLED = re.compile(r"(\S+) \[(\w+)\]")
_TEXTS = {
    "title": ("TI", "BTI", "TT"),
    "publication": ("JT", "BTI", "TA"),
    "volume": ("VI",),
    "issue": ("IP",),
    "pages": ("PG",),
    "edition": ("EN",),
    "publisher": ("PB",),
    "type": ("PT",),
    "language": ("LA",),
    "abstract": ("AB",),
}


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The records, which begin at PMID; text that stands under no tag is passed over."""
    found = False
    for number, block in _blocks(lines(stream)):
        found = True
        try:
            check("".join(block))
            yield _record(_fields(block), origin)
        except RecordError as error:
            raw = excerpt("".join(block))
            yield DeadLetter(file=origin.file, position=f"line {number}", reason=error.reason, raw=raw)
    if not found:
        reason = "not NBIB: no line begins with a tag such as `PMID- `"
        yield DeadLetter(file=origin.file, position="whole file", reason=reason)


def _blocks(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines of each record with the number of the first: up to a blank line or the next PMID."""
    block: list[str] = []
    begin = 0
    for number, text in enumerate(lines, 1):
        line = text.removeprefix(BYTE_ORDER_MARK)
        if block and (not line.strip() or line.startswith("PMID-")):
            yield begin, block
            block = []
        if block:
            block.append(line)
        elif _TAG.match(line):
            block, begin = [line], number
    if block:
        yield begin, block


def _fields(block: Iterable[str]) -> Fields:
    values: list[tuple[str, list[str]]] = []
    for line in block:
        if tag := _TAG.match(line):
            values.append((tag[1].strip(), [tag[2].strip()]))
        else:
            values[-1][1].append(line.strip())
    fields: Fields = {}
    for name, parts in values:
        fields.setdefault(name, []).append(" ".join(parts).strip())
    return fields


def _record(fields: Fields, origin: Origin) -> Record:
    id = take(fields, "PMID")
    if not id and not fields.keys() & {"TI", "BTI"}:
        raise RecordError("record", "neither PMID nor title: not a record of NBIB")
    identifiers = gather([("pmid", id), *_identifiers(fields)])
    year = take_year(fields, "DP", "DEP")
    texts = {field: take(fields, *tags) for field, tags in _TEXTS.items()}
    return Record(
        source=origin.source,
        id=id,
        authors=_authors(fields),
        year=year,
        identifiers=identifiers,
        extra=left(fields, "nbib", year),
        **texts,
    )


def _authors(fields: Fields) -> tuple[str, ...]:
    """Full names where there are any, or else short ones, then corporate authors."""
    people = take_all(fields, "FAU") or take_all(fields, "AU")
    return people + take_all(fields, "CN")


def _identifiers(fields: Fields) -> Iterator[tuple[str, str]]:
    """PMCID, ISSN, ISBN, and what LID and AID give with a label, as `10.1/2 [doi]`."""
    for value in take_all(fields, "PMC"):
        yield "pmcid", value
    for tag, kind in (("IS", "issn"), ("ISBN", "isbn")):
        for value in fields.get(tag, ()):
            yield from serials(value, kind)
    for tag in ("LID", "AID"):
        for value in fields.get(tag, ()):
            label = _LABELLED.fullmatch(value)
            if label and label[2] == "doi":
                yield "doi", label[1]
