"""Records as CSL-JSON, which Zotero, pandoc and citation processors read."""

import io
from collections.abc import Iterable, Iterator
from typing import IO, Any

import msgspec

from bibfold.records.formats import DEFAULTS, Options, Origin
from bibfold.records.formats.csl import read
from bibfold.records.formats.names import name_of
from bibfold.records.formats.parts import Parts, parts
from bibfold.records.formats.remainder import remainder
from bibfold.records.formats.work_types import work_type
from bibfold.records.model import Record

_encode = msgspec.json.Encoder().encode

_TEXTS = (
    ("publication", "container-title"),
    ("volume", "volume"),
    ("issue", "issue"),
    ("pages", "page"),
    ("edition", "edition"),
    ("publisher", "publisher"),
    ("language", "language"),
    ("abstract", "abstract"),
)
_PASSED = frozenset(
    "accessed annote archive archive_collection archive_location archive-place authority available-date call-number"
    " chapter-number citation-key citation-label collection-editor collection-number composer container-author curator"
    " dimensions director division event event-date event-place event-title genre illustrator interviewer issued"
    " jurisdiction keyword locator medium number number-of-pages number-of-volumes original-author original-date"
    " original-publisher original-title part-number part-title recipient references reviewed-author reviewed-title"
    " scale section source status submitted title-short translator version volume-title".split()
)
"""Variables of CSL that the model has no field for, passed on as they were received."""


def write(records: Iterable[Record], stream: IO[bytes], options: Options = DEFAULTS) -> None:
    """An array of items; `custom.bibfold` holds what the others cannot, unless they are to be plain."""
    before = b"[\n"
    for record in records:
        item = dict(_item(record, parts(record)))
        if not options.plain and (rest := remainder(record, _again(item), options)):
            item["custom"] = {"bibfold": rest}
        stream.write(before + _encode(item))
        before = b",\n"
    stream.write(b"\n]\n" if before == b",\n" else b"[]\n")


def _again(item: dict[str, Any]) -> Record:
    """What our reader makes of an item."""
    items = read(io.BytesIO(_encode([item])), Origin("", ""))
    return next((found for found in items if isinstance(found, Record)), Record(source="", id=""))


def _item(record: Record, held: Parts) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in _variables(record, held) if value)


def _variables(record: Record, held: Parts) -> Iterator[tuple[str, Any]]:
    for name, value in held.rest.items():
        if (variable := name.removeprefix("csl:").removeprefix("crossref:")) in _PASSED:
            yield variable, value
    yield "id", record.id
    yield "type", work_type(record).csl
    yield "title", f"{record.title}: {record.subtitle}" if record.subtitle else record.title
    yield "author", list(map(_name, record.authors))
    yield "editor", list(map(_name, held.editors))
    yield from ((variable, getattr(record, field)) for field, variable in _TEXTS)
    if held.dates or (record.year is not None and "issued" not in held.rest):
        date = "".join(held.dates[:1])
        yield "issued", {"date-parts": [list(map(int, date.split("-"))) if date else [record.year]]}
    for kind in ("doi", "pmid", "pmcid"):
        yield kind.upper(), "".join(record.identifiers.get(kind, ())[:1])
    for kind in ("isbn", "issn"):
        yield kind.upper(), ", ".join(record.identifiers.get(kind, ()))
    arxiv = [f"https://arxiv.org/abs/{value}" for value in record.identifiers.get("arxiv", ())]
    yield "URL", "".join([*held.urls, *record.identifiers.get("url", ()), *arxiv][:1])
    yield "keyword", ", ".join(held.keywords)
    yield "publisher-place", "; ".join(held.place)
    yield "container-title-short", "; ".join(held.abbreviation)
    yield "collection-title", "; ".join(held.series)
    yield "note", "\n".join(held.notes)


def _name(text: str) -> dict[str, str]:
    name = name_of(text)
    if name.organisation:
        return {"literal": name.organisation}
    named = {"family": name.family, "given": name.given, "suffix": name.suffix}
    return {part: value for part, value in named.items() if value}
