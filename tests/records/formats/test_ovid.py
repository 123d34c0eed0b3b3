"""Ovid's export, in tags and in labels."""

import io

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.ovid import read
from bibfold.records.model import DeadLetter, Record

TAGGED = """<1. >
VN  - Ovid Technologies
DB  - Ovid MEDLINE(R)
UI  - 24680
TI  - Folding duplicates in catalogues. [References].
AU  - Roe, Ann
AU  - Doe, Bob [Author, Reprint Author]
SO  - Journal of Shelves. 12(3):45-50, 2001 May.
AB  - First.

      Second.
DO  - http://dx.doi.org/10.5555/1
IS  - 1234-5679
LG  - English
PT  - Journal Article
YR  - 2001

<2. >
VN  - Ovid Technologies
DB  - PsycINFO
AN  - 2002-1
TI  - Another paper.
AU  - Poe, E. A.
SO  - Shelf Psychology. Vol.43(5), Sep 2002, pp. 623-634.
PM  - 13579
"""
LABELLED = """<1>
Unique Identifier
  24680
Title
  Folding duplicates in
  catalogues
Authors
  Roe A.  Doe, B.
Source
  Journal of Shelves. 12(3):45-50, 2001 May.
Abstract
  A short text.
"""


def read_text(text: str) -> list[Record | DeadLetter]:
    return list(read(io.BytesIO(text.encode()), Origin("ovid.txt", "shelf")))


@pytest.mark.parametrize("text", [TAGGED, TAGGED.replace("\n", "\r\n"), TAGGED.replace("\n", "\n ").strip()])
def test_tags(text: str) -> None:
    first, second = read_text(text)
    assert isinstance(first, Record)
    assert (first.id, first.title, first.authors) == (
        "24680", "Folding duplicates in catalogues.", ("Roe, Ann", "Doe, Bob"),
    )  # fmt: skip
    assert (first.publication, first.year) == ("Journal of Shelves", 2001)
    assert (first.volume, first.issue, first.pages) == ("12", "3", "45-50")
    assert first.identifiers == {"doi": ("10.5555/1",), "issn": ("1234-5679",), "pmid": ("24680",)}
    assert (first.language, first.type, first.abstract) == ("English", "Journal Article", "First. Second.")
    assert isinstance(second, Record)
    assert (second.id, second.authors, second.year) == ("2002-1", ("Poe, E. A.",), 2002)
    assert (second.publication, second.volume, second.issue, second.pages) == (
        "Shelf Psychology", "43", "5", "623-634",
    )  # fmt: skip
    assert second.identifiers == {"pmid": ("13579",)}


def test_labels() -> None:
    [record] = read_text(LABELLED)
    assert isinstance(record, Record)
    assert (record.id, record.title) == ("24680", "Folding duplicates in catalogues")
    assert (record.publication, record.volume, record.pages, record.year) == ("Journal of Shelves", "12", "45-50", 2001)
    assert record.abstract == "A short text."


def test_what_says_nothing_is_a_dead_letter() -> None:
    [letter] = read_text("<1. >\nXX  - y\n")
    assert isinstance(letter, DeadLetter)
    assert letter.reason.startswith("neither title nor source nor accession number")
