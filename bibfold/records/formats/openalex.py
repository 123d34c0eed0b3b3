"""Works of OpenAlex in JSON: pages of the API, lines of the snapshot, lists, or one work alone."""

from collections.abc import Iterator, Mapping
from typing import IO, Any

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.json_shapes import looks_like
from bibfold.records.formats.json_works import Work, objects, part, rest, take_first, text_of, works
from bibfold.records.formats.values import gather, linked, page_range, year_of
from bibfold.records.model import DeadLetter, Record

_IDS = ("doi", "pmid", "pmcid")


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The works; the id is OpenAlex's, without its address (`W2741809807`)."""
    return works(stream, origin, _work)


def _work(work: Work, origin: Origin) -> Record:
    if not work.keys() & {"title", "display_name", "authorships", "doi"}:
        raise RecordError("work", f"neither title nor DOI: not a work of OpenAlex; {looks_like(work)}")
    place = _place(work)
    title = take_first(work, "title", "display_name")
    if text_of(work.get("display_name")) == title:
        work.pop("display_name", None)
    biblio = work.get("biblio")
    year = year_of(text_of(work.get("publication_year")) or text_of(work.get("publication_date")))
    if year is not None:
        work.pop("publication_year", None)
    identifiers = _identifiers(work, place)
    return Record(
        source=origin.source,
        id=text_of(work.pop("id", "")).rpartition("/")[2],
        title=title,
        authors=_authors(work.get("authorships")),
        publication=text_of(place.get("display_name")),
        year=year,
        identifiers=identifiers,
        volume=text_of(part(biblio, "volume")),
        issue=text_of(part(biblio, "issue")),
        pages=page_range(text_of(part(biblio, "first_page")), text_of(part(biblio, "last_page"))),
        publisher=text_of(place.get("host_organization_name") or place.get("publisher")),
        type=take_first(work, "type"),
        language=take_first(work, "language"),
        abstract=_abstract(work.pop("abstract_inverted_index", None)) or take_first(work, "abstract"),
        extra=rest(work, "openalex"),
    )


def _place(work: Work) -> Mapping[str, Any]:
    """The journal, repository or book where the work stands."""
    found = part(work, "primary_location", "source") or work.get("host_venue")
    return found if isinstance(found, dict) else {}


def _authors(authorships: Any) -> tuple[str, ...]:
    names = (
        text_of(authorship.get("raw_author_name")) or text_of(part(authorship, "author", "display_name"))
        for authorship in objects(authorships)
    )
    return tuple(name for name in names if name)


def _identifiers(work: Work, place: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    pairs: list[tuple[str, str]] = []
    for kind in _IDS:
        for value in (text_of(work.get(kind)), text_of(part(work, "ids", kind))):
            pairs.append(linked(value) or (kind, value))
    landing = linked(text_of(part(work, "primary_location", "landing_page_url")))
    if landing and landing[0] == "arxiv":
        pairs.append(landing)
    serials = place.get("issn")
    pairs += [("issn", text_of(value)) for value in (serials if isinstance(serials, list) else [])]
    pairs.append(("issn", text_of(place.get("issn_l"))))
    work.pop("doi", None)
    return gather(pairs)


def _abstract(index: Any) -> str:
    """The text of an abstract that is given as the places of each word."""
    if not isinstance(index, dict):
        return ""
    places = [
        (place, word)
        for word, found in index.items()
        for place in (found if isinstance(found, list) else [])
        if isinstance(place, int)
    ]
    return " ".join(word for _, word in sorted(places))
