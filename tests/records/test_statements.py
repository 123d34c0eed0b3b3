"""Titles without what a catalogue wrote behind them."""

import pytest

from bibfold.records.model import Record
from bibfold.records.people import people
from bibfold.records.prepare import prepare
from bibfold.records.statements import bare, main


@pytest.mark.parametrize(
    ("title", "left"),
    [
        ("No retreat from love, by Maysie Greig.", "No retreat from love"),
        ("When the typhoon blows. Illustrated by Kurt Wiese.", "When the typhoon blows"),
        ("The white stag. Written & illustrated by Kate Seredy.", "The white stag"),
        ("Government and the investor. (American government in action)", "Government and the investor"),
        ("Handbook of chemistry. 5th ed. rev. & enl.", "Handbook of chemistry"),
        ("Reports of cases. Vol. 62.", "Reports of cases"),
        ("Idle money, idle men. NM: revisions & additions.", "Idle money, idle men"),
        ("A title / Jane Roe ; edited by John Doe", "A title"),
        ("The bread tray. With a foreword by Dorothy Thompson.", "The bread tray"),
    ],
)
def test_statements_of_responsibility_series_edition_and_notes_are_no_part_of_a_title(title: str, left: str) -> None:
    assert bare(title) == left


@pytest.mark.parametrize(
    "title",
    [
        "Who is Killed by Police: Introducing Supervised Attention",
        "Proof by pointing",
        "Inhibition of growth by insulin in mice",
        "Metadata for Digital Media: Introduction to the Special Issue",
        "(1)",
        "By the sea",
    ],
)
def test_a_title_that_only_looks_like_a_statement_stays(title: str) -> None:
    assert bare(title) == title


def test_the_main_title_ends_at_the_first_mark() -> None:
    assert main("Secondary education; principles and practices") == "Secondary education"
    assert main("Hawaii: restless rampart") == "Hawaii"
    assert main("Idle money") == "Idle money"


def test_numbers_of_notes_are_no_numbers_of_the_bare_title() -> None:
    record = prepare(Record(source="x", id="1", title="A history. Part 2. (Our times, v. 12)"))
    assert record.numerals == ("12", "2")
    assert record.bare_numbers[0] == ("2",)


@pytest.mark.parametrize(
    ("author", "person"),
    [
        ("Roe (Jane Mary)", ("roe", "jane mary")),
        ("De Gouy (Louis P.)", ("gouy", "louis p")),
        ("Roe (ed.)", ("roe", "")),
        ("Smith J (Editor)", ("smith", "j")),
    ],
)
def test_given_names_may_stand_in_brackets_and_roles_do_not(author: str, person: tuple[str, str]) -> None:
    assert people([author]) == (person,)


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("A Survey of Grammatical Error Correction", ""),
        ("Correction of scoliosis in children", ""),
        ("Correction: A study of mice", "erratum"),
        ("Correction to: A study of mice", "erratum"),
        ("A study of mice: correction", "erratum"),
        ("Author Correction: A study of mice", "erratum"),
    ],
)
def test_a_correction_is_told_from_the_word(title: str, kind: str) -> None:
    assert prepare(Record(source="x", id="1", title=title)).notice == kind
