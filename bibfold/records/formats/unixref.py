"""Crossref's XML (UNIXREF, UNIXSD): journal articles, papers, chapters, books, preprints, theses, reports, data."""

from collections.abc import Iterator
from typing import IO
from xml.etree.ElementTree import Element

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.values import gather, page_range, year_of
from bibfold.records.formats.xml import records
from bibfold.records.formats.xml_values import first, text, texts
from bibfold.records.model import DeadLetter, Record

_PARTS = ("journal_article", "conference_paper", "content_item", "dataset", "report-paper_item")
_WHOLES = (
    "book_metadata", "book_series_metadata", "book_set_metadata", "proceedings_metadata", "proceedings_series_metadata",
    "report-paper_metadata", "report-paper_series_metadata", "standard_metadata", "database_metadata",
    "journal_metadata", "posted_content", "dissertation", "pending_publication", "peer_review", "grant",
)  # fmt: skip
_TYPES = {
    "journal_article": "journal-article", "conference_paper": "proceedings-article", "content_item": "book-chapter",
    "dataset": "dataset", "report-paper_metadata": "report", "posted_content": "posted-content",
    "dissertation": "dissertation", "proceedings_metadata": "proceedings", "journal_metadata": "journal",
    "standard_metadata": "standard", "peer_review": "peer-review",
}  # fmt: skip
_DATES = ("publication_date/year", "posted_date/year", "approval_date/year", "database_date/publication_date/year")


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The records; the id is the DOI."""
    return records(stream, origin, ("doi_record",), _record, ("error",))


def _record(element: Element, origin: Origin) -> Record:
    if error := text(element if element.tag == "error" else element.find(".//error")):
        raise RecordError("record", f"Crossref answers with an error: {error}")
    work, whole = _found(element, _PARTS), _found(element, _WHOLES)
    main = work if work is not None else whole
    if main is None:
        raise RecordError("record", "no work of a known kind in this record; is the file Crossref's XML?")
    doi = first(main, "doi_data/doi") or first(element, "doi")
    issue = element.find(".//journal_issue")
    return Record(
        source=origin.source,
        id=doi,
        title=first(main, "titles/title", "proceedings_title", "full_title"),
        subtitle=first(main, "titles/subtitle"),
        authors=_authors(main, whole),
        publication=first(whole, "full_title", "proceedings_title", "titles/title", "series_metadata/titles/title")
        if work is not None else "",
        year=_year(main, issue, whole),
        identifiers=gather([("doi", doi), *_serials(element)]),
        volume=first(issue, "journal_volume/volume", "volume") or first(whole, "volume"),
        issue=first(issue, "issue"),
        pages=page_range(first(main, "pages/first_page"), first(main, "pages/last_page")),
        edition=first(whole, "edition_number"),
        publisher=first(whole, "publisher/publisher_name", "institution/institution_name"),
        type=_TYPES.get(main.tag, "book" if main.tag.startswith("book") else ""),
        language=main.get("language", "") or (whole.get("language", "") if whole is not None else ""),
        abstract=first(main, "abstract"),
    )  # fmt: skip


def _found(element: Element, names: tuple[str, ...]) -> Element | None:
    return next((found for name in names if (found := element.find(f".//{name}")) is not None), None)


def _authors(main: Element, whole: Element | None) -> tuple[str, ...]:
    """The authors of the work, or else its editors, or else the people of the whole."""
    for element in (main, whole):
        if element is None:
            continue
        people = (*element.iterfind("contributors/*"), *element.iterfind("person_name"))
        for roles in (("author", ""), ("editor", "chair")):
            names = tuple(
                name for each in people if each.get("contributor_role", "") in roles and (name := _name(each))
            )
            if names:
                return names
    return ()


def _name(person: Element) -> str:
    if person.tag != "person_name":
        return text(person)
    parts = (text(person, "surname"), text(person, "given_name"), text(person, "suffix"))
    return ", ".join(part for part in parts if part)


def _year(*elements: Element | None) -> int | None:
    dates = (date for element in elements for path in _DATES for date in texts(element, path))
    return min((year for date in dates if (year := year_of(date)) is not None), default=None)


def _serials(element: Element) -> Iterator[tuple[str, str]]:
    for kind in ("issn", "isbn"):
        yield from ((kind, text(each)) for each in element.iter(kind))
