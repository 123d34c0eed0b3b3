"""Records as RIS: each from TY to ER, in the tags that reference managers and review tools know."""

import io
import re
from collections.abc import Iterable, Iterator
from typing import IO, Any

from bibfold.records.formats import DEFAULTS, Options, Origin
from bibfold.records.formats.names import inverted
from bibfold.records.formats.parts import Parts, parts
from bibfold.records.formats.remainder import remainder
from bibfold.records.formats.ris import BOOKS, NOTE, read
from bibfold.records.formats.values import linked
from bibfold.records.formats.work_types import ris_type
from bibfold.records.model import Record

_LINE_END = re.compile(r"\r\n?|\n")
_TAG = re.compile(r"[A-Z][A-Z0-9]")
_MADE = frozenset("TY ER ID TI T1 AU A1 T2 JF VL IS SP EP ET PB PU LA SN EI BN DO AB N2 N1".split())
"""Tags that are made of the model's fields: under these names nothing of `extra` is written."""

_TEXTS = (
    ("volume", "VL"),
    ("issue", "IS"),
    ("edition", "ET"),
    ("publisher", "PB"),
    ("language", "LA"),
    ("abstract", "AB"),
)
_PARTS = (
    ("abbreviation", "J2"),
    ("place", "CY"),
    ("keywords", "KW"),
    ("affiliations", "AD"),
    ("notes", "N1"),
)


def write(records: Iterable[Record], stream: IO[bytes], options: Options = DEFAULTS) -> None:
    """The records; a note `bibfold: {...}` holds what the tags cannot, unless they are to be plain."""
    for record in records:
        held = parts(record)
        made = list(_tags(record, held))
        passed = (tag for name, value in held.rest.items() for tag in _passed(name, value))
        tags = [*made, *(tag for tag in passed if tag not in made)]
        if not options.plain and (rest := remainder(record, _again(tags), options)):
            tags.append(("N1", NOTE + rest))
        stream.write(_text(tags).encode())


def _again(tags: Iterable[tuple[str, str]]) -> Record:
    """What our reader makes of these tags."""
    items = read(io.BytesIO(_text(tags).encode()), Origin("", ""))
    return next((item for item in items if isinstance(item, Record)), Record(source="", id=""))


def _text(tags: Iterable[tuple[str, str]]) -> str:
    return "".join(map(_line, [*tags, ("ER", "")])) + "\n"


def _tags(record: Record, held: Parts) -> Iterator[tuple[str, str]]:
    """The tags of a record that are made: of the model's fields, and of parts that RIS has a tag for."""
    type = ris_type(record)
    yield "TY", type
    yield "ID", record.id
    yield "TI", f"{record.title}: {record.subtitle}" if record.subtitle else record.title
    yield from (("AU", inverted(author)) for author in record.authors)
    yield from (("A2", editor) for editor in held.editors)
    yield "JF" if type in BOOKS else "T2", record.publication
    if record.year is not None and "PY" not in held.rest:
        yield "PY", str(record.year)
    yield from (("DA", _date(date)) for date in held.dates)
    yield from ((tag, getattr(record, field)) for field, tag in _TEXTS)
    yield from _pages(record.pages)
    yield from _identifiers(record, held)
    yield from (("T2" if type in BOOKS else "T3", title) for title in held.series)
    for part, tag in _PARTS:
        yield from ((tag, value) for value in getattr(held, part))


def _date(iso: str) -> str:
    """A date as RIS has it: year, month, day and nothing else, each followed by a slash."""
    year, month, day = (*iso.split("-"), "", "")[:3]
    return f"{year}/{month}/{day}/"


def _pages(pages: str) -> Iterator[tuple[str, str]]:
    first, dash, last = pages.partition("-")
    if dash and first and last and "-" not in last and last != first:
        yield from (("SP", first), ("EP", last))
    else:
        yield "SP", pages


def _identifiers(record: Record, held: Parts) -> Iterator[tuple[str, str]]:
    """Identifiers in their own tags, or as accession number with its database, or as the address that they make."""
    for kind, tag in (("doi", "DO"), ("isbn", "SN"), ("issn", "SN"), ("pmcid", "C2")):
        yield from ((tag, value) for value in record.identifiers.get(kind, ()))
    urls = [*held.urls, *record.identifiers.get("url", ())]
    said = {found for url in urls if (found := linked(url))}
    pmids = record.identifiers.get("pmid", ())
    if pmids and not held.rest.keys() & {"AN", "DB", "DP"}:
        yield from (("DB", "PubMed"), ("AN", pmids[0]))
    else:
        urls += [f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" for pmid in pmids if ("pmid", pmid) not in said]
    arxiv = (value for value in record.identifiers.get("arxiv", ()) if ("arxiv", value) not in said)
    urls += [f"https://arxiv.org/abs/{value}" for value in arxiv]
    yield from (("UR", url) for url in dict.fromkeys(urls))


def _passed(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """A tag of RIS that the model has no field for, as it was received."""
    values = value if isinstance(value, list) else [value]
    if _TAG.fullmatch(name) and name not in _MADE and all(isinstance(item, str) for item in values):
        yield from ((name, item) for item in values)


def _line(tag: tuple[str, str]) -> str:
    """One tag as text: further lines of its value are indented, so none can pass for a tag."""
    name, value = tag
    text = _LINE_END.sub("\n   ", value).strip()
    return f"{name}  - {text}\n" if text or name in ("TY", "ER") else ""
