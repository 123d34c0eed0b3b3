"""Records as EndNote XML, which EndNote, Covidence, SyRF and others import."""

import io
from collections.abc import Iterable, Iterator
from typing import IO
from xml.etree.ElementTree import Element, SubElement, tostring

from bibfold.records.formats import DEFAULTS, Options, Origin
from bibfold.records.formats.endnote import NOTE, NOTE_FIELD, WHOLE_WORKS, read
from bibfold.records.formats.names import name_of
from bibfold.records.formats.parts import Parts, parts
from bibfold.records.formats.remainder import remainder
from bibfold.records.formats.values import linked
from bibfold.records.formats.work_types import work_type
from bibfold.records.formats.xml_text import escaped_json, legal
from bibfold.records.model import Record

_HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<xml><records>\n'
_FOOT = b"</records></xml>\n"
_TEXTS = (
    ("pages", "pages"),
    ("volume", "volume"),
    ("issue", "number"),
    ("edition", "edition"),
    ("publisher", "publisher"),
    ("abstract", "abstract"),
    ("language", "language"),
)
_PASSED = frozenset(
    "label caption call-num section reprint-edition reprint-status work-type orig-pub num-vols reviewed-item"
    " access-date custom1 custom2 custom3 custom4 custom5 custom6 custom7 misc1 misc2 misc3 accession-num"
    " remote-database-name remote-database-provider electronic-resource-num titles/alt-title titles/short-title"
    " titles/translated-title dates/pub-dates/date contributors/tertiary-authors/author"
    " contributors/subsidiary-authors/author contributors/translated-authors/author"
    " alt-periodical/full-title alt-periodical/abbr-1 urls/pdf-urls/url".split()
)
"""Places of EndNote's own that the model has no field for, passed on as they were received."""

Place = tuple[str, str]


def write(records: Iterable[Record], stream: IO[bytes], options: Options = DEFAULTS) -> None:
    """The records; a research note `bibfold: {...}` holds what the fields cannot, unless they are to be plain."""
    stream.write(_HEAD)
    for record in records:
        held = parts(record)
        made = list(_places(_values(record, held)))
        passed = _places(_passed(held))
        places = [*made, *(place for place in passed if place not in made)]
        if not options.plain and (rest := remainder(record, _again(record, places), options)):
            places.append((NOTE_FIELD, NOTE + escaped_json(rest)))
        stream.write(_element(record, places))
    stream.write(_FOOT)


def _again(record: Record, places: Iterable[Place]) -> Record:
    """What our reader makes of a record's element."""
    items = read(io.BytesIO(_HEAD + _element(record, places) + _FOOT), Origin("", ""))
    return next((item for item in items if isinstance(item, Record)), Record(source="", id=""))


def _element(record: Record, places: Iterable[Place]) -> bytes:
    type = work_type(record)
    root = Element("record")
    SubElement(root, "source-app", name="bibfold").text = "bibfold"
    SubElement(root, "ref-type", name=type.endnote).text = str(type.number)
    for path, text in places:
        *folders, name = path.split("/")
        parent = root
        for folder in folders:
            found = parent.find(folder)
            parent = SubElement(parent, folder) if found is None else found
        SubElement(parent, name).text = text
    return tostring(root, encoding="unicode").encode() + b"\n"


def _places(values: Iterable[Place]) -> Iterator[Place]:
    """The places that have a text, as XML can hold it."""
    return ((path, text) for path, value in values if (text := legal(value).strip()))


def _values(record: Record, held: Parts) -> Iterator[Place]:
    """Where in a record's element each of its texts stands."""
    whole = work_type(record).endnote in WHOLE_WORKS
    yield "rec-number", record.id
    yield from (("contributors/authors/author", _name(author)) for author in record.authors)
    yield from (("contributors/secondary-authors/author", _name(editor)) for editor in held.editors)
    yield "auth-address", "\n".join(held.affiliations)
    yield "titles/title", f"{record.title}: {record.subtitle}" if record.subtitle else record.title
    if not whole:
        yield from (("titles/secondary-title", record.publication), ("periodical/full-title", record.publication))
    yield from (("titles/secondary-title" if whole else "titles/tertiary-title", title) for title in held.series)
    yield from (("periodical/abbr-1", name) for name in held.abbreviation)
    yield from ((place, getattr(record, field)) for field, place in _TEXTS)
    yield from (("keywords/keyword", keyword) for keyword in held.keywords)
    yield "dates/year", "" if record.year is None else str(record.year)
    yield from (("dates/pub-dates/date", date) for date in held.dates)
    yield "pub-location", "; ".join(held.place)
    yield "notes", "\n".join(held.notes)
    yield from _identifiers(record, held)


def _identifiers(record: Record, held: Parts) -> Iterator[Place]:
    given = record.identifiers
    yield "isbn", "; ".join([*given.get("isbn", ()), *given.get("issn", ())])
    yield "electronic-resource-num", "".join(given.get("doi", ())[:1])
    yield "custom2", "".join(given.get("pmcid", ())[:1])
    urls = [*held.urls, *given.get("url", ())]
    said = {found for url in urls if (found := linked(url))}
    pmids = given.get("pmid", ())
    if pmids and not held.rest.keys() & {"accession-num", "remote-database-name", "remote-database-provider"}:
        yield from (("accession-num", pmids[0]), ("remote-database-name", "PubMed"))
    else:
        urls += [f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" for pmid in pmids if ("pmid", pmid) not in said]
    urls += [f"https://arxiv.org/abs/{value}" for value in given.get("arxiv", ()) if ("arxiv", value) not in said]
    yield from (("urls/related-urls/url", url) for url in urls)


def _passed(held: Parts) -> Iterator[Place]:
    for name, value in held.rest.items():
        path = name.removeprefix("endnote:")
        values = value if isinstance(value, list) else [value]
        if path in _PASSED and all(isinstance(item, str) for item in values):
            yield from ((path, item) for item in values)


def _name(text: str) -> str:
    """A name; EndNote takes one with a comma at its end for an organisation's, and does not turn it round."""
    name = name_of(text)
    return f"{name.organisation}," if name.organisation else name.inverted
