"""Types of works for writers."""

import pytest

from bibfold.records.formats.work_types import bibtex_type, ris_type


@pytest.mark.parametrize(
    ("type", "ris", "bibtex"),
    [
        ("journal-article", "JOUR", "article"),
        ("journalArticle", "JOUR", "article"),
        ("JOUR", "JOUR", "article"),
        ("article", "JOUR", "article"),
        ("inbook", "CHAP", "inbook"),
        ("EBOOK", "EBOOK", "book"),
        ("Conference Paper", "CPAPER", "inproceedings"),
        ("mastersthesis", "THES", "mastersthesis"),
        ("posted-content", "UNPB", "unpublished"),
        ("something else", "GEN", "misc"),
        ("", "GEN", "misc"),
    ],
)
def test_types(type: str, ris: str, bibtex: str) -> None:
    assert (ris_type(type), bibtex_type(type)) == (ris, bibtex)
