"""Which format a file is of, by its content; its ending counts only where the content leaves it open."""

import re
from collections.abc import Callable, Iterator, Set
from itertools import islice
from pathlib import PurePath
from typing import Any

import msgspec

from bibfold.errors import InputError
from bibfold.records.formats import FORMATS
from bibfold.records.formats.charset import decode
from bibfold.records.formats.csv_columns import looks_like_header

_FOREIGN = (
    (re.compile(rb"%PDF"), "a PDF file: export the references themselves"),
    (re.compile(rb"\xd0\xcf\x11\xe0"), "an office document of the old kind (.xls): save it as XLSX or CSV"),
    (re.compile(rb"PK\x03\x04"), "a ZIP archive or an office document: unpack it, or save it as CSV"),
    (re.compile(rb"BZh|\xfd7zXZ|7z\xbc\xaf|Rar!"), "compressed in a way that is not read here: unpack it"),
    (re.compile(rb"\s*<(!doctype\s+)?html", re.IGNORECASE), "an HTML page: perhaps a log-in page was saved"),
)
_TAGGED = (
    ("ris", re.compile(r"^\ufeff?TY {1,2}-", re.MULTILINE)),
    ("nbib", re.compile(r"^\ufeff?(?:PMID *- ?\d|OWN *- ?(?:NLM|ERIC))", re.MULTILINE)),
    (
        "wos",
        re.compile(
            r"^\ufeff?(?:FN (?:Clarivate|Thomson|ISI|Web of)|VR 1\.0\s*$|PT [A-Z]\s*\n[A-Z][A-Z0-9] )", re.MULTILINE
        ),
    ),
    ("enw", re.compile(r"^\ufeff?(?:%0 [A-Z]|%0\s*$|%[TAJDB] \S)", re.MULTILINE)),
    ("ovid", re.compile(r"^\s?(?:<\d+\.?\s*>\s*$|VN {1,2}- Ovid)", re.MULTILINE)),
    ("bibtex", re.compile(r"^[ \t]*@[^\W\d_][\w.+-]*\s*[{(]", re.MULTILINE)),
)
_OVID = re.compile(r"\s*<\d+\.?\s*>")
_MOST_BEFORE = 10
"""Lines that may stand before the header of a table."""

_MARC = re.compile(rb"\s*\d{5}.{19}", re.DOTALL)
_ROOT = re.compile(r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")
_NOT_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a]")
_CROSSREF_NAMES = frozenset({"reference-count", "is-referenced-by-count", "indexed", "deposited", "member"})


def detect(head: bytes, path: str) -> str:
    """The name of the format that begins with these bytes; raises InputError where none is recognised."""
    if head.startswith(b"PK\x03\x04") and (b"xl/" in head or path.lower().endswith(".xlsx")):
        return "xlsx"
    for pattern, what in _FOREIGN:
        if pattern.match(head):
            raise InputError(f"{path}: is {what}")
    if _MARC.match(head) and b"\x1e" in head:
        return "marc21"
    if len(_NOT_TEXT.findall(head)) * 30 > len(head):
        raise _unknown(path, "bytes that are not text")
    text = decode(head)
    by_start = _tagged if _OVID.match(text) else _BY_START.get(text.lstrip()[:1], _tagged)
    found = by_start(text) or _tagged(text) or _by_ending(path, text)
    if not found:
        raise _unknown(path, f"text that begins with {' '.join(text.split())[:60]!r}")
    return found


def _unknown(path: str, what: str) -> InputError:
    return InputError(
        f"{path}: {what}, of no known format; if you know it, name it with --format ({', '.join(FORMATS)})"
    )


def _json(text: str) -> str | None:
    """JSON Lines or a service's works, by the first line where that is JSON, or else by the names that occur."""
    try:
        value = msgspec.json.decode(text.lstrip().partition("\n")[0])
    except (msgspec.DecodeError, RecursionError):
        return _json_by_names(text)
    first = value[0] if isinstance(value, list) and value else value
    if isinstance(first, dict) and (found := _by_names(set(_deep_names(first)), first.keys())):
        return found
    return "jsonl" if isinstance(value, dict) else _json_by_names(text)


