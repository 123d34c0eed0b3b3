"""In which ways the known duplicates of a truth differ: the shares that noise is made by."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from rapidfuzz.distance import OSA

from bibfold.records.model import Record
from bibfold.records.people import Person
from bibfold.records.prepare import Prepared, prepare
from bibfold.text import MARKUP_HINT, plain

WAYS: Final = (
    "typo", "truncated", "subtitle", "reworded", "case", "punctuation", "markup", "accents", "initials", "name-order",
    "fewer-authors", "no-authors", "no-year", "year-off-by-one", "no-publication", "abbreviated", "no-volume",
    "no-pages", "page-format", "no-abstract",
)  # fmt: skip
"""The ways in which two records of one work may differ, in the order in which they are told."""


def differences(one: Record, other: Record) -> set[str]:
    """The ways in which two records of one work differ; none where they agree in all that is looked at."""
    ours, theirs = prepare(one), prepare(other)
    return {*_titles(one, other, ours, theirs), *_names(one, other, ours, theirs), *_rest(one, other, ours, theirs)}


def shares(pairs: Iterable[tuple[Record, Record]]) -> tuple[int, dict[str, float]]:
    """How many pairs there were, and the share of them that differ in each way."""
    found: Counter[str] = Counter()
    number = 0
    for one, other in pairs:
        number += 1
        found.update(differences(one, other))
    return number, {way: found[way] / number if number else 0.0 for way in WAYS}


def _titles(one: Record, other: Record, ours: Prepared, theirs: Prepared) -> Iterator[str]:
    if not ours.title or not theirs.title:
        return
    if bool(MARKUP_HINT.search(one.title)) != bool(MARKUP_HINT.search(other.title)):
        yield "markup"
    if ours.title != theirs.title:
        yield _other_words(ours, theirs)
        return
    mine, yours = plain(one.title), plain(other.title)
    if mine != yours and _bare(mine) == _bare(yours):
        yield "accents"
    elif mine != yours and _bare(mine).casefold() == _bare(yours).casefold():
        yield "case"
    elif mine != yours:
        yield "punctuation"


def _other_words(ours: Prepared, theirs: Prepared) -> str:
    short, long = sorted((ours, theirs), key=lambda one: len(one.title))
    if short.title == long.head:
        return "subtitle"
    if long.title.startswith(short.title):
        return "truncated"
    most = 1 + len(long.title) // 20
    return "typo" if OSA.distance(short.title, long.title, score_cutoff=most) <= most else "reworded"


def _bare(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def _names(one: Record, other: Record, ours: Prepared, theirs: Prepared) -> Iterator[str]:
    if not ours.people or not theirs.people:
        if ours.people or theirs.people:
            yield "no-authors"
        return
    if "".join(one.authors).isascii() != "".join(other.authors).isascii():
        yield "accents"
    if len(ours.people) != len(theirs.people):
        yield "fewer-authors"
    if _initials_only(ours.people) != _initials_only(theirs.people):
        yield "initials"
    if ("," in one.authors[0]) != ("," in other.authors[0]):
        yield "name-order"


def _initials_only(people: tuple[Person, ...]) -> bool:
    return all(len(part) == 1 for part in people[0][1].split())


def _rest(one: Record, other: Record, ours: Prepared, theirs: Prepared) -> Iterator[str]:
    for way, mine, yours in (
        ("no-year", ours.year, theirs.year),
        ("no-publication", ours.publication, theirs.publication),
        ("no-volume", ours.volume, theirs.volume),
        ("no-pages", ours.first_page, theirs.first_page),
        ("no-abstract", one.abstract, other.abstract),
    ):
        if bool(mine) != bool(yours):
            yield way
    if ours.year and theirs.year and abs(ours.year - theirs.year) == 1:
        yield "year-off-by-one"
    if ours.publication and theirs.publication and ours.publication != theirs.publication:
        yield "abbreviated"
    if ours.first_page and ours.first_page == theirs.first_page and one.pages != other.pages:
        yield "page-format"
