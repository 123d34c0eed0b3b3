"""Records to compare: from a few fields, made up by hypothesis, or real ones that stand near each other."""

import gzip
from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from bibfold.records.columns import Columns
from bibfold.records.model import Record
from bibfold.records.native import decode
from bibfold.records.prepare import Prepared, prepare
from lookup.comparing import compare
from lookup.evidence import Comparison, Evidence
from lookup.pairs import Pairs
from lookup.profile import Part, Profile


def prepared(title: str = "", **fields: Any) -> Prepared:
    """A record of a few fields, ready to be compared."""
    return prepare(Record(source="x", id="1", title=title, **fields))


def crossed(rows: Sequence[Prepared]) -> Pairs:
    """Every record with every record, also with itself, in columns of their own."""
    columns = Columns()
    places = columns.add(rows)
    return Pairs(columns, np.repeat(places, len(places)), np.tile(places, len(places)))


def many(pairs: Pairs, size: int = 50) -> Pairs:
    """At least so many pairs: the same ones over and over, since a batch may be compared in another way than a few."""
    return pairs.only(np.tile(np.arange(pairs.size), -(-size // pairs.size)))


def comparison(ours: Prepared, theirs: Prepared, profile: Profile) -> Comparison:
    """How two records compare."""
    return compare(crossed([ours, theirs]).only(np.array([1])), profile, every=True).comparison(0)


def finding(comparator: str, ours: Prepared, theirs: Prepared) -> Evidence | None:
    """What a comparator finds of two records, in either order; its weight is the share that applies."""
    profile = Profile("p", "P", (Part("x", comparator, 1),), same=1, unsure=1)
    found, turned = (comparison(*pair, profile).evidence for pair in ((ours, theirs), (theirs, ours)))
    assert [(part.score, part.weight) for part in found] == [(part.score, part.weight) for part in turned]
    return found[0] if found else None


_titles = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            "the on of mean meaning values zeta function functions database data base part 2 II: reply erratum 16th "
            "doe nature 1999 behaviour behavior".split()
        ),
        max_size=9,
    ).map(" ".join),
)
_names = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["Doe, Jane", "Jane Doe", "Doe J", "Doe", "D.", "Roe R", "N/A", "Casati, F", "Castai, F", "Doe, K", "Jane, Doe"]
    ),
)
records = st.builds(
    lambda **fields: prepare(Record(source="x", id="1", **fields)),
    title=_titles,
    subtitle=st.just("") | _titles,
    authors=st.lists(_names, max_size=5).map(tuple),
    publication=_titles | st.sampled_from(["Nature", "Science", "VLDB", "Very Large Data Bases", "Nat. Phys.", ""]),
    year=st.none() | st.integers(1998, 2001),
    volume=st.sampled_from(["", "1", "vol. 2", "6(1)", "NA"]),
    issue=st.sampled_from(["", "1", "2"]),
    pages=st.sampled_from(["", "1-9", "2-9", "288-97", "e12", "?"]),
    edition=st.sampled_from(["", "2nd", "3rd ed."]),
    publisher=st.sampled_from(["", "Penguin", "Oxford University Press"]),
    identifiers=st.dictionaries(
        st.sampled_from(["doi", "isbn", "arxiv"]),
        st.lists(st.sampled_from(["10.1000/1", "10.1000/2", "10.1000/3", "0140434267", "1201.1393"]), min_size=1).map(
            tuple
        ),
    ),
)
"""Any record; few words, names and numbers, so that two of them often have something in common."""

batches = st.lists(records, min_size=1, max_size=4).map(crossed)
"""A batch of pairs of such records."""


@cache
def neighbours(folder: Path) -> Pairs:
    """Pairs of real records that are near in the order of titles or authors: few are the same, many alike."""
    with gzip.open(folder / "records.jsonl.gz", "rb") as lines:
        rows = [prepare(decode(line)) for line in islice(lines, 1_200)]
    columns = Columns()
    places = columns.add(rows)
    orders = [
        sorted(places.tolist(), key=lambda place: key_of(rows[place]))
        for key_of in (lambda row: row.title, lambda row: row.title.split()[-3:], lambda row: row.people)
    ]
    near = [pair for order in orders for step in (1, 2) for pair in zip(order, order[step:], strict=False)]
    left, right = np.array(near).T
    return Pairs(columns, left, right)
