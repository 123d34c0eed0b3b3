"""BibTeX and BibLaTeX entries as records, and records as entries."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from bibfold.errors import RecordError
from bibfold.records.formats import Origin, latex
from bibfold.records.formats.attempt import attempt
from bibfold.records.formats.bibtex_crossref import Family, Placed
from bibfold.records.formats.bibtex_syntax import MARKS, Entry, entries, is_safe
from bibfold.records.formats.charset import check, excerpt, lines
from bibfold.records.formats.remainder import remainder, restored
from bibfold.records.formats.tagged import blocks
from bibfold.records.formats.values import (
    Fields,
    gather,
    left,
    linked,
    noted,
    serials,
    squeeze,
    take,
    take_all,
    take_year,
    unique,
)
from bibfold.records.formats.work_types import bibtex_type
from bibfold.records.model import DeadLetter, Record

_TEXTS = {
    "title": ("title",),
    "subtitle": ("subtitle",),
    "publication": ("journal", "journaltitle", "booktitle"),
    "volume": ("volume",),
    "issue": ("number", "issue"),
    "pages": ("pages",),
    "edition": ("edition",),
    "publisher": ("publisher",),
    "language": ("language",),
    "abstract": ("abstract",),
}
_VERBATIM = frozenset({"doi", "url", "eprint", "pmid", "pmcid", "isbn", "issn", "file"})
_AND = re.compile(r"[{}]|\\.|(?<!\S)and(?!\S)", re.IGNORECASE | re.DOTALL)
_ARXIV = re.compile(r"(?:arXiv:)?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.IGNORECASE)
_KEY = re.compile(r"[^\s,={}()\"#%~\\@']+")
_JSON_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"')
_OTHERS = " and others"


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The entries but for comments, preambles and macros; text between entries is a comment.

    An entry that refers to a later one by `crossref` comes behind that one.
    """
    family = Family()
    found = False
    for item in _entries(stream, origin):
        found = True
        if isinstance(item, DeadLetter):
            yield item
        else:
            yield from (attempt(_record, entry, origin, letter) for entry, letter in family.join(item))
    yield from (attempt(_record, entry, origin, letter) for entry, letter in family.left())
    if not found:
        reason = "no entry such as `@article{` in it"
        yield DeadLetter(file=origin.file, position="whole file", reason=reason)


def _entries(stream: IO[bytes], origin: Origin) -> Iterator[Placed | DeadLetter]:
    macros: dict[str, str] = {}
    for block in blocks(lines(stream, origin.largest), MARKS, origin.largest):
        text = "".join(block.lines)

        def letter(reason: str, number: int = block.number, text: str = text) -> DeadLetter:
            return DeadLetter(file=origin.file, position=f"line {number}", reason=reason, raw=excerpt(text))

        waiting = _parsed(text, block.reason, macros)
        while (entry := attempt(_next, waiting, origin, letter)) is not None:
            yield entry if isinstance(entry, DeadLetter) else Placed(entry, letter)


def _parsed(text: str, reason: str, macros: dict[str, str]) -> Iterator[Entry]:
    if reason:
        raise RecordError("entry", reason)
    check(text)
    for entry in entries(text, macros):
        if not entry.fields:
            raise RecordError("entry", f"entry {entry.key!r} has no fields")
        yield entry


def _next(waiting: Iterator[Entry], _: Origin) -> Entry | None:
    return next(waiting, None)


def write(records: Iterable[Record], stream: IO[bytes]) -> None:
    """The records as entries; the field `bibfold` holds what the other fields cannot."""
    keys: dict[str, int] = {}
    for record in records:
        key = unique("".join(_KEY.findall(record.id)) or "record", keys)
        fields = list(_fields(record))
        [again] = entries(_text(record, key, fields), {})
        if rest := remainder(record, _record(again, Origin("", ""))):
            fields.append(("bibfold", _matched(rest)))
        stream.write(_text(record, key, fields).encode())


def _record(entry: Entry, origin: Origin) -> Record:
    fields: Fields = {}
    for name, value in entry.fields:
        if value.strip():
            fields.setdefault(name, []).append(value)
    rest = "".join(fields.pop("bibfold", ()))
    authors = _authors(fields)
    for name, values in fields.items():
        fields[name] = [_plain(name, value) for value in values]
    texts = {field: take(fields, *names) for field, names in _TEXTS.items()}
    identifiers = _identifiers(fields)
    year = take_year(fields, "year", "date")
    record = Record(
        source=origin.source,
        id=entry.key,
        type=entry.type,
        authors=authors,
        year=year,
        identifiers=identifiers,
        extra=left(fields, "bibtex", year),
        **texts,
    )
    return restored(record, rest)


