"""Works in JSON as Crossref gives them, in its API and its data files, and as CSL-JSON has them."""

import re
from collections.abc import Iterator, Mapping
from typing import IO, Any

import msgspec

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.charset import check, excerpt
from bibfold.records.formats.json_stream import Item, items
from bibfold.records.formats.remainder import restored
from bibfold.records.formats.values import gather, squeeze, year_of
from bibfold.records.model import FIELD_NAMES, DeadLetter, Record

_TEXTS = {
    "title": "title",
    "subtitle": "subtitle",
    "publication": "container-title",
    "volume": "volume",
    "issue": "issue",
    "pages": "page",
    "edition": "edition-number",
    "publisher": "publisher",
    "type": "type",
    "language": "language",
}
_IDENTIFIERS = {"doi": "DOI", "isbn": "ISBN", "issn": "ISSN", "pmid": "PMID", "pmcid": "PMCID"}
_DATES = ("issued", "published", "published-print", "published-online", "posted", "created")
_NAMED = frozenset({"given", "family", "name", "literal", "suffix", "non-dropping-particle", "sequence"})
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The works, from JSON Lines, an array, pages of the API, or one work alone."""
    for number, item in enumerate(items(stream), 1):
        try:
            yield _work(item, origin)
        except RecordError as error:
            yield DeadLetter(file=origin.file, position=f"work {number}", reason=error.reason, raw=excerpt(item.text))


def _work(item: Item, origin: Origin) -> Record:
    check(item.text)
    if item.reason:
        raise RecordError("work", item.reason)
    if not isinstance(item.value, dict) or not item.value.keys() & {"DOI", "title", "custom"}:
        raise RecordError("work", "neither DOI nor title: not a work of Crossref")
    if _SURROGATE.search(item.text):
        _check_surrogates(item.value)
    return _record(dict(item.value), origin)


def _check_surrogates(value: Any) -> None:
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        raise RecordError("work", "an escape `\\ud800` to `\\udfff` stands alone: it is no character") from None


def _record(work: dict[str, Any], origin: Origin) -> Record:
    note = _take_note(work)
    texts = {field: _take_first(work, name) for field, name in _TEXTS.items()}
    identifiers = gather((kind, value) for kind, name in _IDENTIFIERS.items() for value in _take_texts(work, name))
    record = Record(
        source=origin.source,
        id=identifiers.get("doi", ("",))[0] or _text(work.get("id")),
        authors=_authors(work),
        year=_year(work),
        identifiers=identifiers,
        abstract=_text(work.pop("abstract", "")),
        extra={f"crossref:{name}" if name in FIELD_NAMES else name: value for name, value in work.items()},
        **texts,
    )
    return restored(record, note)


def _take_note(work: dict[str, Any]) -> str:
    """Remove and return our own note, which stands in `custom.bibfold`."""
    custom = work.get("custom")
    if not isinstance(custom, dict) or not isinstance(custom.get("bibfold"), str):
        return ""
    work["custom"] = {name: value for name, value in custom.items() if name != "bibfold"}
    if not work["custom"]:
        del work["custom"]
    return str(custom["bibfold"])


def _text(value: Any) -> str:
    """A text or number as a text; anything else as none."""
    if isinstance(value, str):
        return squeeze(value)
    return str(value) if isinstance(value, (int, float)) else ""


def _take_first(work: dict[str, Any], name: str) -> str:
    """The first text of a field, which is a text or a list; what more it holds stays."""
    value = work.get(name)
    values = value if isinstance(value, list) else [value]
    first = _text(values[0]) if values else ""
    if (first and len(values) == 1) or value in ([], None, ""):
        work.pop(name, None)
    return first


def _take_texts(work: dict[str, Any], name: str) -> list[str]:
    value = work.get(name)
    values = value if isinstance(value, list) else [value]
    texts = [_text(item) for item in values]
    if all(texts):
        work.pop(name, None)
    return texts


def _authors(work: dict[str, Any]) -> tuple[str, ...]:
    """The names of the authors; the field stays where it says more of them, as their affiliations."""
    people = work.get("author")
    if not isinstance(people, list) or not all(isinstance(person, dict) for person in people):
        return ()
    if not any(value for person in people for name, value in person.items() if name not in _NAMED):
        del work["author"]
    return tuple(name for person in people if (name := _name(person)))


def _name(person: Mapping[str, Any]) -> str:
    family = f"{_text(person.get('non-dropping-particle'))} {_text(person.get('family'))}".strip()
    parts = (family, _text(person.get("given")), _text(person.get("suffix")))
    return ", ".join(part for part in parts if part) or _text(person.get("name") or person.get("literal"))


def _year(work: Mapping[str, Any]) -> int | None:
    """The year of the first date there is; dates stay, as they say more."""
    for name in _DATES:
        date = work.get(name)
        parts = date.get("date-parts") if isinstance(date, dict) else None
        if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
            year = year_of(_text(parts[0][0]))
            if year is not None:
                return year
    return None
