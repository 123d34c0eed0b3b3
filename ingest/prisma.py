"""The part of a PRISMA flow diagram that deduplication gives: records identified, duplicates removed, records left."""

from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

import msgspec

from bibfold.records.formats.xml_text import legal


class Prisma(msgspec.Struct, frozen=True):
    """Records identified, by source; how many of them were duplicates, exact repeats included; how many are left.

    `repeated` is how often a source gave a record that it had given before, unchanged.
    """

    identified: int
    sources: Mapping[str, int]
    repeated: int
    duplicates_removed: int
    left: int
    unreadable: int


def prisma(sources: Mapping[str, int], repeated: int, left: int, unreadable: int) -> Prisma:
    """The counts, of the records of each source and of those that are left."""
    identified = sum(sources.values()) + repeated
    return Prisma(identified, dict(sources), repeated, identified - left, left, unreadable)


_WIDTH, _LINE, _PADDING, _GAP = 300, 18, 12, 40
_LONGEST = 36


def diagram(counts: Prisma) -> str:
    """The identification part of a PRISMA 2020 flow diagram, as SVG."""
    sources = [f"{_short(name)} (n = {count})" for name, count in counts.sources.items()]
    repeats = [f"Repeated within a source (n = {counts.repeated})"] if counts.repeated else []
    unreadable = [f"Not readable, not counted here (n = {counts.unreadable})"] if counts.unreadable else []
    identified = [f"Records identified (n = {counts.identified}):", *sources, *repeats]
    removed = ["Records removed before screening:", f"Duplicates (n = {counts.duplicates_removed})", *unreadable]
    left = [f"Records left to screen (n = {counts.left})"]
    top = max(_height(identified), _height(removed))
    second = top + _GAP + 1
    middle, right = 1 + _WIDTH // 2, _WIDTH + _GAP + 1
    height, width = second + _height(left) + 1, 2 * _WIDTH + _GAP + 2
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
            '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
            '<path d="M0,0 L8,4 L0,8 z"/></marker></defs>',
            *_box(1, 1, top, identified),
            *_box(right, 1, top, removed),
            *_box(1, second, _height(left), left),
            _arrow(_WIDTH + 1, top // 2, right, top // 2),
            _arrow(middle, top + 1, middle, second),
            "</svg>\n",
        ]
    )


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _height(lines: list[str]) -> int:
    return len(lines) * _LINE + 2 * _PADDING


def _box(x: int, y: int, height: int, lines: list[str]) -> Iterator[str]:
    yield f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{height}" fill="white" stroke="black"/>'
    for number, line in enumerate(lines, 1):
        place = f'x="{x + _PADDING}" y="{y + _PADDING + number * _LINE - 5}"'
        yield f"<text {place}>{escape(legal(line))}</text>"


def _arrow(x1: int, y1: int, x2: int, y2: int) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="black" marker-end="url(#tip)"/>'
