"""Volumes, issues and pages."""

import pytest

from lookup.evidence import Evidence
from tests.lookup.examples import finding, prepared


@pytest.mark.parametrize(
    ("pages", "other", "score", "reason"),
    [
        ("288-297", "288-97", 1, "first page 288: equal"),
        ("pp. 73-80.", "73", 1, "first page 73: equal"),
        ("S5-S9", "5-9", 0, "first page s5 against 5"),
        ("10-20", "12-20", 0.5, "first page 10 against 12, last page 20: equal"),
        ("10", "12", 0, "first page 10 against 12"),
        ("e12", "E12", 1, "first page e12: equal"),
    ],
)
def test_pages(pages: str, other: str, score: float, reason: str) -> None:
    found = finding("numbering.pages", prepared(pages=pages), prepared(pages=other))
    assert found == Evidence("x", score, 1.0, reason)


@pytest.mark.parametrize("other", ["", "NA", "no pagination specified"])
def test_absent_pages_say_nothing(other: str) -> None:
    assert finding("numbering.pages", prepared(pages="288-297"), prepared(pages=other)) is None
    assert finding("numbering.pages", prepared(pages=other), prepared(pages=other)) is None


def test_volume_and_issue() -> None:
    ours, theirs = prepared(volume="14(3)"), prepared(volume="vol. 14", issue="4")
    assert finding("numbering.volume", ours, theirs) == Evidence("x", 1.0, 1.0, "volume 14: equal")
    assert finding("numbering.issue", ours, theirs) == Evidence("x", 0.0, 1.0, "issue 3 against 4")
    assert finding("numbering.volume", ours, prepared(volume="n/a")) is None
    assert finding("numbering.issue", prepared(volume="14"), prepared(volume="14")) is None
