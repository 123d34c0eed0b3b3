"""Ovid's export in tags or labels: records numbered `<1. >`, with a citation as their source."""

import re
from collections.abc import Iterator, Mapping
from typing import IO

from bibfold.errors import RecordError
from bibfold.records.formats import Origin, tagged
from bibfold.records.formats.author_lists import split_authors
from bibfold.records.formats.charset import lines
from bibfold.records.formats.citation import place
from bibfold.records.formats.tagged import blocks, records
from bibfold.records.formats.values import Fields, gather, left, linked, serials, take, take_all, take_year, year_of
from bibfold.records.model import DeadLetter, Record

_MARKS = re.compile(r"\ufeff?\s?(?:(?P<begin><\d+\.?\s*>\s*$)|(?P<loose>VN {1,2}- ))")
_TAG = re.compile(r"\s?([A-Z][A-Z0-9]) {1,2}- ?(.*)")
_LABEL = re.compile(r"([A-Z][A-Za-z/ ]{2,40})\s*$")
_LABELS = {
    "Accession Number": "AN", "Unique Identifier": "UI", "Title": "TI", "Author": "AU", "Authors": "AU", "Source": "SO",
    "Abstract": "AB", "Year of Publication": "YR", "Publication Type": "PT", "Language": "LG", "ISSN": "IS",
    "Digital Object Identifier": "DO", "DOI": "DO", "Journal Name": "JN", "Publisher": "PB", "PMID": "PM",
    "Journal Title": "JN", "Date of Publication": "DP", "Document Type": "DT", "Database": "DB", "ISSN Print": "IS",
    "ISSN Electronic": "IS", "ISBN": "IB",
}  # fmt: skip
_INITIAL = re.compile(r"\b[A-Z]\.$")
_ROLE = re.compile(r"\s*\[[^\]]*\]|\s*\(\d+\)$")
_NOTE = re.compile(r"\s*\[(?:References|Erratum|Review|Journal|Article|Book|Letter|Editorial)[^\]]*\]\.?$")
_CITATION = re.compile(
    r"(?P<name>.+?)[.,]?\s+(?:Vol\.\s?)?(?P<volume>\d+[A-Z]?)\s?(?:\((?P<issue>[^)]+)\))?"
    r"(?:\s?\(pp\.?\s?|[:,]\s?)(?P<rest>.*)$"
)
_DATE = re.compile(r"\b(?:\w+\.? )?(?:\d{1,2},? )?(?:1[5-9]|20)\d\d\b")
_PAGES = re.compile(r"(?:pp?\.\s?)?([A-Za-z]?\d+(?:-[A-Za-z]?\d+)?)\b")


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The records, which begin with their number; the id is the accession number."""
    found = blocks(lines(stream, origin.largest), _MARKS, origin.largest)
    yield from records(found, _record, origin, "not an export of Ovid: no line is a number such as `<1. >`")


def _record(block: list[str], origin: Origin) -> Record:
    fields = _fields(block)
    if not fields.keys() & {"TI", "SO", "AN", "UI"}:
        raise RecordError("record", "neither title nor source nor accession number: not a record of Ovid")
    name, volume, issue, pages = _cited("".join(fields.get("SO", ())[:1]))
    year = take_year(fields, "YR", "DP", "DG", "EP")
    identifiers = _identifiers(fields)
    return Record(
        source=origin.source,
        id=take(fields, "UI", "AN"),
        title=_NOTE.sub("", take(fields, "TI", "BT")),
        authors=_authors(fields),
        publication=take(fields, "JN", "JT", "TA", "BT") or name,
        year=year if year is not None else year_of("".join(fields.get("SO", ())[:1])),
        identifiers=identifiers,
        volume=take(fields, "VO", "VI", "VL") or volume,
        issue=take(fields, "IP") or issue,
        pages=take(fields, "PG") or pages,
        edition=take(fields, "EN"),
        publisher=take(fields, "PB", "PU", "PI"),
        type=take(fields, "DT", "PT"),
        language=take(fields, "LG", "LA"),
        abstract=take(fields, "AB"),
        extra=left(fields, "ovid", year),
    )


def _fields(block: list[str]) -> Fields:
    """The values of each tag, or, where there are none, of each label that stands on a line of its own."""
    body = block[1:] if block[0].lstrip("\ufeff ").startswith("<") else block
    if any(_TAG.match(line) for line in body):
        return tagged.fields(body, _TAG, "\n")
    fields: Fields = {}
    values: list[str] = []
    for line in body:
        label = _LABEL.fullmatch(line.rstrip())
        if label and not line.startswith(" "):
            name = label[1].strip()
            values = fields.setdefault(_LABELS.get(name, name), [])
        elif line.strip():
            values.append(line.strip())
    if "AU" in fields:
        fields["AU"] = [name for text in fields["AU"] for name in re.split(r"(?<=\.)\s+(?=\S+,)|;\s*", text)]
    return {name: ["\n".join(kept)] if name != "AU" else kept for name, kept in fields.items() if kept}


def _authors(fields: Fields) -> tuple[str, ...]:
    names = take_all(fields, "AU") or take_all(fields, "FA", "ED")
    if len(names) == 1:
        names = split_authors(names[0])
    bare = (_ROLE.sub("", name) for name in names)
    return tuple(
        name.rstrip(". ") if name.endswith((".", " ")) and not _INITIAL.search(name) else name for name in bare
    )


def _cited(source: str) -> tuple[str, str, str, str]:
    """Publication, volume, issue and pages of a citation such as "Shelf Studies. 12(3):45-50, 2004 Mar."."""
    text = " ".join(source.split())
    found = _CITATION.match(text)
    if not found:
        return text.partition(". ")[0].strip(" ."), *place(text)
    rest = found["rest"]
    pages = _PAGES.search(_DATE.sub("", rest) if "pp." in rest else rest)
    return found["name"].strip(" .,"), found["volume"], found["issue"] or "", pages[1] if pages else ""


def _identifiers(fields: Fields) -> Mapping[str, tuple[str, ...]]:
    pairs = [linked(value) or ("doi", value) for value in take_all(fields, "DO")]
    pairs += [("pmid", value) for value in take_all(fields, "PM") if value.isdecimal()]
    for tag, kind in (("IS", "issn"), ("IT", "issn"), ("ES", "issn"), ("IB", "isbn")):
        for value in take_all(fields, tag):
            pairs.extend(serials(value, kind))
    if "medline" in " ".join(fields.get("DB", ())).lower():
        pairs += [("pmid", value) for value in fields.get("UI", []) + fields.get("AN", []) if value.isdecimal()]
    return gather(pairs)
