"""Records as a table that opens in a spreadsheet, under the column names of bibfold or of a tool that people use."""

import csv
import io
from collections.abc import Iterable, Mapping
from itertools import chain, islice
from typing import IO, Final

from bibfold.display import spreadsheet_safe
from bibfold.errors import SettingsError
from bibfold.records.formats import DEFAULTS, Options, Origin
from bibfold.records.formats.charset import BYTE_ORDER_MARK
from bibfold.records.formats.csv import read
from bibfold.records.formats.names import inverted
from bibfold.records.formats.parts import DATABASES, RECORDS, found_notes, parts
from bibfold.records.formats.remainder import remainder
from bibfold.records.formats.work_types import work_type
from bibfold.records.model import NATIVE_FIELDS, TEXT_FIELDS, Record

_IDENTIFIERS: Final = ("doi", "arxiv", "pmid", "pmcid", "isbn", "issn", "oclc", "lccn", "filehash")
_OURS: Final = {
    **{name: name for name in NATIVE_FIELDS if name != "identifiers"},
    **{f"identifiers.{kind}": kind for kind in _IDENTIFIERS},
    **{"editor": "editors", "location": "place", "series": "series"},
    **{name: name for name in ("date", "keywords", "url", "notes")},
}
_ASREVIEW: Final = {
    **{"id": "id", "title": "full_title", "abstract": "abstract", "authors": "authors", "keywords": "keywords"},
    **{"year": "year", "journal": "publication", "volume": "volume", "issue": "issue", "pages": "pages"},
    **{"doi": "doi", "url": "url", "notes": "notes", "pmid": "pmid", "type": "type", "language": "language"},
}
_RAYYAN: Final = {
    **{"key": "id", "title": "full_title", "year": "year", "journal": "publication", "issn": "issn"},
    **{"volume": "volume", "issue": "issue", "pages": "pages", "authors": "joined_authors", "url": "url"},
    **{"language": "language", "publisher": "publisher", "location": "place", "abstract": "abstract"},
    **{"notes": "notes", "doi": "doi", "keywords": "keywords", "pubmed_id": "pmid", "pmc_id": "pmcid"},
}
_ZOTERO: Final = {
    **{"Key": "id", "Item Type": "zotero_type", "Publication Year": "year", "Author": "authors"},
    **{"Title": "full_title", "Publication Title": "publication", "ISBN": "isbn", "ISSN": "issn", "DOI": "doi"},
    **{"Url": "url", "Abstract Note": "abstract", "Date": "date or year", "Pages": "pages", "Issue": "issue"},
    **{"Volume": "volume", "Journal Abbreviation": "abbreviation", "Series": "series", "Publisher": "publisher"},
    **{"Place": "place", "Language": "language", "Extra": "numbers", "Notes": "notes", "Manual Tags": "keywords"},
    **{"Editor": "editors", "Edition": "edition"},
}
COLUMNS: Final[Mapping[str, Mapping[str, str]]] = {"asreview": _ASREVIEW, "rayyan": _RAYYAN, "zotero": _ZOTERO}
"""For each tool the names of its columns, and what stands in them."""

_FOUND: Final = {"found_in": "found_in", "record_ids": "record_ids", "records_folded": "records_folded"}
_ZOTERO_TYPES: Final = {
    **{"JOUR": "journalArticle", "BOOK": "book", "CHAP": "bookSection", "CPAPER": "conferencePaper"},
    **{"THES": "thesis", "RPRT": "report", "DATA": "dataset", "UNPB": "manuscript", "MANSCPT": "manuscript"},
    **{"MGZN": "magazineArticle", "NEWS": "newspaperArticle", "ELEC": "webpage", "BLOG": "blogPost"},
    **{"COMP": "computerProgram", "PAT": "patent", "MAP": "map", "VIDEO": "videoRecording", "SOUND": "audioRecording"},
}


def write(records: Iterable[Record], stream: IO[bytes], options: Options = DEFAULTS) -> None:
    """A row for each record; the column `bibfold` holds what the others cannot, unless they are to be plain.

    A record that was folded of others also has where these were found and how many they were.
    """
    items = iter(records)
    first = list(islice(items, 1))
    table = {**_table(options.columns), **(_FOUND if first and RECORDS in first[0].extra else {})}
    stream.write(BYTE_ORDER_MARK.encode() + _row([*table, *([] if options.plain else ["bibfold"])]))
    for record in chain(first, items):
        values = _values(record)
        cells = [spreadsheet_safe(values.get(place, "")) for place in table.values()]
        if not options.plain:
            cells.append(remainder(record, _again(list(table), cells), options))
        stream.write(_row(cells))


def _table(name: str) -> Mapping[str, str]:
    if name and name not in COLUMNS:
        raise SettingsError(f"columns {name!r} are not known; known: {', '.join(COLUMNS)}")
    return COLUMNS[name] if name else _OURS


def _row(cells: Iterable[str]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerow(cells)
    return text.getvalue().encode()


def _again(header: list[str], cells: list[str]) -> Record:
    """What our reader makes of a row."""
    items = read(io.BytesIO(_row(header) + _row(cells)), Origin("", ""))
    return next((item for item in items if isinstance(item, Record)), Record(source="", id=""))


def _values(record: Record) -> dict[str, str]:
    """Everything that a column may hold of a record, by its place in the tables above."""
    held = parts(record)
    names = list(map(inverted, record.authors))
    values = {name: getattr(record, name) for name in ("source", "id", *TEXT_FIELDS)}
    values |= {kind: "; ".join(given) for kind, given in record.identifiers.items()}
    found = record.extra.get(DATABASES), record.extra.get(RECORDS)
    databases, ids = (list(map(str, given)) if isinstance(given, list) else [] for given in found)
    numbers = [(kind, record.identifiers[kind][0]) for kind in ("pmid", "pmcid") if kind in record.identifiers]
    return values | {
        "full_title": f"{record.title}: {record.subtitle}" if record.subtitle else record.title,
        "authors": "; ".join(names),
        "joined_authors": " and ".join(names),
        "year": "" if record.year is None else str(record.year),
        "date": "; ".join(held.dates[:1]),
        "date or year": "; ".join(held.dates[:1]) or ("" if record.year is None else str(record.year)),
        "zotero_type": _ZOTERO_TYPES.get(work_type(record).ris, "document"),
        "keywords": "; ".join(held.keywords),
        "url": "; ".join(held.urls[:1]),
        "editors": "; ".join(held.editors),
        "place": "; ".join(held.place),
        "abbreviation": "; ".join(held.abbreviation),
        "series": "; ".join(held.series),
        "notes": "\n".join(note for note in held.notes if note not in found_notes(record)),
        "numbers": " ".join(f"{kind.upper()}: {value}" for kind, value in numbers),
        "found_in": "; ".join(databases),
        "record_ids": "; ".join(ids),
        "records_folded": str(len(ids)) if ids else "",
    }
