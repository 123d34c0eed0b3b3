"""A set of names that may grow large."""

from hypothesis import given
from hypothesis import strategies as st

from ingest.names import Names


@given(st.lists(st.lists(st.text(max_size=3), max_size=9), max_size=9), st.lists(st.text(max_size=3)))
def test_it_holds_what_was_taken_in_and_nothing_else(parts: list[list[str]], asked: list[str]) -> None:
    names, expected = Names(), set[str]()
    for part in parts:
        names.add(part)
        expected.update(part)
    assert names.among(asked) == [name for name in asked if name in expected]
    assert all(name in names for name in expected)


def test_an_empty_one_holds_nothing() -> None:
    assert "a" not in Names()
    assert Names().among([]) == []
