"""Each task runs the real thing, and its figures are those that can be counted by hand."""

from pathlib import Path

import pytest

from evaluation.benchmark.measure import VARIANTS, measure, variants
from evaluation.benchmark.sets import SETS
from evaluation.runs import EvaluationRun


def run(sets: Path, name: str, variant: str = "bibfold") -> EvaluationRun:
    """A set of the folder, measured."""
    data_set = SETS[name]
    return measure(data_set, sets / data_set.folder, VARIANTS[variant])


def test_dedupe(sets: Path):
    found = run(sets, "stroke")
    assert found.missed == [("x:c", "x:d")]
    assert found.wrong == []
    figures = found.figures
    assert (figures["precision"], figures["recall"]) == (1.0, 0.5)
    assert (figures["records"], figures["canonical"]) == (5, 4)
    assert figures["clusters"]["b_cubed"]["precision"] == 1.0
    assert figures["records_per_second"] > 0


def test_link(sets: Path):
    found = run(sets, "dblp-acm")
    assert found.missed == []
    assert found.wrong == [("acm:2", "dblp:2")]
    assert found.figures["precision"] == pytest.approx(2 / 3, abs=1e-6)
    assert found.figures["with_unsure"]["true_positives"] == 2


@pytest.mark.parametrize(("name", "merged"), [("acl", 0), ("acl-bare", 1)])
def test_distinct_records(sets: Path, name: str, merged: int):
    found = run(sets, name)
    assert found.figures["wrongly_merged"] == merged
    assert len(found.wrong) == merged


def test_the_papers_metric_is_measured_in_its_own_way():
    chosen = variants(("mendeley", "bibfold", "mendeley-title"))
    assert [variant.name for variant in chosen] == ["mendeley at 0.4", "mendeley at 0.5", "bibfold", "mendeley-title"]
    assert chosen[0].layer["same"] == chosen[0].layer["unsure"] == 0.4
    assert chosen[3].layer["canonical"] == "founder"
    assert "canonical" not in chosen[2].layer


def test_a_run_knows_its_data_and_settings(sets: Path):
    found = run(sets, "stroke", "mendeley at 0.5")
    assert (found.settings["set"], found.settings["way"]) == ("stroke", "mendeley at 0.5")
    assert (found.settings["same"], found.settings["identifiers"]) == (0.5, False)
    assert set(found.data) == {"records", "truth"}
    assert found.data["records"]["fingerprint"] == run(sets, "stroke").data["records"]["fingerprint"]
