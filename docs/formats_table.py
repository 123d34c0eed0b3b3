"""Prints how bibfold reads real exports beside readers of other projects: `python docs/formats_table.py [FOLDER...]`.

For each format: files, records, dead letters, and how many of the other reader's titles, and titles with their year,
bibfold found as well. Folders are searched for files; by default those of the tests and, where it is there, the shared
one (`BIBFOLD_DATA`). The other readers are tools of the tests: rispy, bibtexparser, pymarc, lxml, openpyxl, json, csv.
"""

import csv
import io
import json
import logging
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import bibtexparser
import openpyxl
import pymarc
import rispy
from lxml import etree

from bibfold.errors import InputError
from bibfold.records.formats import FORMATS
from bibfold.records.formats.charset import decode
from bibfold.records.formats.detect import detect
from bibfold.records.formats.files import read_file
from bibfold.records.formats.latex import decode as without_latex
from bibfold.records.model import Record
from bibfold.text import fold

HERE = Path(__file__).parent
Reading = Iterator[tuple[str, str]]
"""Title and year of each record."""

_YEAR = re.compile(r"\d{4}")


def ris(data: bytes) -> Reading:
    """By rispy, which stops at a line it does not know: then without that file's years."""
    for entry in rispy.loads(decode(data).lstrip("\ufeff"), skip_unknown_tags=True):
        title = entry.get("title") or entry.get("primary_title") or ""
        yield title, str(entry.get("year") or entry.get("publication_year") or entry.get("date") or "")


def bibtex(data: bytes) -> Reading:
    """By bibtexparser 2; its values are read as LaTeX by our own table."""
    for entry in bibtexparser.parse_string(decode(data)).entries:
        fields = {name.lower(): without_latex(str(field.value)) for name, field in entry.fields_dict.items()}
        yield fields.get("title", ""), fields.get("year") or fields.get("date", "")


def wos(data: bytes) -> Reading:
    """By rispy's reader for Web of Science."""
    for entry in rispy.loads(decode(data).lstrip("\ufeff"), implementation=rispy.WokParser):
        yield entry.get("document_title", ""), str(entry.get("publication_year", ""))


def marc21(data: bytes) -> Reading:
    """By pymarc; the year is not compared, since it is a matter of choice."""
    for record in pymarc.MARCReader(io.BytesIO(data), to_unicode=True, permissive=True, utf8_handling="replace"):
        if record is not None and record.leader[5] != "d":
            yield _marc_title(record), ""


def marcxml(data: bytes) -> Reading:
    """By lxml, which mends what is broken."""
    for record in etree.fromstring(data, etree.XMLParser(recover=True)).iter("{*}record"):
        if record.find("{*}leader") is not None or record.find("{*}datafield") is not None:
            parts = record.xpath("(*[@tag='245'])[1]/*[@code='a' or @code='n' or @code='p']")
            yield " ".join(part.text or "" for part in parts), ""


def _marc_title(record: Any) -> str:
    return " ".join(" ".join(field.get_subfields("a", "n", "p")) for field in record.get_fields("245")[:1])


def table(data: bytes) -> Reading:
    """By the standard library's csv."""
    text = decode(data).lstrip("\ufeff")
    rows = csv.DictReader(io.StringIO(text), delimiter="\t" if "\t" in text.partition("\n")[0] else ",")
    for row in rows:
        plain = {re.sub("[^a-z]", "", str(name).lower()): value or "" for name, value in row.items()}
        yield plain.get("title", ""), plain.get("year") or plain.get("publicationyear", "")


def excel(data: bytes) -> Reading:
    """By openpyxl."""
    header, *rows = openpyxl.load_workbook(io.BytesIO(data)).active.iter_rows(values_only=True)
    for row in rows:
        found = dict(zip(header, row, strict=True))
        yield str(found["Article Title"]), str(found["Publication Year"])


def tagged(title: str, year: str) -> Callable[[bytes], Reading]:
    """By a regular expression, for tagged formats that no other project reads in Python."""

    def read(data: bytes) -> Reading:
        text = re.sub(r"\r\n?", "\n", decode(data))
        for block in re.split(r"\n\s*\n(?=PMID|%0|<\d|OWN)", text):
            found = re.search(rf"^{title}\s*(.+(?:\n\s+.+)*)", block, re.MULTILINE)
            dated = re.search(rf"^{year}\s*(.+)", block, re.MULTILINE)
            if found:
                yield " ".join(found[1].split()), dated[1] if dated else ""

    return read


def xml(record: str, title: str, year: str) -> Callable[[bytes], Reading]:
    """By lxml and XPath."""

    def read(data: bytes) -> Reading:
        for found in etree.fromstring(data, etree.XMLParser(recover=True)).iter(f"{{*}}{record}"):
            yield tuple(" ".join(str(found.xpath(f"string({path})")).split()) for path in (title, year))  # type: ignore[misc]

    return read


def in_json(places: str, title: str, year: str) -> Callable[[bytes], Reading]:
    """By the standard library's json; a path of names leads to the works, and within one to a value."""

    def read(data: bytes) -> Reading:
        works = _at(json.loads(data), places)
        for work in works if isinstance(works, list) else [works]:
            yield str(_at(work, title) or ""), str(_at(work, year) or "")

    return read


