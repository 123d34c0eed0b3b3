"""Draws line and bar charts as inline SVG, with colours from the page's style."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import ceil, floor, log10

import msgspec

WIDTH, HEIGHT = 720, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 14, 10, 48
LETTER = 6.4
"""The approximate width of a letter of a label."""

COLOURS = 8
"""The number of distinct series colours; the page's style calls them s1 to s8."""

Point = tuple[float, float]


class Axis(msgspec.Struct, frozen=True):
    """Maps values from `low` to `high` to positions from `start` to `end`, with labelled `ticks`."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]
    log: bool = False

    def __call__(self, value: float) -> float:
        """The position of a value."""
        low, high, position = (log10(number) if self.log else number for number in (self.low, self.high, value))
        return self.start + (self.end - self.start) * ((position - low) / (high - low) if high > low else 0.5)


def lines(series: Mapping[str, Sequence[Point]], *, x: str, y: str, title: str, log: bool = False) -> str:
    """A line for each series of points; with `log`, the x axis is logarithmic and labels every value."""
    points = [point for line in series.values() for point in line]
    if not points:
        return _nothing(title)
    top = TOP + _legend_height(series)
    across = _across([x_value for x_value, _ in points], log=log)
    up = _up([y_value for _, y_value in points], top)
    marks = "".join(_line(line, number, across, up) for number, line in enumerate(series.values()))
    names = "".join(_text(across(tick), HEIGHT - BOTTOM + 18, _number(tick)) for tick in across.ticks)
    return _framed(title, (x, y), up, names + marks + _legend(series, _dash))


def bars(groups: Mapping[str, Sequence[float]], labels: Sequence[str], *, x: str, y: str, title: str) -> str:
    """A bar of each group for each label, side by side."""
    values = [value for group in groups.values() for value in group]
    if not values or not labels:
        return _nothing(title)
    top = TOP + _legend_height(groups)
    up = _up([0.0, *values], top)
    room = (WIDTH - LEFT - RIGHT) / len(labels)
    wide = min(0.8 * room / len(groups), 60)
    marks = ""
    for number, (name, group) in enumerate(groups.items()):
        for place, value in enumerate(group):
            at = LEFT + room * (place + 0.5) + wide * (number - len(groups) / 2)
            caption = f"{name}, {labels[place]}: {_number(value)}"
            marks += _bar(at, up(value), wide, number, caption)
    skip = ceil(max(map(len, labels)) * LETTER / room)
    names = "".join(
        _text(LEFT + room * (place + 0.5), HEIGHT - BOTTOM + 18, label)
        for place, label in enumerate(labels)
        if place % skip == 0
    )
    return _framed(title, (x, y), up, names + marks + _legend(groups, _box))


def ticks(low: float, high: float, count: int = 5) -> tuple[float, ...]:
    """About `count` round numbers that cover the range from low to high."""
    if high <= low:
        high = low + (abs(low) or 1.0)
    rough = (high - low) / count
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= rough * (1 - 1e-9))
    first = floor(low / step + 1e-9)
    last = ceil(high / step - 1e-9)
    return tuple(round(step * at, 10) for at in range(first, last + 1))


def _across(values: Sequence[float], *, log: bool) -> Axis:
    low, high = min(values), max(values)
    named = tuple(sorted(set(values))) if log else tuple(tick for tick in ticks(low, high, 10) if low <= tick <= high)
    return Axis(low, high, LEFT + 8, WIDTH - RIGHT - 8, named, log)


def _up(values: Sequence[float], top: float) -> Axis:
    """The vertical axis: from 0, unless the values are so close together that 0 would hide their differences."""
    low, high = min(values), max(values)
    named = ticks(low if 0 < 0.6 * high < low else min(low, 0.0), high)
    return Axis(named[0], named[-1], HEIGHT - BOTTOM, top, named)


def _line(points: Sequence[Point], number: int, across: Axis, up: Axis) -> str:
    placed = [(across(x), up(y)) for x, y in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
    dots = ""
    if len(points) <= 40:
        dots = "".join(
            f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="3"><title>{_number(x)}: {_number(y)}</title></circle>'
            for at, (x, y) in zip(placed, points, strict=True)
        )
    return f'<g class="line {_style(number)}"><polyline points="{path}"/>{dots}</g>'


def _bar(at: float, top: float, wide: float, number: int, caption: str) -> str:
    tall = HEIGHT - BOTTOM - top
    return (
        f'<rect class="bar {_style(number)}" x="{at:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{tall:.1f}">'
        f"<title>{escape(caption)}</title></rect>"
    )


def _framed(title: str, axes: tuple[str, str], up: Axis, inside: str) -> str:
    x, y = axes
    grid = "".join(
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(tick):.1f}" y2="{up(tick):.1f}"/>'
        + _text(LEFT - 8, up(tick) + 4, _number(tick), "end")
        for tick in up.ticks
    )
    middle = (up.start + up.end) / 2
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{grid}"
        f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{HEIGHT - BOTTOM}" y2="{HEIGHT - BOTTOM}"/>'
        f'<text class="axis-name" text-anchor="middle" x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" y="{HEIGHT - 8}">'
        f"{escape(x)}</text>"
        f'<text class="axis-name" text-anchor="middle" transform="translate(14 {middle:.1f}) rotate(-90)">'
        f"{escape(y)}</text>{inside}</svg>"
    )


def _legend(names: Mapping[str, object], sign: Callable[[float, float, int], str]) -> str:
    if len(names) < 2:
        return ""
    return "".join(
        sign(left, top, number) + _text(left + 28, top + 12, name, "start")
        for number, (name, (left, top)) in enumerate(_legend_places(names).items())
    )


def _dash(left: float, top: float, number: int) -> str:
    points = f"{left:.1f},{top + 8} {left + 22:.1f},{top + 8}"
    return f'<g class="line {_style(number)}"><polyline points="{points}"/></g>'


def _box(left: float, top: float, number: int) -> str:
    return f'<rect class="bar {_style(number)}" x="{left + 10:.1f}" y="{top + 2}" width="12" height="12"/>'


def _legend_places(names: Mapping[str, object]) -> dict[str, tuple[float, float]]:
    """The position of each name: in rows from the left."""
    places: dict[str, tuple[float, float]] = {}
    left, top = float(LEFT), 2.0
    for name in names:
        wide = 46 + len(name) * LETTER
        if left > LEFT and left + wide > WIDTH - RIGHT:
            left, top = float(LEFT), top + 18
        places[name] = (left, top)
        left += wide
    return places


def _legend_height(names: Mapping[str, object]) -> float:
    return max(top for _, top in _legend_places(names).values()) + 22 if len(names) > 1 else 0.0


def _style(number: int) -> str:
    return f"s{number % COLOURS + 1}"


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _nothing(title: str) -> str:
    return f'<p class="note">{escape(title)}: nothing to draw.</p>'
