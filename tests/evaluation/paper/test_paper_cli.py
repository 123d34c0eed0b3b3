"""The paper's tables from outside."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def test_markdown_and_page(bibfold: Run, data: Path, tmp_path: Path) -> None:
    words = ("--table", "1", "--data", data, "--report", tmp_path / "page")
    ran = bibfold("evaluate", "tables", *words, "--markdown")
    assert ran.status == 0
    assert ran.out.startswith("**Table 1. Users' documents with a PubMed identifier against PubMed.** Ours: diabetes")
    assert "| [0.9, 1.0] | 93.96% |" in ran.out
    assert "bibfold evaluate tables" in (tmp_path / "page" / "index.html").read_text(encoding="utf-8")


def test_json(bibfold: Run, data: Path) -> None:
    (table,) = bibfold("evaluate", "tables", "--table", "1", "--data", data, "--json").json()
    assert (table["number"], len(table["rows"])) == (1, 10)


def test_absent_sets_are_told(bibfold: Run, data: Path, tmp_path: Path) -> None:
    (tmp_path / "diabetes").symlink_to(data / "diabetes")
    ran = bibfold("evaluate", "tables", "--data", tmp_path)
    assert (ran.status, ran.out.count("Table")) == (0, 1)
    assert "skipped: table 2 needs arxiv, arxiv-revisions" in ran.err
    ran = bibfold("evaluate", "tables", "--data", tmp_path, "--table", "4")
    assert (ran.status, "table 4 needs arxiv; name the folder" in ran.err) == (1, True)
