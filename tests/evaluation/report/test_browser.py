"""A real browser shows the whole report, and asks the network for nothing."""

import json
import os
import shutil
import subprocess

import pytest

from evaluation.report.page import Section, figure_html, table_html, write_report
from evaluation.report.plots import bars, lines
from evaluation.runs import EvaluationRun

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

OWN = "not an origin"

QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@pytest.mark.skipif(BROWSER is None, reason="no chromium here; the page is checked as text by test_page")
def test_a_browser_shows_the_page_without_network(tmp_path):
    parts = [
        Section("Curves", figure_html(lines({"recall": [(0, 1), (1, 0)]}, x="threshold", y="share", title="A curve"))),
        Section("Counts", figure_html(bars({"clusters": [3, 1]}, ["1", "2"], x="size", y="clusters", title="Sizes"))),
        Section("Table", table_html(["metric", "F1"], [("mendeley", 0.9988)]), "Worked out by hand."),
    ]
    write_report(tmp_path / "report", "A report", EvaluationRun("sweep", "1.0", {}, {}, {}), parts)
    log = tmp_path / "net.json"
    address = (tmp_path / "report" / "index.html").as_uri()
    words = [str(BROWSER), *QUIET, f"--user-data-dir={tmp_path / 'profile'}", f"--log-net-log={log}", "--dump-dom"]
    ran = subprocess.run(
        [*words, address], capture_output=True, timeout=120, env={**os.environ, "HOME": str(tmp_path)}, check=True
    )
    shown = ran.stdout.decode()
    for text in ("A report", "Curves", "A curve", "0.9988", "Worked out by hand.", "How to repeat this"):
        assert text in shown
    assert shown.count("<svg") == 2
    assert "Content Security Policy" not in ran.stderr.decode()
    assert _asked_by_the_page(log) == []


def _asked_by_the_page(log):
    """The addresses that the page asked for; the browser's own business has no origin."""
    events = [event.get("params", {}) for event in json.loads(log.read_text(encoding="utf-8"))["events"]]
    return [event["url"] for event in events if "url" in event and event.get("initiator", OWN) != OWN]
