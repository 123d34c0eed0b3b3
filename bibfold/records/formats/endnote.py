"""Reads EndNote XML, as EndNote and others export it.

What no field of the model takes is kept in `extra` by its path in the record, as `keywords/keyword`.
"""

import re
from collections.abc import Iterator
from typing import IO
from xml.etree.ElementTree import Element

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.remainder import restored
from bibfold.records.formats.values import (
    Fields,
    gather,
    left,
    linked,
    serials,
    take,
    take_all,
    take_year,
)
from bibfold.records.formats.xml import records
from bibfold.records.model import DeadLetter, Record

WHOLE_WORKS = frozenset({"Book", "Edited Book", "Thesis", "Report", "Electronic Book"})
"""Types whose secondary title is a series, not a publication that holds the work."""

NOTE_FIELD = "research-notes"
NOTE = "bibfold: "
"""How our own note begins, and where it stands."""

_OF_THE_PROGRAM = frozenset({"database", "source-app", "ref-type", "foreign-keys/key"})
"""What a record says of the library that it was exported from, and not of the work."""

_DATE = re.compile(r"\d{4}/\d\d?/\d\d?")
_MEDLINE = re.compile(r"medline|pubmed|\bnlm\b", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/")
_PMCID = re.compile(r"PMC\d+")
_PUBMED_NUMBER = re.compile(r"PUBMED (\d+)")


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The records; the id is EndNote's record number."""
    return records(stream, origin, ("record",), _record)


def _record(element: Element, origin: Origin) -> Record:
    fields = {name: values for name, values in _fields(element).items() if name not in _OF_THE_PROGRAM}
    if not fields or not {"titles", "ref-type"} & {child.tag for child in element}:
        raise RecordError("record", "no title and no reference type; is the file EndNote XML?")
    kind = next((each.get("name", "") for each in element.iter("ref-type")), "")
    note = fields.pop(NOTE_FIELD)[0] if fields.get(NOTE_FIELD, [""])[0].startswith(NOTE) else ""
    identifiers = gather(_identifiers(fields))
    year = take_year(fields, "dates/year")
    record = Record(
        source=origin.source,
        id=take(fields, "rec-number"),
        title=take(fields, "titles/title"),
        authors=_names(fields, "contributors/authors/author")
        or _names(fields, "contributors/secondary-authors/author"),
        publication="" if kind in WHOLE_WORKS else _publication(fields),
        year=year,
        identifiers=identifiers,
        volume=take(fields, "volume"),
        issue=take(fields, "number"),
        pages=take(fields, "pages"),
        edition="" if _DATE.match(fields.get("edition", [""])[0]) else take(fields, "edition"),
        publisher=take(fields, "publisher"),
        type=kind,
        language=take(fields, "language"),
        abstract=take(fields, "abstract"),
        extra=left(fields, "endnote", year),
    )
    return restored(record, note.removeprefix(NOTE))


def _names(fields: Fields, path: str) -> tuple[str, ...]:
    """The names; a comma at the end marks an organisation."""
    return tuple(name.removesuffix(",") for name in take_all(fields, path))


def _fields(element: Element, path: str = "") -> Fields:
    """The texts of a record by their path; styles are no part of it."""
    fields: Fields = {}
    for child in element:
        name = f"{path}{child.tag}"
        if any(each.tag != "style" for each in child):
            for inner, values in _fields(child, f"{name}/").items():
                fields.setdefault(inner, []).extend(values)
        elif text := "".join(child.itertext()).strip():
            fields.setdefault(name, []).append(text)
    return fields


def _publication(fields: Fields) -> str:
    """The journal or book that holds the work; the other name it has stays, unless it is the same."""
    name = take(fields, "titles/secondary-title", "periodical/full-title")
    if fields.get("periodical/full-title") == [name]:
        del fields["periodical/full-title"]
    return name


def _identifiers(fields: Fields) -> Iterator[tuple[str, str]]:
    for text in take_all(fields, "isbn"):
        yield from serials(text, "isbn")
    if _DOI.search("".join(fields.get("electronic-resource-num", ()))):
        yield "doi", take(fields, "electronic-resource-num")
    if _PMCID.fullmatch("".join(fields.get("custom2", ()))):
        yield "pmcid", take(fields, "custom2")
    yield from _pmids(fields)
    for url in fields.get("urls/related-urls/url", ()):
        if found := linked(url):
            yield found


def _pmids(fields: Fields) -> Iterator[tuple[str, str]]:
    """An accession number of PubMed or MEDLINE, which Embase has in custom 5 and Cochrane in custom 3."""
    database = " ".join(fields.get("remote-database-name", []) + fields.get("remote-database-provider", []))
    for name in ("accession-num", "custom5"):
        if _MEDLINE.search(database) and "".join(fields.get(name, ())).isdecimal():
            yield "pmid", take(fields, name)
    for text in fields.get("custom3", ()):
        yield from (("pmid", number) for number in _PUBMED_NUMBER.findall(text))
