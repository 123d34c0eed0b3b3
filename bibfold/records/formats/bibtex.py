"""BibTeX and BibLaTeX entries as records, and records as entries."""

import re
from collections.abc import Iterator, Mapping
from typing import IO

from bibfold.errors import RecordError
from bibfold.records.formats import Origin, latex
from bibfold.records.formats.attempt import attempt
from bibfold.records.formats.bibtex_crossref import Family, Placed
from bibfold.records.formats.bibtex_syntax import MARKS, Entry, entries
from bibfold.records.formats.charset import check, excerpt, lines
from bibfold.records.formats.remainder import restored
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
)
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
VERBATIM = frozenset({"doi", "url", "eprint", "pmid", "pmcid", "isbn", "issn", "file"})
_AND = re.compile(r"[{}]|\\.|(?<!\S)and(?!\S)", re.IGNORECASE | re.DOTALL)
_ARXIV = re.compile(r"(?:arXiv:)?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.IGNORECASE)


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
    if name in VERBATIM:
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
