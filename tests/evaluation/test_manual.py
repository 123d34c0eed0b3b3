"""The pages on evaluation: examples that are run by `make figures`, and links that lead somewhere."""

import importlib.util
import re
from pathlib import Path

import pytest

import evaluation

DOCS = Path(evaluation.__file__).parent.parent / "docs"
PAGES = [DOCS / "evaluation.md", DOCS / "papers" / "mendeley.md"]


@pytest.fixture(scope="module")
def measured():
    spec = importlib.util.spec_from_file_location("measured", DOCS / "measured.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generator_knows_the_page_with_commands(measured):
    assert [DOCS / name for name in measured.PAGES] == PAGES[:1]
    assert measured.MARK.search(PAGES[0].read_text(encoding="utf-8"))


def test_commands_of_a_page_see_what_earlier_ones_wrote(measured):
    text = (
        "<!-- run: bibfold evaluate sample evaluation/data/stroke/records.jsonl.gz --pairs 5 "
        "--clusters evaluation/data/stroke/gold.csv.gz --out truth.csv -->\n"
        "<!-- begin: bibfold evaluate score truth.csv evaluation/data/stroke/gold.csv.gz -->\nSTALE\n<!-- end -->\n"
        "<!-- begin: bibfold profiles --help -->\nkept\n<!-- end -->\n"
    )
    filled = measured.filled(text, "truth")
    assert "$ bibfold evaluate score truth.csv" in filled
    assert "(5 found, 0 wrong, 474 missed)" in filled
    assert "STALE" not in filled
    assert "kept" in filled


def test_the_documented_misses_are_current(measured):
    page = PAGES[0].read_text(encoding="utf-8")
    assert measured.filled(page, "evaluate misses") == page, "run `make figures`"


def _anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#]*)#?([^)]*)\)", page.read_text(encoding="utf-8"))
    assert links
    for path, anchor in links:
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), path
        headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
        assert not anchor or anchor in map(_anchor, headings), anchor
