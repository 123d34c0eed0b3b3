"""The formats that bibfold reads and writes, one module each; this table is the only list of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import IO, Any

import msgspec

from bibfold.errors import SettingsError
from bibfold.records.model import Item, Record


class Origin(msgspec.Struct, frozen=True):
    """Where a stream comes from: the file's name, the source name for its records, and a CSV column map."""

    file: str
    source: str
    columns: Mapping[str, str] = {}


Reader = Callable[[IO[bytes], Origin], Iterator[Item]]
Writer = Callable[[Iterable[Record], IO[bytes]], None]


class Format(msgspec.Struct, frozen=True):
    """A format: what it is, the file endings it goes by, and where its reader and writer live."""

    title: str
    endings: tuple[str, ...]
    reader: str
    writer: str = ""


_HERE = "bibfold.records.formats"

FORMATS: Mapping[str, Format] = {
    "jsonl": Format("JSON Lines, bibfold's own form", (".jsonl", ".ndjson"), "jsonl:read", "jsonl:write"),
    "marc21": Format("MARC 21 (ISO 2709)", (".mrc", ".marc"), "marc21:read"),
    "marcxml": Format("MARCXML", (".xml", ".marcxml"), "marcxml:read", "marcxml:write"),
    "bibtex": Format("BibTeX", (".bib",), "bibtex:read", "bibtex:write"),
    "ris": Format("RIS", (".ris",), "ris:read", "ris:write"),
    "csv": Format("CSV or TSV with a header", (".csv", ".tsv"), "csv:read", "csv:write"),
    "endnote": Format("EndNote XML", (".xml",), "endnote:read"),
    "nbib": Format("NBIB (PubMed, MEDLINE)", (".nbib",), "nbib:read"),
    "crossref": Format("Crossref JSON works", (".json",), "crossref:read"),
    "oai-dc": Format("OAI Dublin Core", (".xml",), "oai_dc:read"),
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
