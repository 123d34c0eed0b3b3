"""The paper's tables from outside."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bibfold.records.model import Record
from evaluation.paper.makers import TABLES

Run = Callable[..., Any]
SMALL = ("--records", "30", "--pairs", "10", "--seeds", "2")


def test_markdown_and_report(bibfold: Run, data: Path, tmp_path: Path) -> None:
    words = ("--table", "1", "--data", data, "--report", tmp_path / "page", "--seeds", "1")
    ran = bibfold("evaluate", "tables", *words, "--markdown")
    assert ran.status == 0
    assert ran.out.startswith("**Table 1. Users' documents with a PubMed identifier against PubMed.** Ours: diabetes")
    assert "| [0.9, 1.0] | 93.96% |" in ran.out
    assert "bibfold evaluate tables" in (tmp_path / "page" / "index.html").read_text(encoding="utf-8")


def test_json_has_intervals_over_seeds(bibfold: Run, data: Path) -> None:
    sweep, imported = bibfold(
        "evaluate", "tables", "--table", "6", "--table", "4.1.1", "--data", data, *SMALL, "--json"
    ).json()
    assert (sweep["number"], len(sweep["rows"]), imported["number"]) == ("6", 11, "4.1.1")
    assert any("±" in cell for row in sweep["rows"] for cell in row)


def test_an_absent_set_is_told(bibfold: Run, tmp_path: Path) -> None:
    ran = bibfold("evaluate", "tables", "--data", tmp_path, "--table", "4")
    assert (ran.status, "none of the sets arxiv, dblp-acm is there; name the folder" in ran.err) == (1, True)


def test_ones_own_documents(bibfold: Run, write: Callable[..., str]) -> None:
    """Tables 1 and 2: each document against the source's record whose identifier it carries."""

    def copy(source: str, id: int, title: str) -> Record:
        return Record(source=source, id=str(id), title=title, year=2001, identifiers={"pmid": (str(id % 2 + 1),)})

    titles = ("Erdős-Rényi graphs", "Nautical maps of 1700")
    users = write("users.jsonl", *(copy("u", at, titles[at % 2].upper()) for at in range(6)))
    sources = write("sources.jsonl", *(copy("pubmed", at, titles[at]) for at in range(2)))
    own = ("--documents", users, "--sources", sources, "--by", "pmid", "--seeds", "1", "--pairs", "3")
    first, sweep = bibfold("evaluate", "tables", *own, "--table", "1", "--table", "6", "--json").json()
    assert first["made_from"] == "own documents, 6 duplicates"
    assert first["rows"][7] == ["[0.7, 0.8)", "2.34%", "100.00%", "1.76%", "0.00%", "0.07%", "0.00%"]
    assert sweep["made_from"] == "own documents, 3 duplicates and 3 non-duplicates"
    ran = bibfold("evaluate", "tables", *own, "--table", "20")
    assert (ran.status, "--table 20: is not made from documents by pmid; choose 1, 2" in ran.err) == (1, True)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--sources", "x"), "--sources, --by: belong to one's own documents"),
        (("--documents", "x"), "--documents: name the identifier that groups them with --by"),
        (("--page", "x.md", "--table", "1"), "--page: holds all tables"),
    ],
)
def test_flags_that_do_not_go_together(bibfold: Run, flags: tuple[str, ...], message: str) -> None:
    ran = bibfold("evaluate", "tables", *flags)
    assert (ran.status, message in ran.err) == (1, True)


def test_the_whole_page_from_the_shipped_sets(bibfold: Run, tmp_path: Path) -> None:
    page = tmp_path / "mendeley.md"
    ran = bibfold("evaluate", "tables", "--page", page, "--records", "12", "--pairs", "5", "--seeds", "1")
    assert (ran.status, ran.out) == (0, f"{len(TABLES)} tables; see {page}\n"), ran.err
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# The Mendeley paper")
    assert "--records 12 --pairs 5 --noise 1 --seeds 1 --seed 0" in text
    assert all(f"**{'Table' if number.isdigit() else 'Section'} {number}. " in text for number in TABLES)
    page.write_text("mine", encoding="utf-8")
    refused = bibfold("evaluate", "tables", "--page", page)
    assert (refused.status, "--force" in refused.err) == (1, True)
