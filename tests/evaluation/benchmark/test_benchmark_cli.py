"""The benchmark from outside."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_every_set_that_is_there(bibfold: Run, sets: Path) -> None:
    ran = bibfold("evaluate", "benchmark", "--data", sets)
    assert ran.status == 0
    rows = [line.split("  ")[0] for line in ran.out.splitlines()]
    assert rows.count("stroke") == 3
    assert rows.count("acl") == 1, "the paper's metric is left out of a costly set"
    assert rows.count("acl-bare") == 3
    assert "not found, skipped: arxiv-revisions" in ran.err


def test_markdown_and_page(bibfold: Run, sets: Path, tmp_path: Path) -> None:
    words = ("--data", sets, "--set", "stroke", "--set", "acl", "--profile", "bibfold")
    ran = bibfold("evaluate", "benchmark", *words, "--markdown", "--report", tmp_path / "page")
    assert ran.out.startswith("| set | task | records |")
    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "F1 by set" in page
    assert "Distinct records" in page
    assert "bibfold evaluate benchmark --set stroke --set acl --profile bibfold" in page


def test_a_baseline_is_held(bibfold: Run, sets: Path, tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.jsonl"
    made = bibfold("evaluate", "benchmark", "--data", sets, "--set", "stroke", "--set", "dblp-acm", "--json")
    baseline.write_text(made.out, encoding="utf-8")
    ran = bibfold("evaluate", "benchmark", "--data", sets, "--against", baseline, "--profile", "bibfold")
    assert ran.status == 0
    assert [line for line in ran.err.splitlines() if line] == [
        "stroke with bibfold: F1 0.6667 before, 0.6667 now: held",
        "dblp-acm with bibfold: F1 0.8000 before, 0.8000 now: held",
    ]


def test_a_loss_is_in_the_exit_status(bibfold: Run, sets: Path, tmp_path: Path) -> None:
    (run,) = bibfold(
        "evaluate", "benchmark", "--data", sets, "--set", "stroke", "--profile", "bibfold", "--json"
    ).json()
    run["figures"]["f1"], run["missed"] = 1.0, []
    (tmp_path / "baseline.jsonl").write_text(json.dumps(run), encoding="utf-8")
    ran = bibfold("evaluate", "benchmark", "--data", sets, "--against", tmp_path / "baseline.jsonl")
    assert ran.status == 1
    assert "LOST" in ran.err
    assert "missed now: x:c “A union catalogue of nautical maps” ~ x:d “Seekarten im Verbundkatalog”" in ran.err


def test_what_cannot_be_is_told(bibfold: Run, sets: Path, tmp_path: Path) -> None:
    ran = bibfold("evaluate", "benchmark", "--data", sets, "--set", "cora")
    assert (ran.status, "Traceback" in ran.err) == (1, False)
    assert "none of the sets cora is in" in ran.err
    assert bibfold("evaluate", "benchmark", "--data", sets, "--against", tmp_path / "none").status == 1


def test_a_folder_that_the_environment_names_is_searched_too(
    sets: Path, bibfold: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ("evaluate", "benchmark", "--set", "dblp-acm", "--profile", "bibfold", "--json")
    monkeypatch.setenv("BIBFOLD_DATA", str(sets))
    assert len(bibfold(*words).json()) == 1
    ran = bibfold(*words, "--data", tmp_path)
    assert ran.status == 1
    assert "dblp-acm" in ran.err
