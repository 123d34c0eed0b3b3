"""Types of works for writers."""

from typing import Any

import pytest

from bibfold.records.formats.work_types import bibtex_type, is_same_type, ris_type
from bibfold.records.model import Record


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
    record = Record(source="s", id="1", type=type)
    assert (ris_type(record), bibtex_type(record)) == (ris, bibtex)


@pytest.mark.parametrize(
    ("fields", "ris"),
    [
        ({"type": "Clinical Trial", "publication": "Nature", "volume": "7"}, "JOUR"),
        ({"type": "Comparative Study", "identifiers": {"pmid": ("1",)}}, "JOUR"),
        ({"identifiers": {"isbn": ("9780306406157",)}}, "BOOK"),
        ({"publication": "A handbook", "identifiers": {"isbn": ("9780306406157",)}}, "CHAP"),
        ({"publication": "Nature"}, "GEN"),
    ],
)
def test_a_type_without_a_name_of_ours_follows_from_the_record(fields: dict[str, Any], ris: str) -> None:
    assert ris_type(Record(source="s", id="1", **fields)) == ris


def test_names_of_one_type_are_the_same_and_kinds_of_it_are_not() -> None:
    assert is_same_type("journal-article", "JOUR")
    assert is_same_type("Journal Article", "article")
    assert is_same_type("bookSection", "incollection")
    assert is_same_type("odd", "odd")
    assert not is_same_type("Review", "JOUR")
    assert not is_same_type("mastersthesis", "THES")
    assert not is_same_type("odd", "GEN")
