"""CSL-JSON, as reference managers export it, and the fields that Crossref's works share with it."""

from collections.abc import Iterator, Mapping
from typing import IO, Any

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.json_shapes import looks_like
from bibfold.records.formats.json_works import Work, objects, rest, take_first, take_texts, text_of, works
from bibfold.records.formats.remainder import restored
from bibfold.records.formats.values import gather, linked, noted, serials, year_of
from bibfold.records.model import DeadLetter, Record

_TEXTS = {
    "title": ("title", "title-short"),
    "subtitle": ("subtitle",),
    "publication": ("container-title", "event-title"),
    "volume": ("volume",),
    "issue": ("issue",),
    "pages": ("page",),
    "edition": ("edition-number", "edition"),
    "publisher": ("publisher",),
    "type": ("type",),
    "language": ("language",),
}
_IDENTIFIERS = {"doi": "DOI", "isbn": "ISBN", "issn": "ISSN", "pmid": "PMID", "pmcid": "PMCID"}
_DATES = ("issued", "published", "published-print", "published-online", "posted", "created", "original-date")
_NAMED = frozenset({"given", "family", "name", "literal", "suffix", "non-dropping-particle", "sequence"})


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The items, from an array, lines, or one item alone; the id is that of the library they come from."""
    return works(stream, origin, _item)


def _item(item: Work, origin: Origin) -> Record:
    if not item.keys() & {"title", "title-short", "container-title", "DOI", "author", "editor", "custom"}:
        raise RecordError("item", f"neither title nor DOI nor names: not an item of CSL-JSON; {looks_like(item)}")
    id = text_of(item.pop("id", ""))
    note = _take_note(item)
    return restored(to_record(item, origin.source, id, "csl"), note)


def _take_note(item: Work) -> str:
    """Remove and return our own note, which stands in `custom.bibfold`."""
    custom = item.pop("custom", None)
    if not isinstance(custom, dict) or not isinstance(custom.get("bibfold"), str):
        item["custom"] = custom
        return ""
    item["custom"] = {name: value for name, value in custom.items() if name != "bibfold"}
    return str(custom["bibfold"])


def to_record(work: Work, source: str, id: str, format: str) -> Record:
    """The record of a work; the id is its DOI where none is given."""
    texts = {field: take_first(work, *names) for field, names in _TEXTS.items()}
    identifiers = _identifiers(work)
    return Record(
        source=source,
        id=id or identifiers.get("doi", ("",))[0],
        authors=_authors(work),
        year=_year(work),
        identifiers=identifiers,
        abstract=text_of(work.pop("abstract", "")),
        extra=rest(work, format),
        **texts,
    )


def _identifiers(work: Work) -> Mapping[str, tuple[str, ...]]:
    """Identifiers from their own fields, and from the link and the note where those are missing."""
    pairs: list[tuple[str, str]] = []
    for kind, name in _IDENTIFIERS.items():
        for value in take_texts(work, name):
            pairs.extend(serials(value, kind) if kind in ("isbn", "issn") else [(kind, value)])
    own = {kind for kind, _ in pairs}
    hints = [pair for name in ("URL", "DOI") if (pair := linked(text_of(work.get(name))))]
    hints += noted(text_of(work.get("note")))
    return gather([*pairs, *(pair for pair in hints if pair[0] not in own)])


def _authors(work: Work) -> tuple[str, ...]:
    """The names of the authors, or else of the editors; the field stays where it says more, as their affiliations."""
    role = next((role for role in ("author", "editor") if any(map(_name, objects(work.get(role))))), "")
    people = objects(work.get(role))
    if role and len(people) == len(work[role]) and not any(_says_more(person) for person in people):
        del work[role]
    return tuple(name for person in people if (name := _name(person)))


def _says_more(person: Mapping[str, Any]) -> bool:
    return any(value for name, value in person.items() if name not in _NAMED)


def _name(person: Mapping[str, Any]) -> str:
    particles = (text_of(person.get(name)) for name in ("dropping-particle", "non-dropping-particle"))
    family = " ".join(part for part in (*particles, text_of(person.get("family"))) if part)
    parts = (family, text_of(person.get("given")), text_of(person.get("suffix")))
    return ", ".join(part for part in parts if part) or text_of(person.get("name") or person.get("literal"))


def _year(work: Mapping[str, Any]) -> int | None:
    """The year of the first date there is; dates stay, as they say more."""
    years = (year for name in _DATES for text in _dates(work.get(name)) if (year := year_of(text)) is not None)
    return next(years, None)


def _dates(date: Any) -> Iterator[str]:
    """What a date says: its parts, or the text that stands for them."""
    if not isinstance(date, dict):
        yield text_of(date)
        return
    parts = date.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else parts
    yield text_of(first[0] if isinstance(first, list) and first else first)
    yield from (text_of(date.get(name)) for name in ("raw", "literal", "date-time"))
