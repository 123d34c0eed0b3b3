"""The page on the paper: its text, into which the tables are put."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from evaluation.paper.study import Size

TEMPLATE: Final = Path(__file__).parent / "page.md"
"""The page's text; `{{table 4}}` stands for a table, `{{command}}` for what made the page."""

_MARK = re.compile(r"\{\{(?:table ([\d. a-z]+)|(command))\}\}")


def filled(tables: Mapping[str, str], size: Size, seeds: int) -> str:
    """The page with these tables."""
    command = (
        f"bibfold evaluate tables --page mendeley.md --records {size.records} --pairs {size.pairs} "
        f"--noise {size.noise} --seeds {seeds} --seed {size.seed}"
    )
    return _MARK.sub(
        lambda mark: command if mark[2] else tables[mark[1]].rstrip("\n"), TEMPLATE.read_text(encoding="utf-8")
    )


def named_tables() -> list[str]:
    """The tables that the page has, in their order."""
    return [mark[1] for mark in _MARK.finditer(TEMPLATE.read_text(encoding="utf-8")) if mark[1]]
