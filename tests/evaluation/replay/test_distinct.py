"""Distinct records folded: what is merged is counted, the largest clusters first."""

from collections.abc import Callable

from bibfold.records.model import Record
from evaluation.records import without_identifiers
from evaluation.replay.distinct import fold_distinct

Make = Callable[..., Record]


def test_wrong_merges(make: Make) -> None:
    records = [make("1"), make("2", 1), make("3", 1), make("4", 2), make("5"), make("6")]
    found = fold_distinct(iter(records))
    assert found.figures["records"] == 6
    assert found.figures["canonical"] == 3
    assert found.figures["wrongly_merged"] == 3
    assert found.figures["share_wrongly_merged"] == 0.5
    assert found.figures["false_positives"] == 4
    assert found.figures["cluster_sizes"] == {"2": 1, "3": 1}
    assert found.wrong == [("x:1", "x:5"), ("x:1", "x:6"), ("x:2", "x:3"), ("x:5", "x:6")]
    assert [(merge.founder.key, len(merge.others)) for merge in found.worst] == [("x:1", 2), ("x:2", 1)]
    assert {comparison.decision for merge in found.worst for _, comparison in merge.others} == {"same"}
    assert len(fold_distinct(iter(records), worst=1).worst) == 1


def test_identifiers_keep_apart_what_looks_the_same(make: Make) -> None:
    records = [make("1", identifiers={"doi": ("10.1000/a",)}), make("2", identifiers={"doi": ("10.1000/b",)})]
    assert fold_distinct(iter(records)).figures["wrongly_merged"] == 0
    assert fold_distinct(without_identifiers(records)).figures["wrongly_merged"] == 1


def test_no_records(make: Make) -> None:
    assert fold_distinct(iter([])).figures["share_wrongly_merged"] == 0
