"""Reports of progress: how far, how fast, how long; written over on a terminal, seldom elsewhere."""

import io
from collections.abc import Callable

import pytest

from bibfold.progress import Progress, progress, report


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("done", "total", "rate", "expected"),
    [
        (1200, 0, 340.4, "indexing: 1,200, 340 a second"),
        (0, 10, 0, "indexing: [------------------------] 0 of 10, 0 a second"),
        (5000, 20000, 100, "indexing: [######------------------] 5,000 of 20,000, 100 a second, 2:30 left"),
        (1, 1_000_001, 100, "indexing: [------------------------] 1 of 1,000,001, 100 a second, 2:46:40 left"),
        (10, 10, 5, "indexing: [########################] 10 of 10, 5 a second"),
    ],
)
def test_what_a_report_says(done: int, total: int, rate: float, expected: str) -> None:
    assert report("indexing", done, total, rate) == expected


def shown(out: io.StringIO, *calls: tuple[float, int, int]) -> str:
    now = [0.0]
    bar = Progress("x", out, lambda: now[0])
    for time, done, total in calls:
        now[0] = time
        bar(done, total)
    bar.close()
    return out.getvalue()


def test_on_a_terminal_each_is_written_over_the_last_but_not_too_often() -> None:
    text = shown(Terminal(), (0, 0, 40), (0.1, 5, 40), (0.5, 10, 40), (0.6, 20, 40), (1, 40, 40))
    reports = text.split("\r")[1:]
    assert [one.partition("] ")[2] for one in reports] == [
        "10 of 40, 20 a second, 0:02 left\x1b[K",
        "40 of 40, 40 a second\x1b[K",
        "40 of 40, 40 a second\x1b[K\n",
    ]


def test_elsewhere_a_line_now_and_then_and_the_last() -> None:
    text = shown(io.StringIO(), (1, 10, 0), (5, 50, 0), (11, 110, 0), (12, 120, 0))
    assert text == "x: 110, 10 a second\nx: 120, 10 a second\n"


def test_how_fast_it_goes_does_not_count_what_was_done_before() -> None:
    assert "100 a second, 0:05 left" in shown(io.StringIO(), (0, 9000, 10_000), (5, 9500, 10_000))


def test_nothing_to_report_is_not_reported() -> None:
    assert shown(Terminal()) == ""


@pytest.mark.parametrize(("flag", "terminal", "there"), [(None, True, True), (None, False, False), (True, False, True)])
def test_by_default_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, flag: bool | None, terminal: bool, there: bool
) -> None:
    out = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    advance: Callable[..., None]
    with progress("folding", total=5, shown=flag) as advance:
        advance(3)
    assert ("3 of 5" in out.getvalue()) is there
