"""DOIs of DataCite in JSON: pages of the API, lines of its data files, or one DOI alone."""

from collections.abc import Iterator, Mapping
from typing import IO, Any

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.json_shapes import looks_like
from bibfold.records.formats.json_works import Work, objects, part, rest, take_first, text_of, works
from bibfold.records.formats.values import gather, page_range, year_of
from bibfold.records.model import DeadLetter, Record

_KINDS = {"doi": "doi", "arxiv": "arxiv", "pmid": "pmid", "pmcid": "pmcid", "isbn": "isbn", "issn": "issn"}


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The works; the id is the DOI."""
    return works(stream, origin, _work)


def _work(given: Work, origin: Origin) -> Record:
    attributes = given.get("attributes")
    work = dict(attributes) if isinstance(attributes, dict) else given
    doi = text_of(work.pop("doi", "")) or text_of(given.get("id"))
    if not doi and not objects(work.get("titles")):
        raise RecordError("work", f"neither DOI nor titles: not a work of DataCite; {looks_like(given)}")
    title, subtitle, others = _titles(work)
    container = work.get("container")
    year = year_of(text_of(work.get("publicationYear"))) or _issued(work)
    return Record(
        source=origin.source,
        id=doi,
        title=title,
        subtitle=subtitle,
        authors=_names(work.get("creators")) or _names(work.get("contributors")),
        publication=text_of(part(container, "title")),
        year=year,
        identifiers=gather(_identifiers(work, doi)),
        volume=text_of(part(container, "volume")),
        issue=text_of(part(container, "issue")),
        pages=page_range(text_of(part(container, "firstPage")), text_of(part(container, "lastPage"))),
        edition=take_first(work, "version"),
        publisher=text_of(part(work, "publisher", "name")) or take_first(work, "publisher"),
        type=text_of(part(work, "types", "resourceTypeGeneral")) or text_of(part(work, "types", "resourceType")),
        language=take_first(work, "language"),
        abstract=_abstract(work),
        extra=({"alternative_titles": others} if others else {}) | rest(work, "datacite"),
    )


def _titles(work: Work) -> tuple[str, str, list[str]]:
    """Title, subtitle and other titles; a title without a type comes first."""
    given = [(text_of(item.get("titleType")), text_of(item.get("title"))) for item in objects(work.pop("titles", None))]
    subtitle = next((text for kind, text in given if kind == "Subtitle"), "")
    titles = [text for kind, text in given if text and not kind]
    titles += [text for kind, text in given if text and kind not in ("", "Subtitle")]
    return (titles[0] if titles else ""), subtitle, titles[1:]


def _names(people: Any) -> tuple[str, ...]:
    return tuple(name for person in objects(people) if (name := _name(person)))


def _name(person: Mapping[str, Any]) -> str:
    family, given = text_of(person.get("familyName")), text_of(person.get("givenName"))
    return text_of(person.get("name")) or ", ".join(part for part in (family, given) if part)


def _issued(work: Work) -> int | None:
    dates = [text_of(date.get("date")) for date in objects(work.get("dates")) if date.get("dateType") == "Issued"]
    return next((year for date in dates if (year := year_of(date)) is not None), None)


def _identifiers(work: Work, doi: str) -> Iterator[tuple[str, str]]:
    yield "doi", doi
    for name, key in (("identifiers", "identifier"), ("alternateIdentifiers", "alternateIdentifier")):
        for item in objects(work.get(name)):
            kind = _KINDS.get(text_of(item.get(f"{key}Type")).lower())
            if kind:
                yield kind, text_of(item.get(key))
    serial = part(work, "container", "identifier")
    kind = _KINDS.get(text_of(part(work, "container", "identifierType")).lower(), "")
    if kind in ("issn", "isbn"):
        yield kind, text_of(serial)


def _abstract(work: Work) -> str:
    texts = [text_of(item.get("description")) for item in objects(work.get("descriptions"))
             if item.get("descriptionType") == "Abstract"]  # fmt: skip
    return texts[0] if texts else ""