def _deep_names(value: Any, depth: int = 4) -> Iterator[str]:
    """The names in an object and in what it holds, a few levels down."""
    if isinstance(value, dict) and depth:
        for name, inner in value.items():
            yield name
            yield from _deep_names(inner, depth - 1)
    elif isinstance(value, list) and depth and value:
        yield from _deep_names(value[0], depth - 1)


def _by_names(names: Set[str], top: Set[str]) -> str | None:
    """The service whose names these are; `top` are those of the first object, as far as is known."""
    own = top & {"authors", "identifiers"}
    if not own and ("authorships" in names or {"meta", "results"} <= top or {"display_name", "ids"} <= names):
        return "openalex"
    if not own and (({"attributes", "relationships"} <= names) or names >= {"doi", "titles", "creators"}):
        return "datacite"
    if top & {"message", "items"} or (not own and names & _CROSSREF_NAMES):
        return "crossref"
    if not own and names & {"DOI", "container-title", "issued", "family", "literal", "date-parts"}:
        return "csl-json" if "id" in top else "crossref"
    return None


def _json_by_names(text: str) -> str | None:
    names = set(re.findall(r'"([^"\\]{1,40})"\s*:', text))
    if found := _by_names(names, names):
        return found
    if re.match(r"\s*\[\s*(?:\{|\Z)", text) and not names & {"authors", "identifiers"}:
        return "csl-json"
    return "jsonl" if re.match(r'\s*\[?\s*\{\s*[^{\[]*"(?:title|source|id|authors)"\s*:', text) else None


_XML = (
    (re.compile(r"<(?:[\w.-]+:)?(?:searchRetrieveResponse|recordData)\b"), "sru"),
    (re.compile(r"<Pubmed(?:Book)?Article(?:Set)?\b"), "pubmed-xml"),
    (re.compile(r"<(?:[\w.-]+:)?(?:doi_records?|crossref_result)\b"), "unixref"),
    (re.compile(r"<(?:[\w.-]+:)?mods(?:Collection)?\b"), "mods"),
)


def _xml(text: str) -> str | None:
    """A format in XML, by the root element and the names of what is in it."""
    body = re.sub(r"<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\])?[^>]*>", "", text, flags=re.DOTALL)
    root = _ROOT.search(body)
    name = root[2] if root else ""
    if name == "xml" or re.search(r"<records>\s*<record>\s*<database", body):
        return "endnote"
    for pattern, found in _XML:
        if pattern.search(body):
            return found
    if "www.openarchives.org/OAI/2.0/oai_dc" in body or "purl.org/dc/elements" in body:
        return "oai-dc"
    if "www.loc.gov/MARC21/slim" in body or re.search(r"<(\w+:)?(leader|controlfield|datafield)\b", body):
        return "marcxml"
    return {"collection": "marcxml", "OAI-PMH": "oai-dc", "dc": "oai-dc"}.get(name)


def _tagged(text: str) -> str | None:
    """A format of tagged lines by whose mark comes first, or else a table by its header."""
    begin = 0
    header = ""
    for line in islice((line for line in text.splitlines(keepends=True)), _MOST_BEFORE):
        begin += len(line)
        if looks_like_header(line):
            header = line
            break
    marks = [(found.start(), name) for name, pattern in _TAGGED if (found := pattern.search(text))]
    if marks and not (header and min(marks)[0] >= begin):
        return min(marks)[1]
    return "csv" if header else None


def _by_ending(path: str, text: str) -> str | None:
    """The one format with this ending, unless the text is of another kind altogether."""
    endings = [ending.lower() for ending in PurePath(path).suffixes]
    names = [name for name, form in FORMATS.items() if set(endings) & set(form.endings)]
    is_markup = text.lstrip().startswith("<")
    return names[0] if len(names) == 1 and is_markup == (".xml" in FORMATS[names[0]].endings) else None


_BY_START: dict[str, Callable[[str], str | None]] = {"{": _json, "[": _json, "<": _xml}
