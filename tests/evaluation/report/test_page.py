"""A report holds what it was given, escaped, and asks for nothing from elsewhere."""

import re

import pytest
from lxml import html

from bibfold.errors import InputError
from evaluation.report.page import Section, beside_html, figure_html, page, pair_html, table_html, write_report
from evaluation.runs import EvaluationRun, read_run
from lookup.answers import compare_records
from lookup.profiles import profile_named

RUN = EvaluationRun(
    kind="sweep",
    version="1.2.3",
    settings={"profile": ["bibfold", "mendeley"], "step": 0.1},
    data={"records": {"path": "r.jsonl", "fingerprint": "0123456789abcdef", "count": 4910}},
    figures={"f1": 0.5},
)


def _text(fragment):
    return " ".join(html.fromstring(fragment).text_content().split())


def test_a_report_is_a_page_and_its_run(tmp_path):
    write_report(tmp_path / "new" / "folder", "A sweep", RUN, [Section("Part <one>", "<p>hello</p>", "R & D")])
    text = (tmp_path / "new" / "folder" / "index.html").read_text(encoding="utf-8")
    shown = _text(text.partition("</style>")[2])
    assert "Part <one>" in shown
    assert "R & D" in shown
    assert "hello" in shown
    assert "0123456789abcdef" in shown
    assert "1.2.3" in shown
    assert read_run(tmp_path / "new" / "folder" / "run.json") == RUN


def test_a_page_loads_nothing():
    text = page("t", RUN, [Section("s", figure_html("<svg/>"))])
    assert not re.search(r"https?://|<script|<link|<img|@import|url\(|\bsrc=", text)
    assert "default-src 'none'" in text


def test_every_part_can_be_reached():
    tree = html.fromstring(page("t", RUN, [Section("one", ""), Section("two", "")]))
    targets = [link.get("href").removeprefix("#") for link in tree.findall(".//nav//a")]
    assert [section.get("id") for section in tree.findall(".//section")] == targets
    assert len(targets) == 3


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file cannot be written"):
        write_report(tmp_path / "file", "t", RUN, [])


def test_columns_of_numbers_stand_to_the_right():
    rows = [("a", 1234, 0.5, "36,274 (0.26%)", "1 of 2"), ("b", 5, None, "0 (0%)", "2 of 2")]
    tree = html.fromstring(table_html(["name", "count", "share", "told", "words"], rows))
    assert [cell.get("class") for cell in tree.findall(".//th")] == [None, "number", "number", "number", None]
    assert [cell.text for cell in tree.findall(".//td")][:4] == ["a", "1,234", "0.5000", "36,274 (0.26%)"]


def test_a_table_escapes_its_cells():
    assert "<i>" not in table_html(["<i>"], [["<i>"]])


def test_an_empty_table_has_its_header():
    assert _text(table_html(["a", "b"], [])) == "ab"


def test_parts_stand_side_by_side():
    assert beside_html("<p>1</p>", "<p>2</p>") == '<div class="beside"><p>1</p><p>2</p></div>'


def test_two_records_stand_side_by_side_with_their_evidence(make):
    ours = make("1", title="The 16th Workshop on Maps", publication="Maps & Charts", identifiers={"doi": ("10.1/a",)})
    theirs = make("2", title="the 17th workshop on <b>maps</b>", year=2021)
    shown = pair_html(ours, theirs, compare_records(ours, theirs))
    tree = html.fromstring(shown)
    assert [mark.text for mark in tree.findall(".//mark")] == ["16th", "17th", "2020", "2021"]
    assert [cell.text for cell in tree.findall(".//th")][1:3] == ["x:1", "x:2"]
    assert "<b>" not in shown
    text = _text(shown)
    assert text.startswith("differentscore 0.57")
    assert "veto: numbers in the titles: 16 against 17" in text
    assert "doi:10.1/a" in text
    assert "Maps & Charts" in text


def test_evidence_that_belongs_to_no_field_is_shown_too(make):
    shown = pair_html(make("1"), make("2"), compare_records(make("1"), make("2"), profile_named("mendeley-citation")))
    assert "citation" in _text(shown)


def test_only_fields_that_differ_are_called_so(make):
    tree = html.fromstring(pair_html(make("1"), make("2", year=1999), compare_records(make("1"), make("2", year=1999))))
    assert [row.findtext("td") for row in tree.findall(".//tr[@class='differs']")] == ["year"]
