"""For each format a file of records that hold little but a title, for what must be true of every reader."""

import io
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import openpyxl


class Sample(msgspec.Struct, frozen=True):
    """A format's records: what stands before, between and after them, and how one is written.

    `maker` is the function, by its module, that makes a record; `sized` says whether a record's size is watched; `cut`
    is what ends a file that was cut off in its third record.
    """

    format: str
    make: Callable[[str], bytes]
    maker: tuple[str, str]
    head: bytes = b""
    between: bytes = b""
    foot: bytes = b""
    sized: bool = True
    cut: bytes = b""

    def joined(self, titles: list[str]) -> bytes:
        if self.format == "xlsx":
            return workbook([["Title", "Year"], *([title, 2000] for title in titles)])
        return self.head + self.between.join(map(self.make, titles)) + self.foot


def workbook(rows: list[list[Any]]) -> bytes:
    """An Excel file with one sheet of these rows."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Results")
    for row in rows:
        sheet.append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def template(text: str) -> Callable[[str], bytes]:
    return lambda title: text.replace("TITLE", title).encode()


def marc21(title: str) -> bytes:
    fields = [(b"001", b"1\x1e"), (b"245", b"00\x1fa" + title.encode() + b"\x1e")]
    directory = b"".join(b"%s%04d%05d" % (tag, min(len(content), 9999), 0) for tag, content in fields) + b"\x1e"
    body = directory + b"".join(content for _, content in fields) + b"\x1d"
    base = 24 + len(directory)
    return b"%05dnam a22%05d u 4500" % (min(24 + len(body), 99999), base) + body


def _no_bytes(title: str) -> bytes:
    return title.encode() + b"\n"


_JSON_LINE = template('{"title": "TITLE", "note": "of its own"}\n')
_MARCXML = (
    "<record><leader>00000nam a2200000 u 4500</leader>"
    '<datafield tag="245" ind1="0" ind2="0"><subfield code="a">TITLE</subfield></datafield></record>\n'
)
_OAI = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>\n'
_DC = "<record><header><identifier>oai:x:TITLE</identifier></header><metadata><dc><title>TITLE</title></dc></metadata>"

_SAMPLES = (
    Sample("jsonl", _JSON_LINE, ("jsonl", "from_native"), cut=b'{"title": "Third"'),
    Sample("marc21", marc21, ("marc21", "parse"), cut=b"aThird"),
    Sample(
        "marcxml",
        template(_MARCXML),
        ("marcxml", "from_marc"),
        head=b'<collection xmlns="http://www.loc.gov/MARC21/slim">\n',
        foot=b"</collection>\n",
        cut=b">Third",
    ),
    Sample(
        "bibtex",
        template("@article{a,\n  title = {TITLE},\n  year = 2000\n}\n"),
        ("bibtex", "_authors"),
        cut=b"{Third},\n",
    ),
    Sample(
        "ris",
        template("TY  - JOUR\nTI  - TITLE\nPY  - 2000\nER  - \n\n"),
        ("ris", "_identifiers"),
        cut=b"Third\nPY  - 2000\n",
    ),
    Sample(
        "csv",
        template("TITLE,Doe J,2000\r\n"),
        ("csv", "_identifiers"),
        head=b"title,authors,year\r\n",
        cut=b"Third,Doe",
    ),
    Sample(
        "endnote",
        template(
            '<record><database name="x">x</database><ref-type name="Journal Article">17</ref-type>'
            "<titles><title><style>TITLE</style></title></titles></record>\n"
        ),
        ("endnote", "gather"),
        head=b'<?xml version="1.0" encoding="UTF-8"?><xml><records>\n',
        foot=b"</records></xml>\n",
        cut=b">Third",
    ),
    Sample(
        "nbib",
        template("PMID- 1\nOWN - NLM\nTI  - TITLE\nSO  - J Cat. 2000\n\n"),
        ("nbib", "_authors"),
        cut=b"Third\n",
    ),
    Sample(
        "crossref",
        template('{"DOI": "10.5555/1", "title": ["TITLE"]}'),
        ("crossref", "to_record"),
        head=b'{"status": "ok", "message-type": "work-list", "message": {"items": [',
        between=b", ",
        foot=b"]}}",
        cut=b'"title": ["Third',
    ),
    Sample(
        "csl-json",
        template('{\n  "id": "a",\n  "type": "book",\n  "title": "TITLE",\n  "issued": {"raw": "2000-05"}\n}'),
        ("csl", "to_record"),
        head=b"[\n",
        between=b",\n",
        foot=b"\n]\n",
        cut=b'"title": "Third',
    ),
    Sample(
        "wos",
        template("PT J\nAU Roe, A\nTI TITLE\nSO Shelves\nPY 2000\nUT WOS:1\nER\n\n"),
        ("wos", "_identifiers"),
        head=b"FN Clarivate Analytics Web of Science\nVR 1.0\n",
        foot=b"EF\n",
        cut=b"TI Third\nSO Shelves\n",
    ),
    Sample(
        "pubmed-xml",
        template(
            "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>TITLE</ArticleTitle></Article>"
            "</MedlineCitation></PubmedArticle>\n"
        ),
        ("pubmed_xml", "_pages"),
        head=b'<?xml version="1.0"?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle" "https://x.y/z.dtd">\n'
        b"<PubmedArticleSet>\n",
        foot=b"</PubmedArticleSet>\n",
        cut=b">Third",
    ),
    Sample("enw", template("%0 Journal Article\n%A Roe, A\n%T TITLE\n%D 2000\n\n"), ("enw", "_identifiers")),
    Sample(
        "openalex",
        template('{"id": "https://openalex.org/W1", "title": "TITLE", "authorships": []}'),
        ("openalex", "_identifiers"),
        head=b'{"meta": {"count": 3}, "results": [',
        between=b", ",
        foot=b'], "group_by": []}',
        cut=b'"title": "Third',
    ),
    Sample(
        "mods",
        template('<mods ID="a"><titleInfo><title>TITLE</title></titleInfo></mods>\n'),
        ("mods", "_authors"),
        head=b'<modsCollection xmlns="http://www.loc.gov/mods/v3">\n',
        foot=b"</modsCollection>\n",
        cut=b">Third",
    ),
    Sample("xlsx", _no_bytes, ("xlsx", "read_row"), sized=False),
    Sample(
        "datacite",
        template(
            '{"id": "10.5555/1", "type": "dois", "attributes": {"titles": [{"title": "TITLE"}]}, "relationships": {}}'
        ),
        ("datacite", "_titles"),
        head=b'{"data": [',
        between=b", ",
        foot=b'], "meta": {"total": 3}, "links": {}}',
        cut=b'"title": "Third',
    ),
    Sample(
        "ovid",
        template("<1. >\nVN  - Ovid Technologies\nDB  - Shelves\nAN  - 1\nTI  - TITLE\nYR  - 2000\n\n"),
        ("ovid", "_identifiers"),
    ),
    Sample(
        "sru",
        template(f"<zs:record><zs:recordData>{_MARCXML}</zs:recordData></zs:record>\n"),
        ("marcxml", "from_marc"),
        head=b'<zs:searchRetrieveResponse xmlns:zs="http://www.loc.gov/zing/srw/"><zs:records>\n',
        foot=b"</zs:records></zs:searchRetrieveResponse>\n",
        cut=b">Third",
    ),
    Sample(
        "unixref",
        template(
            "<doi_record><crossref><journal><journal_article><titles><title>TITLE</title></titles>"
            "<doi_data><doi>10.5555/1</doi></doi_data></journal_article></journal></crossref></doi_record>\n"
        ),
        ("unixref", "_authors"),
        head=b"<doi_records>\n",
        foot=b"</doi_records>\n",
        cut=b">Third",
    ),
    Sample(
        "oai-dc",
        template(f"{_DC}</record>\n"),
        ("oai_dc", "_year"),
        head=_OAI.encode(),
        foot=b"</ListRecords></OAI-PMH>\n",
        cut=b"<title>Third",
    ),
)

SAMPLES: Mapping[str, Sample] = {sample.format: sample for sample in _SAMPLES}
"""The samples by format."""
