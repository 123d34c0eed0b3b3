"""Writes an evaluation as a self-contained HTML page, and the run as JSON."""

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from bibfold.outputs import Output, as_output, output_folder
from bibfold.records.model import Record
from bibfold.records.readable import field_text, identifiers_text
from bibfold.text import tokens
from evaluation.report.repeat import files, repeat_html
from evaluation.report.style import STYLE
from evaluation.runs import EvaluationRun, run_file
from evaluation.tables import shown
from lookup.evidence import Comparison, Evidence

NUMBER = re.compile(r"[-+−±]?[\d,]*\.?\d+ ?%?(?: \([\d.,–−-]+ ?%?\))?|[-–—]?")
"""Cells that are aligned to the right: a number, a number with another in parentheses, or nothing."""

FIELDS = ("title", "subtitle", "authors", "publication", "year", "volume", "issue", "pages")
MORE_FIELDS = ("edition", "publisher", "type", "language")


class Section(msgspec.Struct, frozen=True):
    """A part of the page; `html` is inserted as it is, the title and the note are escaped."""

    title: str
    html: str
    note: str = ""


def write_report(report: Path | Output, title: str, run: EvaluationRun, sections: Sequence[Section]) -> None:
    """Write `index.html` and `run.json` into a folder, which is created if needed."""
    with output_folder(as_output(report, f"bibfold evaluate {run.kind}")) as folder:
        (folder / "index.html").write_text(page(title, run, sections), encoding="utf-8", errors="backslashreplace")
        (folder / "run.json").write_bytes(run_file(run))


def page(title: str, run: EvaluationRun, sections: Sequence[Section]) -> str:
    """The whole page."""
    parts = [*sections, Section("How to repeat this", repeat_html(run))]
    about = " · ".join([f"bibfold {run.version}", f"evaluate {run.kind}", *map(_short, files(run))])
    links = "".join(f'<li><a href="#part-{at}">{escape(part.title)}</a></li>' for at, part in enumerate(parts, 1))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<header><h1>{escape(title)}</h1><p class="soft">{escape(about)}</p>'
        f'<nav aria-label="Contents"><ul>{links}</ul></nav></header>\n<main>\n'
        + "\n".join(_section_html(at, part) for at, part in enumerate(parts, 1))
        + "\n</main>\n</body>\n</html>\n"
    )


def table_html(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table; columns of numbers are aligned to the right, and a wide table scrolls."""
    cells = [[shown(cell).strip() for cell in row] for row in rows]
    numeric = [bool(cells) and all(NUMBER.fullmatch(row[at]) for row in cells) for at in range(len(header))]
    classes = [' class="number"' if is_number else "" for is_number in numeric]
    head = "".join(f"<th{style}>{escape(name)}</th>" for style, name in zip(classes, header, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td{style}>{escape(cell)}</td>' for style, cell in zip(classes, row, strict=True))}</tr>"
        for row in cells
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def figure_html(plot: str) -> str:
    """A plot as a figure."""
    return f"<figure>{plot}</figure>"


def beside_html(*parts: str) -> str:
    """Parts side by side if the page is wide enough."""
    return f'<div class="beside">{"".join(parts)}</div>'


def pair_html(a: Record, b: Record, comparison: Comparison) -> str:
    """Two records side by side, with differing words marked and the evidence for each field."""
    found = {evidence.field: evidence for evidence in comparison.evidence}
    rows = [
        _row(field, field_text(a, field), field_text(b, field), found.pop(field, None))
        for field in (*FIELDS, *MORE_FIELDS)
        if field_text(a, field) or field_text(b, field)
    ]
    if a.identifiers or b.identifiers:
        rows.append(_row("identifiers", identifiers_text(a), identifiers_text(b), found.pop("identifier", None)))
    rows += [_row(field, "", "", evidence) for field, evidence in found.items()]
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", a.key, b.key))
    vetoes = "".join(f"<span>veto: {escape(reason)}</span>" for reason in comparison.vetoes)
    return (
        f'<article class="pair"><header><span class="{comparison.decision}">{comparison.decision}</span>'
        f"<span>score {comparison.score:.3f}</span><span>{escape(comparison.profile)}</span>{vetoes}</header>"
        f'<div class="scroll"><table><thead><tr>{head}<th class="number">score</th><th>evidence</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></article>"
    )


def _short(path: str) -> str:
    """The last two parts of a path."""
    return "/".join(Path(path).parts[-2:])


def _section_html(at: int, part: Section) -> str:
    note = f'<p class="note">{escape(part.note)}</p>' if part.note else ""
    return f'<section id="part-{at}"><h2>{escape(part.title)}</h2>{note}{part.html}</section>'


def _row(field: str, left: str, right: str, evidence: Evidence | None) -> str:
    score = f"{evidence.score:.2f} × {evidence.weight:.3g}" if evidence else ""
    reason = escape(evidence.reason.removeprefix(f"{field}: ")) if evidence else ""
    differs = ' class="differs"' if tokens(left) != tokens(right) else ""
    return (
        f"<tr{differs}><td>{escape(field)}</td><td>{_marked(left, right)}</td><td>{_marked(right, left)}</td>"
        f'<td class="number">{score}</td><td>{reason}</td></tr>'
    )


def _marked(text: str, other: str) -> str:
    """The text with every word marked that the other text lacks, regardless of case and accents."""
    other_words = set(tokens(other))
    if not other_words:
        return escape(text)
    words = [(word, other_words.issuperset(tokens(word))) for word in text.split()]
    return " ".join(escape(word) if shared else f"<mark>{escape(word)}</mark>" for word, shared in words)
