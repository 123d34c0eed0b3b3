"""MODS: alone, in a collection, or in OAI-PMH and SRU answers.

`extra` gets what there is of: `alternative_titles`, `subject`, `note`, `genre` (all but the first), `url`, `physical`.
"""

from collections.abc import Iterator
from typing import IO, Any
from xml.etree.ElementTree import Element

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.marc import Field
from bibfold.records.formats.marc_relators import is_author
from bibfold.records.formats.oai import NOTICES, check_notice, deletion, header_identifier, inside
from bibfold.records.formats.values import gather, linked, page_range, year_of
from bibfold.records.formats.xml import records
from bibfold.records.formats.xml_values import first, text, texts
from bibfold.records.model import Deletion, Item, Record

_KINDS = {
    "doi": "doi", "isbn": "isbn", "issn": "issn", "issn-l": "issn", "pmid": "pmid", "pubmed": "pmid", "pmc": "pmcid",
    "pmcid": "pmcid", "arxiv": "arxiv", "oclc": "oclc", "lccn": "lccn",
}  # fmt: skip
_DATES = ("dateIssued", "copyrightDate", "dateCreated", "dateOther")
_EDITORS = frozenset({"edt", "editor"})


def read(stream: IO[bytes], origin: Origin) -> Iterator[Item]:
    """The records and deletions; the id is the record identifier, else that of the OAI-PMH header or the element."""
    return records(stream, origin, ("record", "mods"), read_element, NOTICES)


def read_element(element: Element, origin: Origin) -> Record | Deletion:
    """The record of a `mods`, or of the one that an OAI-PMH or SRU record holds, or that it is gone."""
    check_notice(element)
    if gone := deletion(element, origin):
        return gone
    mods = next(inside(element).iter("mods"), None)
    if mods is None:
        raise RecordError("record", "no mods element in this record; is the file MODS?")
    host = next((each for each in mods.iterfind("relatedItem") if each.get("type") == "host"), None)
    title, subtitle = _title(mods)
    part = mods.find("part") if host is None or host.find("part") is None else host.find("part")
    genres = list(texts(mods, "genre"))
    return Record(
        source=origin.source,
        id=first(mods, "recordInfo/recordIdentifier") or header_identifier(element) or mods.get("ID", ""),
        title=title,
        subtitle=subtitle,
        authors=_authors(mods),
        publication=" ".join(part for part in _title(host) if part) if host is not None else "",
        year=_year(mods, host, part),
        identifiers=gather(_identifiers(mods, host)),
        volume=_detail(part, "volume"),
        issue=_detail(part, "issue") or _detail(part, "number"),
        pages=_pages(part),
        edition=first(mods, "originInfo/edition"),
        publisher=first(mods, "originInfo/publisher") or first(host, "originInfo/publisher"),
        type=genres[0] if genres else text(mods, "typeOfResource"),
        language=first(mods, "language/languageTerm"),
        abstract=text(mods, "abstract"),
        extra=_extra(mods, genres[1:]),
    )


def _title(element: Element | None) -> tuple[str, str]:
    """Title with the number and name of the part, and subtitle, of the first title that is no variant."""
    infos = element.findall("titleInfo") if element is not None else []
    info = next((each for each in infos if not each.get("type")), infos[0] if infos else None)
    main = " ".join(part for part in (text(info, "nonSort"), text(info, "title")) if part)
    parts = ", ".join(part for part in (text(info, "partNumber"), text(info, "partName")) if part)
    return ". ".join(part for part in (main, parts) if part), text(info, "subTitle")


def _authors(mods: Element) -> tuple[str, ...]:
    """Those who made the content; editors only where there is nobody else."""
    names = [
        (name, set(map(str.lower, texts(each, "role/roleTerm"))))
        for each in mods.iterfind("name")
        if (name := _name(each))
    ]
    makers = [(name, roles) for name, roles in names if _is_author(roles)]
    others = [name for name, roles in makers if not roles & _EDITORS]
    return tuple(others or [name for name, _ in makers])


def _is_author(roles: set[str]) -> bool:
    codes = tuple(("4", role) for role in roles if len(role) == 3)
    terms = tuple(("e", role) for role in roles if len(role) != 3)
    return is_author(Field("700", "  ", codes or terms))


def _name(element: Element) -> str:
    parts: dict[str, list[str]] = {}
    for each in element.iterfind("namePart"):
        if value := text(each):
            parts.setdefault(each.get("type", ""), []).append(value)
    family, given = " ".join(parts.get("family", ())), " ".join(parts.get("given", ()))
    whole = " ".join(parts.get("", ()))
    return ", ".join(part for part in (family, given) if part) or whole or text(element, "displayForm")


def _year(mods: Element, host: Element | None, part: Element | None) -> int | None:
    """The year of issue, or else of the part, of the host, of the copyright or of the making."""
    dates = [*texts(mods, "originInfo/dateIssued"), *texts(part, "date"), *texts(host, "originInfo/dateIssued")]
    dates += [date for name in _DATES[1:] for date in texts(mods, f"originInfo/{name}")]
    return next((year for date in dates if (year := year_of(date)) is not None), None)


def _identifiers(mods: Element, host: Element | None) -> Iterator[tuple[str, str]]:
    for each in mods.iterfind("identifier"):
        kind, value = _KINDS.get(each.get("type", "").lower(), ""), text(each)
        if kind and each.get("invalid") != "yes":
            yield kind, value
        elif found := linked(value):
            yield found
    for url in texts(mods, "location/url"):
        if found := linked(url):
            yield found
    for each in host.iterfind("identifier") if host is not None else ():
        if each.get("type", "").lower() in ("issn", "isbn"):
            yield each.get("type", "").lower(), text(each)


def _detail(part: Element | None, kind: str) -> str:
    details = part.iterfind("detail") if part is not None else ()
    return next((first(each, "number", "caption") for each in details if each.get("type") == kind), "")


def _pages(part: Element | None) -> str:
    for each in part.iterfind("extent") if part is not None else ():
        if each.get("unit", "page").startswith("page"):
            return page_range(text(each, "start"), text(each, "end")) or text(each, "list")
    return ""


def _extra(mods: Element, genres: list[str]) -> dict[str, Any]:
    titles = [text(each, "title") for each in mods.iterfind("titleInfo") if each.get("type")]
    extra = {
        "alternative_titles": [title for title in titles if title],
        "subject": list(texts(mods, "subject/topic")),
        "note": list(texts(mods, "note")),
        "genre": genres,
        "url": list(texts(mods, "location/url")),
        "physical": text(mods, "physicalDescription/extent"),
    }
    return {name: value for name, value in extra.items() if value}
