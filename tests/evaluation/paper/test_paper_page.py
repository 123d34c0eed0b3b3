"""docs/papers/mendeley.md is the page that the command writes: every table, with the paper's figures beside ours."""

import re
from pathlib import Path

import pytest

import evaluation
from evaluation.paper.figures import Layout, beside
from evaluation.paper.makers import TABLES
from evaluation.paper.page import TEMPLATE, filled, named_tables
from evaluation.paper.study import Size

PAGE = (Path(evaluation.__file__).parent.parent / "docs" / "papers" / "mendeley.md").read_text(encoding="utf-8")


def test_the_page_has_every_table_once() -> None:
    assert sorted(named_tables()) == sorted(TABLES)


def test_tables_and_command_are_put_in() -> None:
    text = filled({number: f"TABLE {number}\n" for number in TABLES}, Size(7, 8, 1, 9), 3)
    assert "--records 7 --pairs 8 --noise 1 --seeds 3 --seed 9" in text
    assert all(f"TABLE {number}" in text for number in TABLES)
    assert "{{" not in text


def test_the_text_is_that_of_the_template() -> None:
    pieces = re.split(r"\{\{[^}]+\}\}", TEMPLATE.read_text(encoding="utf-8"))
    at = 0
    for piece in pieces:
        found = PAGE.find(piece, at)
        assert found >= 0, f"write the page anew: {piece[:80]!r} is not in it"
        at = found + len(piece)


@pytest.mark.parametrize("number", TABLES)
def test_the_papers_figures_are_beside_ours(number: str) -> None:
    table = TABLES[number]
    label = "Table" if number.isdigit() else "Section"
    _, _, after = PAGE.partition(f"**{label} {number}. ")
    lines = [line for line in after.split("\n\n")[1].splitlines() if line.startswith("|")]
    layout: Layout = table.layout
    alone = beside(layout, table.published, [{row: {} for row in table.published}], "").rows
    for row in alone:
        cells = list(map(str, row))
        found = [line.strip("| ").split(" | ") for line in lines if line.startswith(f"| {cells[0]} |")]
        assert any(set(cells) <= set(line) for line in found), cells
        assert layout.wide or len(found) > 1
