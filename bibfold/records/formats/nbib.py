"""NBIB, the MEDLINE tags of PubMed, which ERIC uses, too."""

import re
from collections.abc import Iterable, Iterator
from typing import IO

from bibfold.errors import RecordError
from bibfold.records.formats import Origin, tagged
from bibfold.records.formats.charset import lines
from bibfold.records.formats.tagged import Block, blocks, records
from bibfold.records.formats.values import Fields, gather, left, linked, serials, take, take_all, take_year
from bibfold.records.model import DeadLetter, Record

_TAG = re.compile(r"\ufeff?(?=.{4} ?-)([A-Z][A-Z0-9]{0,3}) *- ?(.*)")
_MARKS = re.compile(r"\ufeff?(?:(?P<begin>PMID *-|OWN *- ?ERIC)|(?P<end>\s*$)|(?P<loose>[A-Z][A-Z0-9 ]{3} ?-))")
_OF_PUBMED = re.compile(r"^OWN *- ?NLM", re.MULTILINE)
_LABELLED = re.compile(r"(\S+) \[(\w+)\]")
_ISSN = re.compile(r"[EP]?ISSN-(?=\d)")
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
    """The records, up to a blank line or the next PMID; text that stands under no tag is passed over."""
    found = _whole(blocks(lines(stream, origin.largest), _MARKS, origin.largest))
    yield from records(found, _record, origin, "not NBIB: no line begins with a tag such as `PMID- `")


def _whole(found: Iterable[Block]) -> Iterator[Block]:
    """The blocks, the last with a reason where it was cut off: PubMed ends each record with its source (SO)."""
    last: Block | None = None
    sourced = True
    for block in found:
        if last:
            sourced = sourced and _is_sourced(last)
            yield last
        last = block
    if last and not last.reason and sourced and not _is_sourced(last) and _OF_PUBMED.search("".join(last.lines)):
        last = last._replace(reason="cut off: the file ends before the record's source (SO), which is its last field")
    if last:
        yield last


def _is_sourced(block: Block) -> bool:
    return any(line.startswith("SO  -") for line in block.lines)


def _record(block: list[str], origin: Origin) -> Record:
    fields = tagged.fields(block, _TAG, " ")
    pmid = take(fields, "PMID")
    if not pmid and not fields.keys() & {"TI", "BTI"}:
        raise RecordError("record", "neither PMID nor title: not a record of NBIB")
    identifiers = gather([("pmid", pmid), *_identifiers(fields)])
    year = take_year(fields, "DP", "DEP")
    texts = {field: take(fields, *tags) for field, tags in _TEXTS.items()}
    return Record(
        source=origin.source,
        id=pmid or take(fields, "OID"),
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
    for tag, kind in (("IS", "issn"), ("ISSN", "issn"), ("ISBN", "isbn")):
        for value in fields.get(tag, ()):
            yield from serials(_ISSN.sub("", value), kind)
    for tag in ("LID", "AID"):
        for value in fields.get(tag, ()):
            label = _LABELLED.fullmatch(value)
            if label and label[2] == "doi":
                yield "doi", label[1]
            elif found := linked(value):
                yield found
