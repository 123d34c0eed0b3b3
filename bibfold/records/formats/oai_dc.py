"""Reads OAI Dublin Core: OAI-PMH answers, and collections of `oai_dc:dc`.

`extra` gets `alternative_titles` (every title but the first) and, by its own name, whatever element of Dublin
Core no field of the model took, such as `relation` and `subject`. A header that marks its record as deleted is a
deletion.
"""

import re
from collections.abc import Iterator
from typing import IO, Any
from xml.etree.ElementTree import Element

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.citation import place
from bibfold.records.formats.oai import NOTICES, check_notice, deletion, header_identifier, inside
from bibfold.records.formats.values import Fields, gather, left, linked, squeeze, take, take_all, year_of
from bibfold.records.formats.xml import records
from bibfold.records.model import Deletion, Item, Record

_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT")
_SEMANTICS = re.compile(r"info:eu-repo/semantics/(?!published|accepted|submitted|draft|updated|open|closed)")
_ISSN = re.compile(r"(?:e-?|p-?)?(?:issn[:\s]*)?(\d{4}-\d{3}[\dXx])(?:\s*\([^)]*\))?", re.IGNORECASE)
_PAGES = re.compile(r"[A-Za-z]?\d+\s*[-–]+\s*[A-Za-z]?\d+")
_OTHER_IDENTIFIER = "info:eu-repo/semantics/altIdentifier/"
_SCHEMES = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("doi", rf"(?:{_OTHER_IDENTIFIER}|urn:|info:)?doi[:/]\s*(10\.\S+)|(10\.\d{{4,9}}/\S+)"),
        ("arxiv", rf"(?:oai:arXiv\.org:|{_OTHER_IDENTIFIER}arxiv/|arxiv:)\s*(\S+)"),
        ("pmid", rf"(?:{_OTHER_IDENTIFIER}pmid/|(?:info:)?pmid[:/])\s*(\d+)"),
        ("isbn", rf"(?:{_OTHER_IDENTIFIER}isbn/|urn:isbn:|isbn[:\s]*)([\dXx -]+)|(97[89]\d{{10}})"),
        ("issn", rf"(?:{_OTHER_IDENTIFIER}[pe]?issn/|urn:issn:|issn[:\s]*)(\d{{4}}-?\d{{3}}[\dXx])"),
        ("hdl", rf"(?:{_OTHER_IDENTIFIER}hdl/|(?:info:)?hdl[:/])\s*(\S+)|https?://hdl\.handle\.net/(\S+)"),
        ("url", r"(https?://\S+)"),
    )
)


def read(stream: IO[bytes], origin: Origin) -> Iterator[Item]:
    """The records and deletions; the id is that of the OAI-PMH header."""
    return records(stream, origin, ("record", "dc"), read_element, NOTICES)


def read_element(element: Element, origin: Origin) -> Record | Deletion:
    """The record of an `oai_dc:dc`, or of the one that an OAI-PMH or SRU record holds, or that it is gone."""
    check_notice(element)
    if gone := deletion(element, origin):
        return gone
    fields = _fields(element)
    header = header_identifier(element)
    titles = take_all(fields, "title")
    year = _year(fields)
    identifiers = gather(_identifiers(fields, header))
    publication, volume, issue, pages = _publication(fields)
    return Record(
        source=origin.source,
        id=header,
        title=titles[0] if titles else "",
        authors=take_all(fields, "creator") or take_all(fields, "contributor"),
        publication=publication,
        year=year,
        identifiers=identifiers,
        volume=volume,
        issue=issue,
        pages=pages,
        publisher=take(fields, "publisher"),
        type=_type(fields),
        language=take(fields, "language"),
        abstract=take(fields, "description", "abstract"),
        extra=_extra(fields, titles[1:], year),
    )


def _fields(element: Element) -> Fields:
    """The texts of the Dublin Core elements by name."""
    fields: Fields = {}
    for child in inside(element):
        if child.tag not in ("header", "about") and (text := squeeze("".join(child.itertext()))):
            fields.setdefault(child.tag, []).append(text)
    if not fields:
        raise RecordError("record", "no Dublin Core elements in this record; is the file oai_dc?")
    return fields


def _year(fields: Fields) -> int | None:
    """The earliest year; time stamps are the repository's own and serve only where nothing else does."""
    dates = fields.get("date", []) + fields.get("issued", [])
    stated = [date for date in dates if not _TIMESTAMP.match(date)] or dates
    years = [year for date in stated if (year := year_of(date)) is not None]
    if len(dates) == 1 and dates == [str(year) for year in years]:
        fields.pop("date", None)
    return min(years, default=None)


def _identifiers(fields: Fields, header: str) -> Iterator[tuple[str, str]]:
    """What identifies the work, by scheme; what is of no known scheme stays."""
    unknown = []
    for value in take_all(fields, "identifier"):
        if found := _scheme(value):
            yield found
        else:
            unknown.append(value)
    if unknown:
        fields["identifier"] = unknown
    others = (value for value in fields.get("relation", ()) if value.startswith(_OTHER_IDENTIFIER))
    yield from (found for value in (header, *others) if (found := _scheme(value)) and found[0] != "url")
    for source in fields.get("source", ()):
        if issn := _ISSN.fullmatch(source):
            yield "issn", issn[1]


def _scheme(value: str) -> tuple[str, str] | None:
    if found := linked(value):
        return found
    for kind, pattern in _SCHEMES:
        if match := pattern.fullmatch(value):
            return kind, next(group for group in match.groups() if group).strip()
    return None


def _publication(fields: Fields) -> tuple[str, str, str, str]:
    """Publication, volume, issue and pages of a source such as "Journal; Vol. 3, No. 2 (2010); 123-145"."""
    for source in fields.get("source", ()):
        name, _, rest = source.partition(";")
        if not _ISSN.fullmatch(source) and not linked(source):
            return name.strip(), *_place(rest)
    return "", "", "", ""


def _place(text: str) -> tuple[str, str, str]:
    volume, issue, pages = place(text)
    last = text.rpartition(";")[2].strip()
    return volume, issue, pages or (last if _PAGES.fullmatch(last) else "")


def _type(fields: Fields) -> str:
    """The first type that says what the work is, not which version of it."""
    kinds = fields.get("type", [])
    telling = [kind for kind in kinds if _SEMANTICS.match(kind)] or kinds[:1]
    if not telling:
        return ""
    kinds.remove(telling[0])
    return _SEMANTICS.sub("", telling[0])


def _extra(fields: Fields, titles: tuple[str, ...], year: int | None) -> dict[str, Any]:
    others = {"alternative_titles": list(titles)} if titles else {}
    return {**others, **left(fields, "oai_dc", year)}