def lines(data: bytes) -> Reading:
    """By the standard library's json, line by line; a line that is no JSON is left out."""
    for line in data.splitlines():
        try:
            value = json.loads(line)
            yield str(value.get("title", "")), str(value.get("year", ""))
        except (ValueError, AttributeError):
            continue


def _at(value: Any, path: str) -> Any:
    for name in filter(None, path.split("/")):
        if isinstance(value, list):
            value = value[0] if value else None
        value = value.get(name) if isinstance(value, dict) else None
    return (
        value[0] if isinstance(value, list) and path.count("/") and value and not isinstance(value[0], dict) else value
    )


_IN_MODS = ".//*[local-name()="
READERS: dict[str, tuple[str, Callable[[bytes], Reading]]] = {
    "jsonl": ("json", lines),
    "marc21": ("pymarc", marc21),
    "marcxml": ("lxml", marcxml),
    "bibtex": ("bibtexparser", bibtex),
    "ris": ("rispy", ris),
    "csv": ("csv", table),
    "endnote": ("lxml", xml("record", "titles/title", "dates/year")),
    "nbib": ("a pattern", tagged("TI  -", "DP  -")),
    "crossref": ("json", in_json("message/items", "title/", "issued/date-parts")),
    "csl-json": ("json", in_json("", "title", "issued")),
    "wos": ("rispy", wos),
    "pubmed-xml": ("lxml", xml("*", "MedlineCitation/Article/ArticleTitle", "''")),
    "enw": ("a pattern", tagged("%T", "%D")),
    "openalex": ("json", in_json("results", "title", "publication_year")),
    "mods": ("lxml", xml("mods", f"{_IN_MODS}'titleInfo'][not(@type)][1]", f"({_IN_MODS}'dateIssued'])[1]")),
    "xlsx": ("openpyxl", excel),
    "datacite": ("json", in_json("data", "attributes/titles/title", "attributes/publicationYear")),
    "ovid": ("a pattern", tagged("TI  -", "YR  -")),
    "sru": ("lxml", xml("recordData", "(.//*[local-name()='title' or @code='a'])[1]", "''")),
    "unixref": ("lxml", xml("crossref", "(.//journal_article|.//content_item)/titles/title", "''")),
    "oai-dc": ("lxml", xml("dc", "*[local-name()='title'][1]", "''")),
}
"""For each format the other reader, and what it is called."""


class Row:
    """The counts of one format."""

    def __init__(self) -> None:
        self.files = self.records = self.letters = self.theirs = self.titles = self.years = self.dated = self.failed = 0

    def add(self, name: str, path: Path) -> None:
        """Read a file in both ways."""
        items = list(read_file(str(path)))
        ours = [item for item in items if isinstance(item, Record)]
        self.files += 1
        self.records += len(ours)
        self.letters += len(items) - len(ours)
        try:
            with redirect_stderr(io.StringIO()):
                read = list(READERS[name][1](path.read_bytes()))
        except Exception:  # noqa: BLE001 - the other reader gives up on this file
            self.failed += 1
            return
        theirs = [(_key(title), "".join(_YEAR.findall(year)[:1])) for title, year in read]
        self._compare(ours, [(title, year) for title, year in theirs if title])

    def _compare(self, ours: list[Record], theirs: list[tuple[str, str]]) -> None:
        """Count the other reader's titles that ours hold or begin with, and the same with their year."""
        titles = Counter(_key(record.title) for record in ours)
        whole = Counter(_key(f"{record.title} {record.subtitle}") for record in ours)
        dated = Counter((_key(record.title), str(record.year)) for record in ours)
        self.theirs += len(theirs)
        self.titles += max(sum((Counter(t for t, _ in theirs) & counts).values()) for counts in (titles, whole))
        with_year = [(title, year) for title, year in theirs if year]
        self.dated += len(with_year)
        self.years += sum((Counter(with_year) & dated).values())


def _key(title: str) -> str:
    return fold(title)[:80].strip()


def files(folders: list[Path]) -> Iterator[tuple[str, Path]]:
    """The files of known formats, with the format."""
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        if path.with_suffix(".xml").exists() and path.suffix == ".bib":
            continue  # what another project expects of the file beside it
        try:
            yield detect(path.read_bytes()[:65536], str(path)), path
        except InputError:
            continue


def main(folders: list[Path]) -> None:
    """Print the table."""
    logging.disable()
    rows = {name: Row() for name in FORMATS}
    for name, path in files(folders):
        rows[name].add(name, path)
    text = ["| format | files | records | dead letters | other reader | its titles found | with their year |"]
    text.append("|---|---|---|---|---|---|---|")
    for name, row in rows.items():
        if row.files:
            other = f"{READERS[name][0]}{f' (gives up on {row.failed})' if row.failed else ''}"
            shares = (_share(row.titles, row.theirs), _share(row.years, row.dated))
            text.append(f"| {name} | {row.files} | {row.records:,} | {row.letters} | {other} | {' | '.join(shares)} |")
    sys.stdout.write("\n".join(text) + "\n")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} % of {whole:,}" if whole else "–"


if __name__ == "__main__":
    shared = Path(os.environ.get("BIBFOLD_DATA", HERE.parent.parent / "shared" / "data")) / "formats"
    main([Path(name) for name in sys.argv[1:]] or [HERE.parent / "tests" / "data" / "formats", shared])