def _plain(name: str, value: str) -> str:
    if name in _VERBATIM:
        return squeeze(latex.decode(value, ligatures=False))
    return squeeze(latex.decode(re.sub("--+", "-", value) if name == "pages" else value))


def _authors(fields: Fields) -> tuple[str, ...]:
    """The names of the authors, or else of the editors; a list that ends in "and others" is also kept as it was."""
    role = "author" if "author" in fields else "editor"
    text = " and ".join(fields.pop(role, ()))
    names = [name for name in map(str.strip, _parted(text)) if name]
    if names and names[-1].lower() == "others":
        names.pop()
        fields[role] = [text]
    return tuple(squeeze(latex.decode(name)) for name in names)


def _parted(text: str) -> Iterator[str]:
    """The names between each "and" that stands outside braces."""
    depth = start = 0
    for found in _AND.finditer(text):
        mark = found.group()
        if mark in "{}":
            depth += 1 if mark == "{" else -1
        elif depth == 0 and mark[0] != "\\":
            yield text[start : found.start()]
            start = found.end()
    yield text[start:]


def _identifiers(fields: Fields) -> Mapping[str, tuple[str, ...]]:
    """Identifiers from their own fields, and from links and notes where those are missing."""
    pairs = [(kind, value) for kind in ("doi", "pmid", "pmcid") for value in take_all(fields, kind)]
    for kind in ("isbn", "issn"):
        for value in take_all(fields, kind):
            pairs.extend(serials(value, kind))
    pairs.extend(_eprint(fields))
    told = {kind for kind, _ in pairs}
    hints = [pair for url in fields.get("url", ()) if (pair := linked(url))]
    hints += [pair for note in fields.get("note", ()) for pair in noted(note)]
    return gather([*pairs, *(pair for pair in hints if pair[0] not in told)])


def _eprint(fields: Fields) -> Iterator[tuple[str, str]]:
    """The arXiv id or PMID that `eprint` holds, as `archiveprefix` or `eprinttype` says or as it looks."""
    eprint = "".join(fields.get("eprint", ())[:1])
    names = ("archiveprefix", "eprinttype")
    archive = next((fields[name][0].lower() for name in names if name in fields), "")
    kind = {"arxiv": "arxiv", "pubmed": "pmid", "pmid": "pmid"}.get(archive)
    if not archive and _ARXIV.fullmatch(eprint):
        kind = "arxiv"
    if kind and eprint:
        take(fields, "eprint")
        take(fields, *names)
        yield kind, eprint


def _fields(record: Record) -> Iterator[tuple[str, str]]:
    """The fields of an entry: those of the model first, then what `extra` holds under names like theirs."""
    others = _OTHERS if str(record.extra.get("author", "")).endswith(_OTHERS) else ""
    yield "author", " and ".join(map(_name, record.authors)) + (others if record.authors else "")
    names = {field: names[0] for field, names in _TEXTS.items()}
    if bibtex_type(record.type) not in ("article", "misc"):
        names["publication"] = "booktitle"
    yield from ((name, latex.encode(squeeze(getattr(record, field)))) for field, name in names.items())
    yield "year", "" if record.year is None else str(record.year)
    for kind in ("doi", "pmid", "pmcid"):
        yield kind, squeeze("".join(record.identifiers.get(kind, ())[:1]))
    for kind in ("isbn", "issn"):
        yield kind, squeeze(", ".join(record.identifiers.get(kind, ())))
    if arxiv := record.identifiers.get("arxiv"):
        yield from (("eprint", squeeze(arxiv[0])), ("archiveprefix", "arXiv"))
    for name, value in record.extra.items():
        yield from _extra_field(name.removeprefix("bibtex:"), value)


def _extra_field(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if re.fullmatch(r"[a-z][a-z0-9_-]*", name) and name not in ("author", "bibfold"):
        items = [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)]
        text = squeeze("; ".join(items))
        yield name, text if name in _VERBATIM else latex.encode(text)


def _name(author: str) -> str:
    """A name for the list of authors, in braces where it would be taken for more than one."""
    text = latex.encode(squeeze(author))
    return f"{{{text}}}" if re.search(r"(?i)(?:^|\s)(?:and|others)(?:\s|$)", text) else text


def _text(record: Record, key: str, fields: Iterable[tuple[str, str]]) -> str:
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in fields if value and is_safe(value))
    return f"@{bibtex_type(record.type)}{{{key},\n{body}}}\n\n"


def _matched(json: str) -> str:
    """JSON whose texts have their braces escaped, so that the braces that are left match."""
    return _JSON_TEXT.sub(lambda text: text.group().replace("{", "\\u007b").replace("}", "\\u007d"), json)
