"""The columns of bibliographic tables: what Zotero, Scopus, Web of Science, PubMed and others call them."""

import csv
import re
from collections.abc import Mapping, Sequence
from typing import Final

from bibfold.errors import InputError
from bibfold.records.model import TEXT_FIELDS

_NAMES: Final[Mapping[str, str]] = {
    "id": "utuniquewosid ut id key recordid eid publicationid lensid pui storeid covidence refid referenceid "
    "accessionnumber",
    "source": "source",
    "title": "title articletitle documenttitle itemtitle primarytitle displayname ti t1 titel titre",
    "subtitle": "subtitle",
    "authors": "authors author authornames authorfullnames af au a1 creator creators bookauthors "
    "authorshipsauthordisplayname",
    "publication": "publication publicationtitle sourcetitle journalbook journal journaltitle journalname pubtitle "
    "containertitle venue booktitle secondarytitle anthologytitle bookseriestitle so jf t2 journalabbreviation "
    "abbreviatedsourcetitle primarylocationsourcedisplayname",
    "year": "year publicationyear publishedyear pubyear py date publicationdate dateofpublication datepublished "
    "published pubdate y1",
    "volume": "volume vol vl journalvolume",
    "issue": "issue number is issuenumber journalissue",
    "pages": "pages page pagination",
    "page_start": "pagestart startpage firstpage bp sp",
    "page_end": "pageend endpage lastpage ep",
    "edition": "edition",
    "publisher": "publisher pu pb",
    "type": "itemtype documenttype publicationtype referencetype contenttype type dt doctype",
    "language": "language languageoforiginaldocument la",
    "abstract": "abstract abstractnote ab",
    "identifiers.doi": "doi di itemdoi idsdoi digitalobjectidentifier",
    "identifiers.arxiv": "arxiv arxivid",
    "identifiers.pmid": "pmid pubmedid medlinepmid pm",
    "identifiers.pmcid": "pmcid pmc pmcidnumber",
    "identifiers.isbn": "isbn isbns bn",
    "identifiers.issn": "issn eissn issns sn ei",
    "identifiers.oclc": "oclc oclcnumber",
    "identifiers.lccn": "lccn",
    "identifiers.filehash": "filehash",
    "url": "url link urls articleurl documenturl",
    "citation": "citation",
    "remainder": "bibfold",
}
_MAPPABLE: Final = frozenset(TEXT_FIELDS) | {"id", "source", "authors", "year"}
_TELLING: Final = {"title"} | {field for field in _NAMES if field.startswith("identifiers.")}
DELIMITERS: Final = (",", ";", "\t", "|")


def columns(header: Sequence[str], given: Mapping[str, str], file: str) -> Mapping[str, list[str]]:
    """For each field of a record the columns that hold it, the best first; a given map comes before names."""
    _check(header, given, file)
    known = {_plain(name): name for name in reversed(header) if name not in given}
    found = {field: [column for column, target in given.items() if target == field] for field in given.values()}
    if not {"source", "id"} <= set(header):  # in tables that are not ours, a "Source" is a database or a journal
        known.pop("source", None)
        if known.keys() & {"gsrank", "citesurl"} and "source" in map(_plain, header):  # Publish or Perish
            found.setdefault("publication", [name for name in header if _plain(name) == "source"])
    if {"itemtitle", "itemdoi"} <= known.keys():
        found["springer"] = [known["itemdoi"]]
    for field, names in _NAMES.items():
        if columns := [known[name] for name in names.split() if name in known]:
            found.setdefault(field, columns)
    for name in header:
        if name.startswith("identifiers."):
            found.setdefault(name, [name])
    if not any(field == "title" or field.startswith("identifiers.") for field in found):
        raise InputError(
            f"{file}: no column is known as a title or an identifier; "
            f"say which is what with --map column=field (columns: {', '.join(header)})"
        )
    return found


def _check(header: Sequence[str], given: Mapping[str, str], file: str) -> None:
    for column, field in given.items():
        if column not in header:
            raise InputError(f"{file}: no column {column!r} to map; columns: {', '.join(header)}")
        if field not in _MAPPABLE and not re.fullmatch(r"identifiers\.\w+", field):
            able = ", ".join(sorted(_MAPPABLE))
            raise InputError(f"column {column!r} maps to the unknown field {field!r}; known: {able}, identifiers.KIND")


def delimiter(line: str, given: Mapping[str, str] = {}) -> str:
    """The delimiter of a header: that which gives the most known columns, then the most columns."""
    return max(DELIMITERS, key=lambda mark: _merit(_split(line, mark), given))


def looks_like_header(line: str, given: Mapping[str, str] = {}) -> bool:
    """Whether a line is the header of a bibliographic table."""
    return is_header(_split(line, delimiter(line, given)), given)


def is_header(names: Sequence[str], given: Mapping[str, str] = {}) -> bool:
    """Whether these are the columns of a bibliographic table: a title or identifier column among others."""
    known = _known(names)
    if given.keys() & set(names):
        return True
    return (len(known) > 1 and bool(known & _TELLING)) or list(names) == ["title"]


def _merit(names: Sequence[str], given: Mapping[str, str]) -> tuple[int, int]:
    return len(_known(names)) + sum(name in given for name in names), len(names)


def _known(names: Sequence[str]) -> set[str]:
    plain = {_plain(name) for name in names}
    return {field for field, aliases in _NAMES.items() if plain & set(aliases.split())} | {
        name for name in names if name.startswith("identifiers.")
    }


def _split(line: str, mark: str) -> list[str]:
    return next(csv.reader([line], delimiter=mark), [])


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9,;|\t]+", "", name.casefold())
