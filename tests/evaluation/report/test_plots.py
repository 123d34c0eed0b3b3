"""Plots are well-formed SVG whose places can be worked out by hand."""

import re

import pytest
from lxml import etree

from evaluation.report.plots import BOTTOM, HEIGHT, LEFT, RIGHT, WIDTH, bars, lines, ticks


def _parsed(svg):
    return etree.fromstring(svg)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, (0, 0.2, 0.4, 0.6, 0.8, 1.0)),
        (0, 100, (0, 20, 40, 60, 80, 100)),
        (0, 9, (0, 2, 4, 6, 8, 10)),
        (0.9, 1, (0.9, 0.92, 0.94, 0.96, 0.98, 1.0)),
        (0, 0, (0, 0.2, 0.4, 0.6, 0.8, 1.0)),
    ],
)
def test_ticks_are_round_and_cover_the_values(low, high, expected):
    assert ticks(low, high) == expected


def test_a_line_runs_from_corner_to_corner():
    svg = _parsed(lines({"recall": [(0.0, 0.0), (1.0, 1.0)]}, x="threshold", y="share", title="Recall"))
    (line,) = svg.findall(".//polyline")
    first, last = ([float(number) for number in point.split(",")] for point in line.get("points").split())
    assert first == [LEFT + 8, HEIGHT - BOTTOM]
    assert last == [WIDTH - RIGHT - 8, 10]


def test_a_plot_says_what_it_shows():
    svg = _parsed(lines({"a": [(0, 1)], "b": [(0, 0.5)]}, x="threshold", y="share", title="Two lines"))
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == svg.findtext("title") == "Two lines"
    words = [text.text for text in svg.findall(".//text")]
    assert {"threshold", "share", "a", "b"} <= set(words)


def test_many_names_of_lines_take_several_rows():
    names = [f"a metric of a long name, number {number}" for number in range(6)]
    svg = _parsed(lines({name: [(0, 0.1), (1, 1)] for name in names}, x="x", y="y", title="t"))
    places = {text.text: float(text.get("y")) for text in svg.findall(".//text") if text.text in names}
    assert len(places) == 6
    assert len(set(places.values())) > 1
    assert max(places.values()) < min(float(dot.get("cy")) for dot in svg.findall(".//circle"))


def test_a_logarithmic_axis_names_each_value():
    svg = _parsed(lines({"r": [(1, 0.5), (10, 0.6), (100, 0.7)]}, x="N", y="recall", title="t", log=True))
    places = [float(dot.get("cx")) for dot in svg.findall(".//circle")]
    assert places[1] - places[0] == pytest.approx(places[2] - places[1], abs=0.2)
    assert {"1", "10", "100"} <= {text.text for text in svg.findall(".//text")}


def test_values_close_together_do_not_start_at_zero():
    names = [text.text for text in _parsed(lines({"r": [(1, 0.9), (2, 1)]}, x="", y="", title="")).findall(".//text")]
    assert "0.9" in names
    assert "0" not in names


def test_bars_are_as_tall_as_their_values():
    svg = _parsed(bars({"a": [1, 2], "b": [0, 4]}, ["low", "high"], x="x", y="y", title="t"))
    tall = {rect.findtext("title"): float(rect.get("height")) for rect in svg.findall(".//rect") if len(rect)}
    assert tall["b, low: 0"] == 0
    assert tall["a, high: 2"] == pytest.approx(2 * tall["a, low: 1"], abs=0.2)
    assert tall["b, high: 4"] == pytest.approx(4 * tall["a, low: 1"], abs=0.3)


def test_labels_that_do_not_fit_are_thinned_out():
    labels = [f"a label of some length {number}" for number in range(30)]
    svg = bars({"a": [1.0] * 30}, labels, x="x", y="y", title="t")
    assert 0 < len(re.findall("<text[^>]*>a label", svg)) < 30


def test_names_are_escaped():
    svg = lines({"<b>": [(0, 1)], "&": [(1, 0)]}, x="<x>", y='"y"', title="<script>")
    assert "<b>" not in svg
    assert "<script>" not in svg
    assert _parsed(svg).get("aria-label") == "<script>"


@pytest.mark.parametrize("chart", [lines({}, x="x", y="y", title="t"), bars({}, [], x="x", y="y", title="t")])
def test_nothing_to_draw_is_said(chart):
    assert chart == '<p class="note">t: nothing to draw.</p>'
