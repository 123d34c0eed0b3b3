"""The figures of a table: the paper's beside ours, as the mean over several seeds with its interval."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
import numpy as np
from scipy.stats import t

from evaluation.paper.published import Values

Kind = Literal["share", "percent", "count", "threshold"]

Rows = Mapping[str, Mapping[str, Values]]
"""The figures of one seed: for each row and each stand-in a value for each column."""

PAPER: Final = "paper"
NONE: Final = "–"

_FORMS: Final[Mapping[Kind, str]] = {"share": ".4f", "percent": ".2f", "count": ",.0f", "threshold": "g"}


class Column(msgspec.Struct, frozen=True):
    """What a column holds, and how it is written."""

    name: str
    kind: Kind = "share"


class Layout(msgspec.Struct, frozen=True):
    """How a table is laid out: `wide` has the paper and ours side by side in each row, else below each other."""

    number: str
    title: str
    row: str
    columns: tuple[Column, ...]
    wide: bool = True


class PaperTable(msgspec.Struct, frozen=True):
    """One of the paper's tables: its own figures and ours."""

    number: str
    title: str
    made_from: str
    header: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def beside(layout: Layout, published: Mapping[str, Values], seeds: Sequence[Rows], made_from: str) -> PaperTable:
    """The paper's figures beside ours of all seeds."""
    stand_ins = list(dict.fromkeys(name for row in seeds[0].values() for name in row))
    whose = [PAPER, *stand_ins]
    names = [column.name for column in layout.columns]
    header = [f"{name}: {of}" for name in names for of in whose] if layout.wide else ["whose", *names]
    rows: list[tuple[Any, ...]] = []
    for label in dict.fromkeys([*published, *seeds[0]]):
        cells = {PAPER: _row(layout, [published.get(label, (None,) * len(names))])}
        for name in seeds[0].get(label, {}):
            cells[name] = _row(layout, [seed[label][name] for seed in seeds])
        if layout.wide:
            rows.append((label, *(cells[of][at] if of in cells else NONE for at in range(len(names)) for of in whose)))
        else:
            rows += [(label, name, *values) for name, values in cells.items()]
    return PaperTable(layout.number, layout.title, made_from, (layout.row, *header), rows)


def _row(layout: Layout, values: Sequence[Values]) -> list[str]:
    """The figures of a row as they are written, from those of each seed."""
    return [_written(found, column) for found, column in zip(zip(*values, strict=True), layout.columns, strict=True)]


def _written(values: Sequence[float | None], column: Column) -> str:
    """The mean of all seeds and half the width of its 95 % interval; for a threshold the least and the greatest."""
    found = [value for value in values if value is not None]
    if not found:
        return NONE
    form, unit = _FORMS[column.kind], "%" if column.kind == "percent" else ""
    if column.kind == "threshold":
        low, high = min(found), max(found)
        return f"{low:g}" if low == high else f"{low:g} to {high:g}"
    half = half_width(found)
    return f"{np.mean(found):{form}}{unit}" + (f" ±{half:{form}}" if half else "")


def half_width(values: Sequence[float]) -> float:
    """Half the width of the 95 % interval of the mean, by Student's t; 0 for a single value and for equal ones."""
    if max(values) - min(values) < 1e-9:
        return 0.0
    return float(t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / len(values) ** 0.5)
