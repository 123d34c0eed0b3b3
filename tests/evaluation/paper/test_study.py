"""A small run of each table has the paper's shape and figures that can be."""

from pathlib import Path

import pytest

from bibfold.errors import InputError
from evaluation.paper.published import DISTRIBUTIONS, RESULTS
from evaluation.paper.study import NEEDS, PaperTable, Size, Study
from evaluation.sweeps.distributions import LABELS


@pytest.fixture(scope="session")
def study(data: Path) -> Study:
    return Study(Size(records=150, pairs=60), data_folders=[data])


def column(table: PaperTable, at: int) -> list[float]:
    return [float(row[at].removesuffix("%")) for row in table.rows]


@pytest.mark.parametrize("number", [1, 2, 3, 5, 18])
def test_each_distribution_sums_to_a_hundred(study: Study, number: int) -> None:
    table = study.table(number)
    assert [row[0] for row in table.rows] == list(LABELS)
    columns = [key for key in DISTRIBUTIONS if key[0] == number]
    stand_ins = len(table.header[1:]) // len(columns)
    assert len(table.header) == 1 + len(columns) * stand_ins
    for at in range(1, len(table.header)):
        assert sum(column(table, at)) == pytest.approx(100, abs=0.3), table.header[at]


def test_duplicates_are_more_alike_than_others(study: Study) -> None:
    table = study.table(3)
    same, different = (column(table, table.header.index(f"default, {kind}: noisy arXiv")) for kind in _CLASSES)
    assert sum(same[5:]) > 90
    assert sum(different[:3]) > 90


_CLASSES = ("duplicates", "non-duplicates")


@pytest.mark.parametrize("number", [4, 19, 20])
def test_each_run_stands_beside_the_papers(study: Study, number: int) -> None:
    table = study.table(number)
    names = [row[0] for row in table.rows if row[1] == "paper"]
    assert names == list(RESULTS[number])
    ours = [row for row in table.rows if row[1] != "paper"]
    assert {row[0] for row in ours} == set(names)
    assert all(len(row) == len(table.header) for row in table.rows)
    for row in ours:
        assert 0.5 < row[4] <= 1, row
        assert 0 <= float(row[-1].removesuffix("%")) <= 100


def test_some_documents_carry_a_wrong_identifier(study: Study) -> None:
    stand_in = study.arxiv
    valid, raw = (sum(map(len, pool.groups)) for pool in (stand_in.valid, stand_in.raw))
    assert 0.9 * raw < valid < raw
    assert len(stand_in.documents) > 2 * len(stand_in.imported)


def test_the_same_seed_makes_the_same_table(data: Path, study: Study) -> None:
    assert Study(study.size, data_folders=[data]).table(3) == study.table(3)


def test_every_table_says_what_it_needs() -> None:
    assert set(NEEDS) == {number for number, _, _ in DISTRIBUTIONS} | set(RESULTS)


def test_an_absent_set_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the set diabetes is not there"):
        Study(Size(), data_folders=[tmp_path]).table(1)
