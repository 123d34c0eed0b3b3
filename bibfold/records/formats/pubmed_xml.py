"""PubMed's XML: articles and books, as its download, efetch and its yearly data files have them.

`extra` gets what there is of: `keywords`, `mesh`, `publication_types` (all but the first), `affiliations`,
`alternative_titles`, `journal_abbreviation`.
"""

from collections.abc import Iterator
from typing import IO, Any
from xml.etree.ElementTree import Element

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.values import gather, page_range, year_of
from bibfold.records.formats.xml import records
from bibfold.records.formats.xml_values import first, text, texts
from bibfold.records.model import DeadLetter, Record

_KINDS = {"doi": "doi", "pmc": "pmcid", "pubmed": "pmid"}


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The articles and books; the id is the PMID."""
    return records(stream, origin, _OUTERMOST, _record)


_OUTERMOST = ("PubmedArticle", "PubmedBookArticle")


def _record(element: Element, origin: Origin) -> Record:
    if element.tag == "PubmedBookArticle":
        return _book(element, origin)
    citation = element.find("MedlineCitation")
    article = element.find("MedlineCitation/Article")
    if citation is None or article is None:
        raise RecordError("record", "no MedlineCitation/Article in this record; is the file PubMed XML?")
    issue = article.find("Journal/JournalIssue")
    types = list(texts(article, "PublicationTypeList/PublicationType"))
    pmid = text(citation, "PMID")
    return Record(
        source=origin.source,
        id=pmid,
        title=first(article, "ArticleTitle", "VernacularTitle"),
        authors=tuple(_names(article.findall("AuthorList/Author"))),
        publication=first(article, "Journal/Title", "Journal/ISOAbbreviation")
        or first(citation, "MedlineJournalInfo/MedlineTA"),
        year=_year(first(issue, "PubDate/Year", "PubDate/MedlineDate"), first(article, "ArticleDate/Year")),
        identifiers=gather(_identifiers(element, article, pmid)),
        volume=text(issue, "Volume"),
        issue=text(issue, "Issue"),
        pages=_pages(article),
        type=types[0] if types else "",
        language=text(article, "Language"),
        abstract=_abstract(article) or _abstract(citation, "OtherAbstract"),
        extra=_extra(citation, article, types[1:]),
    )


def _book(element: Element, origin: Origin) -> Record:
    document = element.find("BookDocument")
    book = element.find("BookDocument/Book")
    if document is None or book is None:
        raise RecordError("record", "no BookDocument/Book in this record; is the file PubMed XML?")
    chapter = text(document, "ArticleTitle")
    title = text(book, "BookTitle")
    pmid = text(document, "PMID")
    people = document.findall("AuthorList/Author") or book.findall("AuthorList/Author")
    types = list(texts(document, "PublicationType"))
    serials = [("isbn", value) for value in texts(book, "Isbn")]
    own = (
        (_KINDS.get(each.get("IdType", ""), ""), text(each)) for each in document.iterfind("ArticleIdList/ArticleId")
    )
    return Record(
        source=origin.source,
        id=pmid,
        title=chapter or title,
        authors=tuple(_names(people)),
        publication=title if chapter else "",
        year=_year(first(book, "PubDate/Year", "BeginningDate/Year"), first(document, "ContributionDate/Year")),
        identifiers=gather([("pmid", pmid), *serials, *((kind, value) for kind, value in own if kind)]),
        volume=first(book, "Volume"),
        edition=first(book, "Edition"),
        pages=_pages(document),
        publisher=text(book, "Publisher/PublisherName"),
        type=types[0] if types else "Book",
        language=text(document, "Language"),
        abstract=_abstract(document),
        extra=_kept({"publication_types": types[1:], "series": list(texts(book, "CollectionTitle"))}),
    )


def _names(people: list[Element]) -> Iterator[str]:
    for person in people:
        family, suffix = text(person, "LastName"), text(person, "Suffix")
        given = first(person, "ForeName", "FirstName", "Initials")
        if name := ", ".join(part for part in (family, given, suffix) if part) or text(person, "CollectiveName"):
            yield name


def _year(*dates: str) -> int | None:
    return next((year for date in dates if (year := year_of(date)) is not None), None)


def _pages(element: Element) -> str:
    stated = text(element, "Pagination/MedlinePgn")
    return stated or page_range(text(element, "Pagination/StartPage"), text(element, "Pagination/EndPage"))


def _abstract(element: Element, name: str = "Abstract") -> str:
    """The parts of an abstract, each behind its label."""
    parts = []
    for each in element.iterfind(f"{name}/AbstractText"):
        label = each.get("Label", "")
        if words := text(each):
            parts.append(f"{label}: {words}" if label and label != "UNLABELLED" else words)
    return " ".join(parts)


def _identifiers(element: Element, article: Element, pmid: str) -> Iterator[tuple[str, str]]:
    """The article's own; those of its references, which have the same names further down, are not looked at."""
    yield "pmid", pmid
    for each in article.iterfind("ELocationID"):
        if each.get("EIdType") == "doi" and each.get("ValidYN", "Y") == "Y":
            yield "doi", text(each)
    for each in element.iterfind("PubmedData/ArticleIdList/ArticleId"):
        if kind := _KINDS.get(each.get("IdType", "")):
            yield kind, text(each)
    for value in texts(article, "Journal/ISSN"):
        yield "issn", value


def _extra(citation: Element, article: Element, types: list[str]) -> dict[str, Any]:
    vernacular = text(article, "VernacularTitle")
    return _kept(
        {
            "alternative_titles": [vernacular] if vernacular and text(article, "ArticleTitle") else [],
            "journal_abbreviation": text(article, "Journal/ISOAbbreviation"),
            "publication_types": types,
            "keywords": list(texts(citation, "KeywordList/Keyword")),
            "mesh": list(texts(citation, "MeshHeadingList/MeshHeading/DescriptorName")),
            "affiliations": list(dict.fromkeys(texts(article, "AuthorList/Author/AffiliationInfo/Affiliation"))),
        }
    )


def _kept(extra: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in extra.items() if value}
