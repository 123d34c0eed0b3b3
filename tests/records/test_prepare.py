"""Records made comparable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibfold.records.model import Record
from bibfold.records.prepare import notice, numbering, pages, prepare


def _prepared(**fields):
    return prepare(Record(source="x", id="1", **fields))


@pytest.mark.parametrize(
    "title",
    [
        "Folding fast",
        "Folding fast.",
        "<i>Folding</i> fast",
        "Folding fast [in Chinese]",
        "Folding fast (Review)",
        "RETRACTED: Folding fast",
        "Folding fast.[Erratum appears in Nature 2004;3(1):2]",
        "Folding fast [corrected][published erratum appears in Nature 2004]",
        "Folding fast [J]",
        "Folding fast [C]. In: Proc. of Folding",
    ],
)
def test_notes_and_markup_are_no_part_of_a_title(title):
    assert _prepared(title=title).title == "folding fast"


def test_a_title_made_of_a_note_alone_stays():
    assert _prepared(title="[Review]").title == "review"


def test_subtitle_and_head():
    assert _prepared(title="Folding: how fast?").head == "folding"
    one = _prepared(title="Folding", subtitle="how fast?")
    assert (one.title, one.head) == ("folding how fast", "folding")
    assert _prepared(title="Folding: how fast?", subtitle="how fast?").title == "folding how fast"


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("erratum to folding", "erratum"),
        ("author correction folding", "erratum"),
        ("folding vol 14 pg 288 2003", "erratum"),
        ("notice of retraction", "retraction"),
        ("reply to doe", "reply"),
        ("folding the authors reply", "reply"),
        ("comment on folding", "comment"),
        ("book review folding", "review"),
        ("responses of cells", ""),
        ("folding", ""),
        ("", ""),
    ],
)
def test_notices(title, kind):
    assert notice(title) == kind


@pytest.mark.parametrize(
    ("text", "first_and_last"),
    [
        ("288-297", ("288", "297")),
        ("288-97", ("288", "297")),
        ("1495–503", ("1495", "1503")),
        ("pp. 73--80.", ("73", "80")),
        ("e12", ("e12", "")),
        ("S5-S9", ("s5", "s9")),
        ("0012", ("12", "")),
        ("NA", ("", "")),
        ("(pp. 81-92).", ("81", "92")),
        ("", ("", "")),
    ],
)
def test_pages(text, first_and_last):
    assert pages(text) == first_and_last


@pytest.mark.parametrize(
    ("volume", "issue", "numbers"),
    [
        ("6", "1", ("6", "1")),
        ("vol. 6,", "", ("6", "")),
        ("6(1)", "", ("6", "1")),
        ("6 (1):", "", ("6", "1")),
        ("Volume II", "", ("2", "")),
        ("006", "no. 01", ("6", "1")),
        ("NA", "null", ("", "")),
        ("59", "SUPPL. 1", ("59", "suppl 1")),
    ],
)
def test_numbering(volume, issue, numbers):
    assert numbering(volume, issue) == numbers


@pytest.mark.parametrize("year", [20022, 0, -5, None])
def test_impossible_years_say_nothing(year):
    assert _prepared(year=year).year is None


@given(st.text(max_size=80), st.text(max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_any_text_can_be_prepared(title, publication, volume, numbers):
    one = _prepared(title=title, publication=publication, volume=volume, issue=numbers, pages=numbers, authors=(title,))
    assert one.title == " ".join(one.title.split())
    assert bool(one.title) == bool(title.split())


def test_long_runs_take_no_time_to_speak_of():
    blanks = " " * 200_000
    one = _prepared(title=f"{blanks}x[", authors=(f"{blanks}a(",), volume="a" * 200_000, pages=f"{blanks}1")
    assert (one.title, one.people) == ("x", (("a", ""),))
