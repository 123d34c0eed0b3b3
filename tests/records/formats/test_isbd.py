"""Catalogue punctuation goes, the text's own stays."""

import pytest

from bibfold.records.formats import isbd


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Title :", "Title"),
        ("Title  /", "Title"),
        ("Title ;", "Title"),
        ("Title =", "Title"),
        ("Title.", "Title"),
        ("Wait...", "Wait..."),
        ("Part one..", "Part one"),
        ("In the U.S.A.", "In the U.S.A."),
        ("2nd ed.", "2nd ed."),
        ("Wiley & Sons, Inc.,", "Wiley & Sons, Inc."),
        ("12.", "12"),
        ("[Untitled]", "Untitled"),
        ("[One] or [two]", "[One] or [two]"),
        ("[Verlag,]", "Verlag"),
        ("[Cut", "Cut"),
        ("Why?", "Why?"),
        ("", ""),
        (" / ", ""),
    ],
)
def test_sentence(text: str, bare: str) -> None:
    assert isbd.sentence(text) == bare


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Jazz [sound recording] /", "Jazz"),
        ("Evelina [electronic resource]", "Evelina"),
        ("Text [2nd part] /", "Text [2nd part]"),
    ],
)
def test_title_loses_the_material(text: str, bare: str) -> None:
    assert isbd.title(text) == bare


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Austen, Jane, 1775-1817.", "Austen, Jane"),
        ("Smith, J. A.,", "Smith, J. A."),
        ("Jones, Robert, Jr.", "Jones, Robert, Jr."),
        ("Tenhola, Tommi.", "Tenhola, Tommi"),
        ("Smith, J., 1950-", "Smith, J."),
        ("Symposium 1982", "Symposium 1982"),
    ],
)
def test_name_loses_dates(text: str, bare: str) -> None:
    assert isbd.name(text) == bare
