"""Records as BibTeX entries: each field once, names as "Family, Given", organisations in braces."""

import io
import re
from collections.abc import Iterable, Iterator
from typing import IO, Any

from bibfold.records.formats import DEFAULTS, Options, Origin, latex
from bibfold.records.formats.bibtex import VERBATIM, read
from bibfold.records.formats.bibtex_syntax import is_safe
from bibfold.records.formats.dates import MONTHS
from bibfold.records.formats.names import Name, name_of
from bibfold.records.formats.parts import Parts, parts
from bibfold.records.formats.remainder import remainder
from bibfold.records.formats.values import squeeze, unique
from bibfold.records.formats.work_types import bibtex_type
from bibfold.records.model import TEXT_FIELDS, Record

_KEY = re.compile(r"[A-Za-z0-9_.:/+*!?;<>\[\]|-]+")
_JSON_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"')
_AND = re.compile(r"(?i)(?:^|\s)(?:and|others)(?:\s|$)")
_TEXTS = tuple(name for name in TEXT_FIELDS if name != "type")
_NAMES = {"issue": "number"}
_HOLDING_ARTICLES = ("article", "periodical", "misc", "unpublished", "online")
_PARTS = (
    ("keywords", "keywords"),
    ("place", "address"),
    ("abbreviation", "shortjournal"),
    ("series", "series"),
    ("affiliations", "affiliation"),
    ("notes", "note"),
)
_PASSED = re.compile(
    "addendum|annotation|annote|archiveprefix|chapter|coden|copyright|crossref|date|date-added|date-modified|day"
    "|document_type|editora?type|entrysubtype|eprint|eprintclass|eprinttype|eventdate|eventtitle|file|foreword|groups"
    "|howpublished|institution|isrn|journalsubtitle|key|keywords-plus|langid|lccn|maintitle|medium|month|mrclass|mrnumber"
    "|origdate|organization|options|owner|page|pagetotal|part|primaryclass|pubstate|school|shorthand|shorttitle|source"
    "|timestamp|titleaddon|translator|type|unique-id|urldate|url|venue|version|volumes|year|zblnumber"
    "|(?:mendeley|bdsk|jabref|citeulike|funding|research|web-of-science|correspondence_address|author_address)[a-z0-9_-]*"
)
"""Fields of BibTeX, BibLaTeX and what exports BibTeX that are passed on as they were received."""


def write(records: Iterable[Record], stream: IO[bytes], options: Options = DEFAULTS) -> None:
    """The records as entries; the field `bibfold` holds what the other fields cannot, unless they are to be plain."""
    keys: dict[str, int] = {}
    for record in records:
        key = unique("".join(_KEY.findall(record.id)) or "record", keys)
        fields: dict[str, str] = {}
        for name, value in _fields(record, parts(record)):
            if value and is_safe(value):
                fields.setdefault(name, value)
        if not options.plain and (rest := remainder(record, _again(record, key, fields), options)):
            fields["bibfold"] = _matched(rest)
        stream.write(_text(record, key, fields).encode())


def _again(record: Record, key: str, fields: dict[str, str]) -> Record:
    """What our reader makes of an entry."""
    items = read(io.BytesIO(_text(record, key, fields).encode()), Origin("", ""))
    return next((item for item in items if isinstance(item, Record)), Record(source="", id=""))


def _fields(record: Record, held: Parts) -> Iterator[tuple[str, str]]:
    """The fields of an entry, the model's first; of a name that comes twice, the first counts."""
    more = ["others"] if str(record.extra.get("author", "")).endswith(" and others") else []
    yield "author", " and ".join([*map(_name, record.authors), *more]) if record.authors else ""
    yield "editor", " and ".join(map(_name, held.editors))
    yield from _texts(record)
    yield "year", "" if record.year is None else str(record.year)
    yield from _identifiers(record)
    yield "url", squeeze("".join(held.urls[:1]))
    yield from map(_date, held.dates)
    for part, field in _PARTS:
        yield field, latex.encode(_joined(part, getattr(held, part)))
    for name, value in held.rest.items():
        yield from _passed(name.removeprefix("bibtex:"), value)


def _texts(record: Record) -> Iterator[tuple[str, str]]:
    for field in _TEXTS:
        name = _NAMES.get(field, field)
        if field == "publication":
            name = "journal" if bibtex_type(record) in _HOLDING_ARTICLES else "booktitle"
        text = latex.encode(squeeze(getattr(record, field)))
        yield name, re.sub(r"(?<=\d)-(?=\d)", "--", text) if field == "pages" else text


def _identifiers(record: Record) -> Iterator[tuple[str, str]]:
    for kind in ("doi", "pmid", "pmcid"):
        if values := record.identifiers.get(kind):
            yield kind, squeeze(values[0])
    for kind in ("isbn", "issn"):
        yield kind, squeeze(", ".join(record.identifiers.get(kind, ())))
    if arxiv := record.identifiers.get("arxiv"):
        yield from (("eprint", squeeze(arxiv[0])), ("archiveprefix", "arXiv"))


def _passed(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if _PASSED.fullmatch(name) and isinstance(value, str):
        yield name, squeeze(value) if name in VERBATIM else latex.encode(squeeze(value))


def _date(iso: str) -> tuple[str, str]:
    """A month in the field of its own, a day in BibLaTeX's."""
    year_month = re.fullmatch(r"\d+-(\d\d)", iso)
    return ("month", MONTHS[int(year_month[1]) - 1]) if year_month else ("date", iso)


def _joined(part: str, values: tuple[str, ...]) -> str:
    comma = part == "keywords" and not any("," in value for value in values)
    return (", " if comma else "; ").join(map(squeeze, values))


def _name(text: str) -> str:
    """A name for a list of names; in braces if it is an organisation's, or would be taken for more than one."""
    name = name_of(text)
    if name.organisation or _AND.search(text):
        return f"{{{latex.encode(name.organisation or squeeze(text))}}}"
    return latex.encode(_inverted(name))


def _inverted(name: Name) -> str:
    return ", ".join(part for part in (name.family, name.suffix, name.given) if part)


def _text(record: Record, key: str, fields: dict[str, str]) -> str:
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{bibtex_type(record)}{{{key},\n{body}}}\n\n"


def _matched(json: str) -> str:
    """JSON whose texts have their braces escaped, so that the braces that are left match."""
    return _JSON_TEXT.sub(lambda text: text.group().replace("{", "\\u007b").replace("}", "\\u007d"), json)
