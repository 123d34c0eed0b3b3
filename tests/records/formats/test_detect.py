"""Formats by content, whatever a file is called."""

import random

import pytest

from bibfold.errors import InputError
from bibfold.records.formats.detect import detect

MARC = b"00714cam a2200205 a 4500001001300000\x1e   12345\x1e\x1d"
CONTENTS = [
    ("jsonl", b'{"title": "A", "authors": ["B"]}\n'),
    ("jsonl", b'\n  {"id": 1}\n'),
    ("jsonl", b'{"title": "broken\n{"title": "whole"}\n'),
    ("jsonl", b'{"title": "A", "DOI": "10.5/1", "authors": ["B"]}'),
    ("jsonl", b'{"title": "' + b"x" * 70_000),
    ("crossref", b'{"status": "ok", "message": {"items": []}}'),
    ("crossref", b'{\n "status": "ok",\n "message": {\n  "items": [\n'),
    ("crossref", b'{"items": [{"DOI": "10.5/1"}]}'),
    ("crossref", b'{"DOI": "10.5/1", "title": ["A"]}\n{"DOI"'),
    ("crossref", b'[{"DOI": "10.5/1", "title": ["A"]}]'),
    ("csl-json", b'[\n {\n  "id": "x",\n  "container-title": "Shelf"'),
    ("csl-json", b'[{"id": "x", "title": "A", "author": [{"family": "B"}]}]'),
    ("bibtex", b"@article{a, title = {TY  - }}"),
    ("bibtex", b"% a comment\n\n  @Book (a, title = {B})"),
    ("bibtex", b'{some note}\n@string{a = "b"}'),
    ("ris", b"TY  - JOUR\nTI  - A\n"),
    ("ris", b"Provider: X\r\n\r\nTY  - JOUR\r\n"),
    ("ris", b"TY  - JOUR\nAB  - see\n@article{x,\n"),
    ("ris", b"TY - JOUR\nTI - A\n"),
    ("ris", b"TY  - JOUR\nAB  - \x02 a stray byte\n" + b"TI  - A\n" * 20),
    ("nbib", b"\nPMID- 12345\nOWN - NLM\n"),
    ("marc21", MARC),
    ("marc21", b"\n" + MARC),
    ("marcxml", b'<collection xmlns="http://www.loc.gov/MARC21/slim"><record>'),
    ("marcxml", b'<?xml version="1.0"?><!-- x --><marc:record xmlns:marc="http://www.loc.gov/MARC21/slim">'),
    ("marcxml", b"<record><leader>00714cam</leader>"),
    ("marcxml", b'<OAI-PMH><ListRecords><record xmlns="http://www.loc.gov/MARC21/slim">'),
    ("endnote", b"<?xml version='1.0'?><xml><records><record><database"),
    ("oai-dc", b'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>'),
    ("oai-dc", b'<oai_dc:dc xmlns:dc="http://purl.org/dc/elements/1.1/">'),
    ("wos", b"FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Roe, A\n"),
    ("wos", b"PT J\nAU Roe, A\nTI A\n"),
    ("enw", b"%0 Journal Article\n%T A\n"),
    ("enw", b"%A A. Roe\n%T A\n%D 2000\n"),
    ("ovid", b"<1. >\nVN  - Ovid Technologies\nAU  - Roe, A\n"),
    ("ovid", b"<1>\nUnique Identifier\n  1\nTitle\n  A\n"),
    ("nbib", b"OWN - ERIC\nTI  - A\n"),
    ("openalex", b'{"meta": {"count": 1}, "results": [{"id": "https://openalex.org/W1"'),
    ("openalex", b'{"id": "https://openalex.org/W1", "title": "A", "authorships": []}\n'),
    ("datacite", b'{"data": [{"id": "10.5/1", "type": "dois", "attributes": {}, "relationships": {}}]}'),
    ("datacite", b'{\n "data": {\n  "attributes": {\n   "titles": []\n  },\n  "relationships": {}\n }\n}'),
    ("pubmed-xml", b'<?xml version="1.0"?><!DOCTYPE PubmedArticleSet SYSTEM "x"><PubmedArticleSet><PubmedArticle>'),
    ("mods", b'<modsCollection xmlns="http://www.loc.gov/mods/v3"><mods>'),
    ("mods", b"<OAI-PMH><ListRecords><record><metadata><mods:mods>"),
    ("sru", b"<zs:searchRetrieveResponse><zs:records><zs:record><zs:recordData><record><leader>"),
    ("unixref", b'<?xml version="1.0"?><doi_records><doi_record owner="10.5">'),
    ("bibtex", b"@web_page{a, title = {B}}"),
    ("csv", b"About the data\n\nRank,DOI,Title\n1,10.5/1,A\n"),
    ("csv", b"title,authors,year\nA,B,2000\n"),
    ("csv", b'"Key","Item Type","Title"\n"K","x","TY  - not RIS"\n'),
    ("csv", b'title;abstract\nA;"a line\nTY  - JOUR"\n'),
    ("csv", b"PT\tAU\tTI\tPY\nJ\tX\tY\t2000\n"),
]


@pytest.mark.parametrize("ending", ["", ".ris", ".csv", ".bib", ".xml", ".mrc", ".json", ".txt"])
@pytest.mark.parametrize(("name", "content"), CONTENTS)
def test_the_content_decides(name: str, content: bytes, ending: str) -> None:
    assert detect(content, f"export{ending}") == name


@pytest.mark.parametrize(
    ("path", "content", "name"),
    [
        ("a.csv", b"Nr,Titel\n1,A\n", "csv"),
        ("a.tsv", b"one\ttwo\n", "csv"),
        ("a.bib", b"% nothing yet\n", "bibtex"),
        ("a.ris.gz", b"no record\n", "ris"),
        ("a.jsonl", b'{"broken\n', "jsonl"),
    ],
)
def test_the_ending_decides_where_the_content_does_not(path: str, content: bytes, name: str) -> None:
    assert detect(content, path) == name


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (random.Random(1).randbytes(5000), "a.ris: bytes that are not text, of no known format"),
        ("title".encode("utf-16-le"), "bytes that are not text"),
        (b"Dear reader,\nhow do you do", r"text that begins with 'Dear reader, how do you do'.*--format \(jsonl, "),
        (b"%PDF-1.7 ...", "a.ris: is a PDF file"),
        (b"PK\x03\x04...", "is a ZIP archive or an office document"),
        (b"BZh91AY", "compressed in a way that is not read here"),
        (b"<!DOCTYPE html><title>Log in</title>", "is an HTML page"),
        (b"<html>", "is an HTML page"),
    ],
)
def test_what_is_no_known_format(content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        detect(content, "a.ris" if message.startswith("a.ris") else "a")


def test_markup_is_not_what_a_text_ending_says() -> None:
    with pytest.raises(InputError, match="of no known format"):
        detect(b"<svg></svg>", "a.csv")
