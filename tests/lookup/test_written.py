"""Whoever looks at texts as they were written says so: records that are made ready elsewhere bring them only then."""

from itertools import combinations

import numpy as np
import pytest

from bibfold.records.columns import Columns
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from lookup.cautions import CAUTIONS
from lookup.fields import COMPARATORS
from lookup.pairs import Pairs
from lookup.profile import READ_WRITTEN
from lookup.profiles import BIBFOLD, BIBFOLD_1
from lookup.vetoes import VETOES

RECORDS = [
    Record(
        source="x",
        id=str(number),
        title=title,
        authors=("Roe, Jane",),
        abstract=f"On {title} and what follows",
        year=1950,
    )
    for number, title in enumerate(
        (
            "The garden in winter, by Jane Roe",
            "The garden in winter; its plants. (Our gardens, v. 12)",
            "The garden in summer. 2d ed., rev.",
            "In winter the garden: a study, illus. by John Doe",
        )
    )
]


@pytest.mark.parametrize("name", COMPARATORS)
def test_a_comparator_that_reads_written_texts_is_listed(name: str) -> None:
    found = []
    for written in (True, False):
        columns = Columns()
        places = columns.add(prepare(record, written=written) for record in RECORDS)
        left, right = (np.array(side) for side in zip(*combinations(places.tolist(), 2), strict=True))
        scores = COMPARATORS[name].compare(Pairs(columns, left, right))
        found.append((scores.score.tolist(), scores.missing.tolist()))
    if found[0] != found[1]:
        assert name in READ_WRITTEN


def test_a_rule_that_reads_written_texts_is_listed() -> None:
    for ours, theirs in combinations(RECORDS, 2):
        both = [(prepare(ours, written=written), prepare(theirs, written=written)) for written in (True, False)]
        for name, rule in VETOES.items():
            assert rule.look(*both[0]) == rule.look(*both[1]) or name in READ_WRITTEN
        for name, caution in CAUTIONS.items():
            assert caution(*both[0], {}) == caution(*both[1], {}) or name in READ_WRITTEN


def test_every_name_in_the_list_is_one() -> None:
    assert {*COMPARATORS, *VETOES, *CAUTIONS} >= READ_WRITTEN
    assert BIBFOLD_1.reads_written
    assert not BIBFOLD.reads_written
