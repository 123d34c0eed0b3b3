"""Two records side by side: what differs is marked, and no record commands the terminal."""

from bibfold.records.model import Record
from lookup.answers import compare_records
from lookup.side_by_side import side_by_side


def show(first, second, width=80):
    return side_by_side(first, second, compare_records(first, second), width)


def test_only_fields_that_differ_are_marked():
    first = Record(source="x", id="1", title="Folding records", year=2000, authors=("Doe, Jane",))
    second = Record(source="y", id="2", title="FOLDING RECORDS", year=2001)
    lines = show(first, second)
    marked = {line.split()[1] for line in lines if line.startswith("≠")}
    assert marked == {"year", "authors"}
    assert any("Doe, Jane" in line and line.rstrip().endswith("–") for line in lines)


def test_columns_fit_the_terminal():
    long = Record(source="x", id="1", title="folding records " * 20)
    lines = show(long, long, width=72)
    assert max(len(line) for line in lines if not line.startswith("  1.000")) <= 72


def test_what_would_command_the_terminal_is_not_sent_to_it():
    first = Record(source="x", id="\x1b]0;owned\x07", title="Folding \x1b[2J records\nand more")
    text = "\n".join(show(first, first))
    assert "\x1b" not in text
    assert "\x07" not in text


def test_a_text_without_end_is_cut():
    first = Record(source="x", id="1", title="records " * 1000, identifiers={"doi": ("10.1000/1",)})
    lines = show(first, first)
    assert len(lines) < 60
    assert any("doi:10.1000/1" in line for line in lines)


def test_vetoes_are_told():
    first = Record(source="x", id="1", title="Folding records, part 1")
    second = Record(source="x", id="2", title="Folding records, part 2")
    assert any(line.startswith("  veto: ") for line in show(first, second))
