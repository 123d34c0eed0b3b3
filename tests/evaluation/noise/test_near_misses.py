"""A near miss is another work."""

from random import Random

import pytest

from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from evaluation.noise.mix import NEAR_MISSES
from evaluation.noise.near_misses import erratum, next_edition, next_part, next_work, reply

PAPER = Record(
    source="x",
    id="1",
    title="Folding records",
    authors=("Doe, Jane", "Roe, Richard"),
    publication="Journal of Maps",
    year=2010,
    volume="12",
    pages="5-9",
    identifiers={"doi": ("10.1000/1",)},
)


def titles(kind, title):
    record = Record(source="x", id="1", title=title)
    return {near.title for seed in range(60) if (near := kind(record, Random(seed)))}


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Folding records, Part I", {"Folding records, Part II"}),
        ("Folding records. Part 9: maps", {"Folding records. Part 10: maps"}),
        ("Maps", {"Maps: Part II", "Maps. Part 2", "Maps, part two", "Maps II"}),
        ("Maps of 1812", set()),
        ("Maps II.", set()),
        ("", set()),
    ],
)
def test_the_next_part(title, expected):
    assert titles(next_part, title) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Proceedings of the 16th Workshop on Maps", {"Proceedings of the 17th Workshop on Maps"}),
        ("Proceedings of the 20th Workshop", {"Proceedings of the 21st Workshop"}),
        ("Proceedings of the 12th Workshop", {"Proceedings of the 13th Workshop"}),
        ("Findings of the 2004 task", {"Findings of the 2005 task"}),
        ("Type 2 diabetes", set()),
        ("Maps", set()),
    ],
)
def test_the_next_edition(title, expected):
    assert titles(next_edition, title) == expected


@pytest.mark.parametrize(("kind", "notice"), [(reply, {"reply", "comment"}), (erratum, {"erratum"})])
def test_replies_and_errata_are_told_from_their_article(kind, notice):
    found = {prepare(near).notice for seed in range(60) if (near := kind(PAPER, Random(seed)))}
    assert found == notice


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_a_near_miss_has_another_title_and_no_identifiers(name):
    record = Record(**{**{name: getattr(PAPER, name) for name in PAPER.__struct_fields__}, "title": "The 16th maps"})
    near = NEAR_MISSES[name](record, Random(1))
    assert near is not None
    assert prepare(near).title != prepare(record).title
    assert near.identifiers == {}
    assert near.pages != record.pages


def test_the_next_work_is_by_the_same_authors_and_later():
    near = next_work(PAPER, Random(1))
    assert near.authors == PAPER.authors
    assert near.year > PAPER.year
