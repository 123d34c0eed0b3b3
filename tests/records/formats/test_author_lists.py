"""Lists of authors in one text."""

import pytest

from bibfold.records.formats.author_lists import split_authors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A Roe, B Doe", ("A Roe", "B Doe")),
        ("JM Roe, A. B. Doe, C van Poe", ("JM Roe", "A. B. Doe", "C van Poe")),
        ("Ann Roe, Bob Doe, Cy Poe", ("Ann Roe", "Bob Doe", "Cy Poe")),
        ("Roe, A., Doe, B. C.", ("Roe, A.", "Doe, B. C.")),
        ("A Roe, B Doe and C Poe", ("A Roe", "B Doe", "C Poe")),
        ("Ann Roe|Bob Doe", ("Ann Roe", "Bob Doe")),
        ("Roe, Ann (57190000001); Doe, Bob (57190000002)", ("Roe, Ann", "Doe, Bob")),
        ("van der Roe, Ann Bea", ("van der Roe, Ann Bea",)),
        ("Roe, Ann", ("Roe, Ann",)),
        ("World Health Organization", ("World Health Organization",)),
        ("", ()),
    ],
)
def test_lists(text: str, expected: tuple[str, ...]) -> None:
    assert split_authors(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann RoeBob Doe", ("Ann Roe", "Bob Doe")),
        ("LaToya DoeAnn McRoeCy Poe", ("LaToya Doe", "Ann McRoe", "Cy Poe")),
        ("Ann Roe", ("Ann Roe",)),
    ],
)
def test_names_without_a_mark_between_them(text: str, expected: tuple[str, ...]) -> None:
    assert split_authors(text, glued=True) == expected
