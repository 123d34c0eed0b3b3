"""Author names in the forms that sources use."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibfold.records.native import decode
from bibfold.records.people import _parse_all, parse, people

DBLP_ACM = Path(__file__).parents[2] / "evaluation" / "data" / "dblp-acm" / "records.jsonl.gz"

DOE = ("doe", "jane")


@pytest.mark.parametrize(
    "name", ["Doe, Jane", "Jane Doe", "DOE, Jane", "Doe, Jane, 1950-", "Doe, Jane (ed.)", "Doe, Jane, Jr."]
)
def test_one_name_in_many_forms(name):
    assert people([name]) == (DOE,)


@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("Doe JA", ("doe", "j a")),
        ("J. A. Doe", ("doe", "j a")),
        ("Doe, J.-A.", ("doe", "j a")),
        ("van der Berg, Jan", ("berg", "jan")),
        ("Ludwig van Beethoven", ("beethoven", "ludwig")),
        ("Garcia-Molina, Hector", ("garcia molina", "hector")),
        ("Müller, Jürgen", ("muller", "jurgen")),
        ("M\\\"uller, J", ("muller", "j")),
        ("Stefan Fischer 0003", ("fischer", "stefan")),
        ("Si Hyun Kang, null", ("kang", "si hyun")),
        ("PÃ´ssas, B", ("possas", "b")),
        ("Plato", ("plato", "")),
        ("Wei Li", ("li", "wei")),
        ("Michael J Martin", ("martin", "michael j")),
        ("Juan-Pablo Correa-Baena", ("correa baena", "juan pablo")),
        ("Mohammed El-Kebir", ("kebir", "mohammed")),
        ("John Smith Jr", ("smith", "john")),
        ("Not Available", ("", "")),
        ("毛泽东", ("毛 泽 东", "")),
        ("", ("", "")),
        ("N/A", ("", "")),
    ],
)  # fmt: skip
def test_names(name, person):
    assert people([name]) == ((person,) if person[0] else ())


@pytest.mark.parametrize(
    "authors",
    [
        ["Aha, D. W.", "Kibler, D."],
        ["Aha", "D. W.", "Kibler", "D."],
        ["Aha", "D. W.; Kibler", "D.;"],
        ["Aha, D. W.; Kibler, D."],
        ["Aha, D. W. and Kibler, D."],
        ["D. W. Aha & D. Kibler"],
        ["Aha, D. W., Kibler, D."],
        ["Aha DW, Kibler D"],
        ["Aha DW", "Kibler D", "et al."],
        ["Aha DW", "Kibler D", "…"],
    ],
)
def test_lists_in_one_string_or_several(authors):
    assert people(authors) == (("aha", "d w"), ("kibler", "d"))


@given(st.lists(st.text(max_size=60) | st.text("AaÄ .,;&-'()12", max_size=30), max_size=4))
def test_any_text_can_be_parsed(authors):
    for family, given_names in people(authors):
        assert family
        assert family == family.strip()
        assert given_names == " ".join(given_names.split())


@given(st.text(max_size=60))
def test_parsing_one_name_never_fails(name):
    family, given_names = parse(name)
    assert isinstance(family, str)
    assert isinstance(given_names, str)


def test_the_quick_way_with_plain_names_gives_what_the_long_one_does():
    with gzip.open(DBLP_ACM, "rb") as lines:
        names = {name for line in lines for name in decode(line).authors}
    assert len(names) > 3_000
    for name in names:
        assert people([name]) == tuple(person for person in _parse_all(name) if person[0])
