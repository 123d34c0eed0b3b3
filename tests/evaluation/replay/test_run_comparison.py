"""Two runs side by side: changes, pairs that fell the other way, and the test against tables."""

from typing import Any

import pytest

from bibfold.errors import InputError
from evaluation.replay.run_comparison import compare_runs, flat, pair_changes
from evaluation.runs import EvaluationRun

DATA = {"records": {"path": "r", "fingerprint": "1"}, "truth": {"path": "t", "fingerprint": "2"}}


def run(kind: str = "replay", data: dict[str, Any] = DATA, **fields: Any) -> EvaluationRun:
    return EvaluationRun(**{"kind": kind, "version": "1", "settings": {}, "data": data, "figures": {}, **fields})


def test_mcnemar_exact() -> None:
    # nine better and one worse: 2 (C(10,0) + C(10,1)) / 2^10
    errors, errors_after = {(f"a{at}", f"b{at}") for at in range(9)}, {("x", "y")}
    found = pair_changes(errors, errors_after)
    assert (len(found.better), len(found.worse)) == (9, 1)
    assert found.p == found.p_by_works == pytest.approx(22 / 1024)
    assert pair_changes(errors, errors).p == 1
    assert pair_changes({("a", "b")}, {("c", "d")}).p == 1


def test_pairs_that_share_records_count_once() -> None:
    # nine pairs of one work, and one of another, better; one worse: 9 to 1 by pairs, 2 to 1 by works
    errors = {*((f"a{at}", "b") for at in range(8)), ("m", "n")}
    found = pair_changes(errors, {("x", "y")})
    assert found.p == pytest.approx(22 / 1024)
    assert found.p_by_works == 1
    # within one work two better and one worse: better
    assert pair_changes({("a", "b"), ("a", "c")}, {("b", "c")}).p_by_works == 1
    # as many one way as the other: nothing
    assert pair_changes({("a", "b")}, {("b", "c")}).p_by_works == 1


def test_what_changed() -> None:
    before = run(
        settings={"same": 0.5, "profile": "mendeley"},
        figures={"f1": 0.5, "skipped": {"same": 3}, "records": 9, "seconds": 1.0, "intervals": {"f1": [0, 1]}},
        missed=[("a", "b"), ("c", "d")],
        wrong=[("a", "z")],
    )
    after = run(
        settings={"same": 0.6, "profile": "mendeley"},
        figures={"f1": 0.75, "skipped": {"same": 1}, "records": 9, "seconds": 2.0, "intervals": {"f1": [0.5, 1]}},
        missed=[("c", "d"), ("e", "f")],
    )
    found = compare_runs(before, after)
    assert found.settings == [("same", 0.5, 0.6)]
    assert found.figures == [("f1", 0.5, 0.75), ("skipped.same", 3, 1)]
    assert (found.found.better, found.found.worse) == ([("a", "b")], [("e", "f")])
    assert (found.wrong.better, found.wrong.worse) == ([("a", "z")], [])


def test_other_data_are_refused_unless_forced() -> None:
    after = run(data={**DATA, "truth": {"path": "t", "fingerprint": "3"}})
    with pytest.raises(InputError, match=r"different data: truth 2 and 3; .*--force compares them nevertheless"):
        compare_runs(run(), after)
    assert compare_runs(run(), after, force=True).figures == []


def test_the_same_data_under_another_name_are_the_same() -> None:
    assert compare_runs(run(), run(data={**DATA, "truth": {"path": "elsewhere", "fingerprint": "2"}})).figures == []


def test_two_kinds_are_refused() -> None:
    with pytest.raises(InputError, match="two kinds, replay and self; compare two of one kind"):
        compare_runs(run(), run("self"), force=True)


def test_a_run_that_lists_only_some_of_its_wrong_pairs_is_refused() -> None:
    many = run(figures={"false_positives": 100_001}, wrong=[("a", "b")])
    with pytest.raises(InputError, match="100,001 wrong pairs and lists 1 of them"):
        compare_runs(run(), many)


def test_nested_figures_get_long_names() -> None:
    assert dict(flat({"a": {"b": {"c": 1}}, "d": 2})) == {"a.b.c": 1, "d": 2}
