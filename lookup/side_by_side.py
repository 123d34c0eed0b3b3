"""Shows two records side by side on a terminal, with differing fields marked and the profile's evidence."""

from collections.abc import Iterator
from itertools import zip_longest
from textwrap import wrap

from bibfold.records.model import Record
from bibfold.records.readable import field_text, identifiers_text
from bibfold.text import tokens
from lookup.evidence import Comparison

FIELDS = (
    "title", "subtitle", "authors", "publication", "year", "volume", "issue", "pages", "edition", "publisher", "type",
)  # fmt: skip
NAME = 13
NARROWEST = 20
LONGEST = 600
"""The greatest number of characters of a field that are shown."""


def side_by_side(first: Record, second: Record, comparison: Comparison, width: int = 100) -> list[str]:
    """The records in two columns, `≠` before each field that differs, then the metric's evidence."""
    column = max(NARROWEST, (width - NAME - 3) // 2)
    lines = list(_columns("", first.key, second.key, column))
    for field in FIELDS:
        left, right = field_text(first, field), field_text(second, field)
        if left or right:
            lines += _columns(field, left, right, column)
    if first.identifiers or second.identifiers:
        lines += _columns("identifiers", identifiers_text(first), identifiers_text(second), column)
    lines.append("")
    lines.append(f"{comparison.profile}: {comparison.decision}, score {comparison.score:.3f}")
    lines += [f"  veto: {shown(reason)}" for reason in comparison.vetoes]
    lines += [f"  {found.score:5.3f} x {found.weight:<5.3g} {shown(found.reason)}" for found in comparison.evidence]
    return lines


def shown(text: str) -> str:
    """The text without control characters, and cut to a readable length."""
    bare = "".join(char if char.isprintable() else " " for char in text[:LONGEST])
    return f"{bare}…" if len(text) > LONGEST else bare


def _columns(field: str, left: str, right: str, column: int) -> Iterator[str]:
    mark = "≠" if field and tokens(left) != tokens(right) else " "
    wrapped = zip_longest(wrap(shown(left), column) or ["–"], wrap(shown(right), column) or ["–"], fillvalue="")
    for number, (left_line, right_line) in enumerate(wrapped):
        name = f"{mark} {field}" if number == 0 else ""
        yield f"{name:<{NAME}} {left_line:<{column}} {right_line}".rstrip()
