"""EndNote's tagged import form (`.enw`) and Refer/BibIX: lines of `%` and a letter."""

import re
from collections.abc import Iterator, Mapping
from typing import IO

from bibfold.errors import RecordError
from bibfold.records.formats import Origin, tagged
from bibfold.records.formats.charset import lines
from bibfold.records.formats.streams import HEAD
from bibfold.records.formats.tagged import blocks, records
from bibfold.records.formats.values import Fields, gather, left, linked, serials, take, take_all, take_year
from bibfold.records.model import DeadLetter, Record

_TAG = re.compile(r"\ufeff?(%[A-Z0-9@!#$&()*+.:;<=>?\[\]^_~|-])(?:\s(.*)|$)")
_TYPED = re.compile(r"\ufeff?(?:(?P<begin>%0(?:\s|$))|(?P<loose>%[A-Z0-9@!](?:\s|$)))")
_UNTYPED = re.compile(r"\ufeff?(?:(?P<end>\s*$)|(?P<loose>%[A-Z0-9@!](?:\s|$)))")
_HAS_TYPES = re.compile(rb"^(?:\xef\xbb\xbf)?%0\s", re.MULTILINE)
_BOOKS = frozenset({"Book", "Edited Book", "Thesis", "Report", "Electronic Book", "Generic"})
_TEXTS = {
    "title": ("%T", "%!"),
    "volume": ("%V",),
    "issue": ("%N",),
    "pages": ("%P", "%&"),
    "edition": ("%7",),
    "publisher": ("%I",),
    "type": ("%0",),
    "language": ("%G",),
    "abstract": ("%X",),
}


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The records: from each type (%0) to the next, or between blank lines where there are no types."""
    head = getattr(stream, "peek", lambda size: b"%0 ")(HEAD)
    marks = _TYPED if _HAS_TYPES.search(head) else _UNTYPED
    found = blocks(lines(stream, origin.largest), marks, origin.largest)
    yield from records(found, _record, origin, "not an EndNote or Refer file: no line begins with a tag such as `%T `")


def _record(block: list[str], origin: Origin) -> Record:
    fields = tagged.fields(block, _TAG, "\n")
    if not fields.keys() - {"%0"}:
        raise RecordError("record", "no field but its type")
    kind = "".join(fields.get("%0", ())[:1])
    texts = {field: take(fields, *tags) for field, tags in _TEXTS.items()}
    year = take_year(fields, "%D", "%8")
    identifiers = _identifiers(fields, "isbn" if kind in _BOOKS else "issn")
    return Record(
        source=origin.source,
        id=take(fields, "%F", "%M"),
        authors=take_all(fields, "%A") or take_all(fields, "%E"),
        publication=take(fields, *(("%J",) if kind in _BOOKS else ("%J", "%B"))),
        year=year,
        identifiers=identifiers,
        extra=left(fields, "enw", year),
        **texts,
    )


def _identifiers(fields: Fields, otherwise: str) -> Mapping[str, tuple[str, ...]]:
    pairs: list[tuple[str, str]] = []
    for value in take_all(fields, "%@"):
        pairs.extend(serials(value, otherwise))
    for value in fields.get("%R", []) + fields.get("%U", []) + fields.get("%3", []):
        if found := linked(value):
            pairs.append(found)
        elif re.match(r"10\.\d{4,9}/\S+$", value):
            pairs.append(("doi", value))
    if "pubmed" in " ".join(fields.get("%W", [])).lower() or "medline" in " ".join(fields.get("%~", [])).lower():
        pairs += [("pmid", value) for value in fields.get("%M", ()) if value.isdecimal()]
    return gather(pairs)
