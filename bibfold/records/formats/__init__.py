"""The formats that bibfold reads and writes, one module each; this table is the only list of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import IO, Any, Protocol

import msgspec

from bibfold.errors import SettingsError
from bibfold.records.model import Item, Record

LARGEST = 16_000_000
"""How many bytes one record may take where nothing else is said."""


class Origin(msgspec.Struct, frozen=True):
    """Where a stream comes from: the file's name, the source name for its records, and a CSV column map.

    A record of more than `largest` bytes (characters, where text is read) becomes a dead letter.
    """

    file: str
    source: str
    columns: Mapping[str, str] = {}
    largest: int = LARGEST


class Options(msgspec.Struct, frozen=True):
    """How records are written.

    `plain` leaves out what only bibfold reads: the note with what a format cannot hold. `columns` names the tool whose
    column names a table gets. `file_sources` are sources that only repeat the name of the file a record was read from;
    whoever reads what is written names it anew, so they need no note.
    """

    plain: bool = False
    columns: str = ""
    file_sources: frozenset[str] = frozenset()


DEFAULTS = Options()


class Writer(Protocol):
    """Writes records in a format; the stream stays open."""

    def __call__(self, records: Iterable[Record], stream: IO[bytes], options: Options = ..., /) -> None: ...


Reader = Callable[[IO[bytes], Origin], Iterator[Item]]


class Format(msgspec.Struct, frozen=True):
    """A format: what it is, the file endings it goes by, and where its reader and writer live.

    `exports` says where people get such files, and what the choice is called there.
    """

    title: str
    endings: tuple[str, ...]
    reader: str
    writer: str = ""
    exports: tuple[str, ...] = ()


_HERE = "bibfold.records.formats"

FORMATS: Mapping[str, Format] = {
    "jsonl": Format(
        "JSON Lines, bibfold's own form",
        (".jsonl", ".ndjson"),
        "jsonl:read",
        "jsonl:write",
        ("bibfold: export --to jsonl",),
    ),
    "marc21": Format(
        "MARC 21 (ISO 2709)",
        (".mrc", ".marc"),
        "marc21:read",
        exports=("library systems (Alma, Koha, Sierra, FOLIO): export, MARC binary", "WorldCat: MARC 21"),
    ),
    "marcxml": Format(
        "MARCXML",
        (".xml", ".marcxml"),
        "marcxml:read",
        "marcxml:write",
        ("library systems: export, MARCXML", "OAI-PMH: metadataPrefix=marcxml or marc21"),
    ),
    "bibtex": Format(
        "BibTeX",
        (".bib",),
        "bibtex:read",
        "bibtex_export:write",
        (
            "Scopus: Export, BibTeX",
            "ACM Digital Library: Export Citations, BibTeX",
            "Zotero: Export Library, BibTeX or BibLaTeX",
            "Mendeley: Export All, BibTeX",
            "Google Scholar: Cite, BibTeX",
            "DBLP: export record, BibTeX",
        ),
    ),
    "ris": Format(
        "RIS",
        (".ris",),
        "ris:read",
        "ris_export:write",
        (
            "Scopus: Export, RIS",
            "Web of Science: Export, RIS (other reference software)",
            "Embase: Export, RIS format",
            "Cochrane Library: Export selected citations, RIS (EndNote)",
            "EBSCOhost: Export, Direct Export in RIS Format",
            "ProQuest: Save, RIS",
            "Ovid: Export, RIS",
            "IEEE Xplore: Export, Citations, RIS",
            "Publish or Perish: Save Results, RIS",
            "Zotero: Export Library, RIS",
            "Mendeley: Export All, RIS",
            "EndNote: File, Export, RefMan (RIS) Export",
        ),
    ),
    "csv": Format(
        "CSV or TSV with a header",
        (".csv", ".tsv"),
        "csv:read",
        "csv_export:write",
        (
            "Scopus: Export, CSV",
            "PubMed: Save, CSV",
            "Web of Science: Export, Tab delimited file",
            "IEEE Xplore: Export, Search Results",
            "Publish or Perish: Save Results, CSV",
            "SpringerLink: Download Search Results (CSV)",
            "Dimensions: Export, CSV",
            "The Lens: Export, CSV",
            "Zotero: Export Library, CSV",
            "Rayyan and Covidence: Export, CSV",
        ),
    ),
    "endnote": Format(
        "EndNote XML",
        (".xml",),
        "endnote:read",
        "endnote_export:write",
        exports=("EndNote: File, Export, XML", "Zotero: Export Library, Endnote XML", "Embase: Export, XML (EndNote)"),
    ),
    "nbib": Format(
        "NBIB (PubMed, MEDLINE)",
        (".nbib",),
        "nbib:read",
        exports=("PubMed: Send to, Citation manager", "PubMed: Save, PubMed", "ERIC: Download, .nbib"),
    ),
    "crossref": Format(
        "Crossref JSON works",
        (".json",),
        "crossref:read",
        exports=("Crossref: api.crossref.org/works, and its public data files",),
    ),
    "csl-json": Format(
        "CSL-JSON",
        (".json",),
        "csl:read",
        "csl_export:write",
        exports=("Zotero: Export Library, CSL JSON", "Paperpile and Citavi: Export, CSL-JSON", "Mendeley: API"),
    ),
    "wos": Format(
        "Web of Science tagged",
        (".ciw", ".isi"),
        "wos:read",
        exports=("Web of Science: Export, Plain text file (savedrecs.txt)", "Web of Science: Export, EndNote desktop"),
    ),
    "pubmed-xml": Format(
        "PubMed XML",
        (".xml",),
        "pubmed_xml:read",
        exports=("PubMed: efetch with retmode=xml, and the baseline files",),
    ),
    "enw": Format(
        "EndNote tagged (Refer, BibIX)",
        (".enw", ".refer"),
        "enw:read",
        exports=(
            "Google Scholar: Cite, EndNote",
            "JSTOR, SAGE, Taylor & Francis: Export citation, EndNote",
            "EndNote: File, Export, Refer (BibIX) or EndNote Export",
        ),
    ),
    "openalex": Format(
        "OpenAlex JSON",
        (".json",),
        "openalex:read",
        exports=("OpenAlex: api.openalex.org/works, and its snapshot",),
    ),
    "mods": Format(
        "MODS",
        (".xml", ".mods"),
        "mods:read",
        exports=("Library of Congress and digital libraries: MODS", "OAI-PMH: metadataPrefix=mods"),
    ),
    "xlsx": Format(
        "Excel table (XLSX)",
        (".xlsx",),
        "xlsx:read",
        exports=("Web of Science: Export, Excel", "The Lens, Dimensions, ProQuest: Export, XLSX", "Excel: Save As"),
    ),
    "datacite": Format(
        "DataCite JSON",
        (".json",),
        "datacite:read",
        exports=("DataCite: api.datacite.org/dois, and its public data file",),
    ),
    "ovid": Format(
        "Ovid tagged",
        (".ovd", ".cgi"),
        "ovid:read",
        exports=("Ovid: Export, Citavi or Reprint/Medlars", "Ovid: Export, TXT, with field labels"),
    ),
    "sru": Format(
        "SRU answers (MARCXML, MODS, Dublin Core)",
        (".xml",),
        "sru:read",
        exports=("SRU: searchRetrieve of a library's server (Alma, DNB, Library of Congress)",),
    ),
    "unixref": Format(
        "Crossref XML (UNIXREF)",
        (".xml",),
        "unixref:read",
        exports=("Crossref: api.crossref.org/works/DOI/transform with application/vnd.crossref.unixref+xml",),
    ),
    "oai-dc": Format(
        "OAI Dublin Core",
        (".xml",),
        "oai_dc:read",
        exports=("OAI-PMH: metadataPrefix=oai_dc (DSpace, EPrints, OJS, arXiv)",),
    ),
}


def reader(name: str) -> Reader:
    """The reader of a format, imported when asked for."""
    return _load(_known(name).reader)  # type: ignore[no-any-return]


def writer(name: str) -> Writer:
    """The writer of a format, imported when asked for."""
    place = _known(name).writer
    if not place:
        able = ", ".join(key for key, form in FORMATS.items() if form.writer)
        raise SettingsError(f"format {name!r} can be read but not written; these can: {able}")
    return _load(place)  # type: ignore[no-any-return]


def _known(name: str) -> Format:
    if name not in FORMATS:
        raise SettingsError(f"unknown format {name!r}; known: {', '.join(FORMATS)}")
    return FORMATS[name]


def _load(place: str) -> Any:
    module, function = place.split(":")
    return getattr(import_module(f"{_HERE}.{module}"), function)
