"""Renders tables as aligned text and as markdown."""

from collections.abc import Sequence
from typing import Any


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """The lines of a table with aligned columns, numbers to the right."""
    cells = [list(header), *([shown(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    right = [bool(rows) and all(isinstance(row[at], int | float | None) for row in rows) for at in range(len(header))]
    return [
        "  ".join(
            cell.rjust(width) if flush else cell.ljust(width)
            for cell, width, flush in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in cells
    ]


def markdown(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """The lines of a table in markdown."""
    right = [bool(rows) and all(isinstance(row[at], int | float | None) for row in rows) for at in range(len(header))]
    lines = [header, ["---:" if flush else "---" for flush in right], *rows]
    return [f"| {' | '.join(shown(value).replace('|', chr(92) + '|') for value in line)} |" for line in lines]


def shown(value: Any) -> str:
    """A value as text: floats with four digits, integers with thousands separators, None as a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
