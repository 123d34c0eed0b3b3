"""A small set of records in which each way to lose a pair occurs once."""

from collections.abc import Callable

import pytest

from bibfold.records.model import Record
from evaluation.truth import Truth

TRUE = [
    ("x:found-a", "x:found-b"),
    ("x:far-a", "x:far-b"),
    ("x:low-a", "x:low-b"),
    ("x:part-a", "x:part-b"),
    ("x:chain-b", "x:chain-c"),
]


@pytest.fixture
def records(make: Callable[..., Record]) -> list[Record]:
    """Five works of two records and a bit: found, not retrieved, below threshold, vetoed, chained apart."""
    return [
        make("found-a", 0),
        make("found-b", 0),
        make("far-a", 1),
        make("far-b", title="Seekarten im Verbundkatalog", authors=("Unbekannt, Niemand",), year=1950),
        make("low-a", 2),
        make("low-b", 2, title="Noise in gravitational wave antennas", authors=("Weber, Joseph",), year=1969),
        make("part-a", 3, title="On the migration of arctic terns, part 1"),
        make("part-b", 3, title="On the migration of arctic terns, part 2"),
        make("chain-a", 4, identifiers={"doi": ("10.1000/one",)}),
        make("chain-b", 4),
        make("chain-c", 4, identifiers={"doi": ("10.1000/two",)}),
    ]


@pytest.fixture
def truth() -> Truth:
    """The true pairs of those records, and two of different works, one of which the fold merges."""
    return Truth(set(TRUE), {("x:chain-a", "x:chain-b"), ("x:far-a", "x:found-a")}, whole=False)
