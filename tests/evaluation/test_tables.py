"""Tables: aligned for a terminal, and as markdown."""

from evaluation.tables import markdown, table


def test_numbers_stand_to_the_right() -> None:
    rows = [("stroke", 1292, 0.99791, None), ("cora", 7, 1.0, True)]
    assert table(("set", "records", "F1", "x"), rows) == [
        "set     records      F1    x",
        "stroke    1,292  0.9979    –",
        "cora          7  1.0000  yes",
    ]


def test_markdown() -> None:
    assert markdown(("set", "F1"), [("a|b", 0.5)]) == ["| set | F1 |", "| --- | ---: |", "| a\\|b | 0.5000 |"]


def test_a_table_without_rows_has_its_header() -> None:
    assert table(("a", "b"), []) == ["a  b"]
