"""Two records side by side on a terminal, what differs marked, with the evidence for and against."""

from collections.abc import Iterator
from itertools import zip_longest
from textwrap import wrap

from bibfold.records.model import Record
from bibfold.text import tokens
from evaluation.records import field_text, identifiers_text
from lookup.evidence import Comparison

FIELDS = (
    "title", "subtitle", "authors", "publication", "year", "volume", "issue", "pages", "edition", "publisher", "type",
)  # fmt: skip
NAME = 13
NARROWEST = 20
LONGEST = 600
"""No more characters than this of a field are shown."""


def side_by_side(one: Record, other: Record, comparison: Comparison, width: int = 100) -> str:
    """The records in two columns, `≠` before each field that differs, then the metric's evidence."""
    column = max(NARROWEST, (width - NAME - 3) // 2)
    lines = list(_columns("", one.key, other.key, column))
    for field in FIELDS:
        mine, yours = field_text(one, field), field_text(other, field)
        if mine or yours:
            lines += _columns(field, mine, yours, column)
    if one.identifiers or other.identifiers:
        lines += _columns("identifiers", identifiers_text(one), identifiers_text(other), column)
    lines.append("")
    lines.append(f"{comparison.profile}: {comparison.decision}, score {comparison.score:.3f}")
    lines += [f"  veto: {shown(reason)}" for reason in comparison.vetoes]
    lines += [f"  {found.score:5.3f} x {found.weight:<5.3g} {shown(found.reason)}" for found in comparison.evidence]
    return "\n".join(lines)


def shown(text: str) -> str:
    """The text without characters that would command the terminal, and no longer than can be read."""
    bare = "".join(char if char.isprintable() else " " for char in text[:LONGEST])
    return f"{bare}…" if len(text) > LONGEST else bare


def _columns(field: str, mine: str, yours: str, column: int) -> Iterator[str]:
    mark = "≠" if field and tokens(mine) != tokens(yours) else " "
    wrapped = zip_longest(wrap(shown(mine), column) or ["–"], wrap(shown(yours), column) or ["–"], fillvalue="")
    for number, (left, right) in enumerate(wrapped):
        name = f"{mark} {field}" if number == 0 else ""
        yield f"{name:<{NAME}} {left:<{column}} {right}".rstrip()
