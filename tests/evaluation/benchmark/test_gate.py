"""A loss is told with the pairs that it is made of; what is held or better is no loss."""

import gzip
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from bibfold.errors import InputError
from bibfold.records.model import Record
from evaluation.benchmark.gate import change_lines, compare_to_baseline, losses, read_baseline
from evaluation.pairs import Pair
from evaluation.runs import EvaluationRun

DATA = {"records": {"fingerprint": "1"}, "truth": {"fingerprint": "2"}}


def run(f1: float, missed: Sequence[Pair] = (), wrong: Sequence[Pair] = (), **data: dict[str, str]) -> EvaluationRun:
    """A run of one set."""
    settings = {"set": "stroke", "way": "bibfold"}
    return EvaluationRun("benchmark", "0", settings, {**DATA, **data}, {"f1": f1}, list(missed), list(wrong))


def test_a_loss_names_its_pairs(make: Callable[..., Record]):
    before, now = run(0.9, [("x:a", "x:b")]), run(0.8, [("x:a", "x:b"), ("x:c", "x:d")], [("x:e", "x:f")])
    change = compare_to_baseline(before, now)
    assert losses([change]) == [change]
    records = {f"x:{id}": make(id, work) for work, id in enumerate("cdef")}
    lines = list(change_lines([change], lambda name, keys: {key: records[key] for key in keys}))
    assert lines == [
        "stroke with bibfold: F1 0.9000 before, 0.8000 now: LOST, more than 0.002",
        "  missed now: x:c “Folding duplicate records as they arrive” ~ x:d “A union catalogue of nautical maps”",
        "  wrong now: x:e “Thermal noise in gravitational wave detectors” ~ x:f “On the migration of arctic terns”",
    ]


@pytest.mark.parametrize(("now", "verdict"), [(0.899, "held"), (0.9, "held"), (0.95, "better")])
def test_what_is_no_loss(now: float, verdict: str):
    change = compare_to_baseline(run(0.9), run(now))
    assert losses([change]) == []
    assert next(change_lines([change], lambda name, keys: {})).endswith(verdict)


def test_more_wrong_merges_are_a_loss():
    before, now = (msgspec.structs.replace(run(0), figures={"share_wrongly_merged": share}) for share in (0.001, 0.010))
    assert losses([compare_to_baseline(before, now)])
    assert not losses([compare_to_baseline(now, before)])


def test_other_data_is_refused():
    with pytest.raises(InputError, match="stroke: the baseline was made from other data"):
        compare_to_baseline(run(0.9), run(0.9, records={"fingerprint": "3"}))


def test_a_baseline_is_lines_of_runs(tmp_path: Path):
    path = tmp_path / "baseline.jsonl.gz"
    path.write_bytes(gzip.compress(msgspec.json.encode(run(0.9)) + b"\n"))
    assert read_baseline(path) == {("stroke", "bibfold"): run(0.9)}


@pytest.mark.parametrize("content", [b"\n", b"{}\n", b"a,b\n"])
def test_what_is_no_baseline_is_told(tmp_path: Path, content: bytes):
    path = tmp_path / "baseline.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match="bibfold evaluate benchmark --json"):
        read_baseline(path)
