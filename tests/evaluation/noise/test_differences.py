"""How two records of one work differ is told in words that noise can be made by."""

from random import Random

import pytest
from msgspec.structs import replace

from bibfold.records.model import Record
from evaluation.noise.differences import differences, shares
from evaluation.noise.mix import KINDS

PAPER = Record(
    source="x",
    id="1",
    title="Folding coloured records: a catalogue of catalogues",
    authors=("Doe, Jane", "Roe, Richard"),
    publication="Journal of Chemical Physics",
    year=2010,
    volume="12",
    pages="123-129",
    abstract="We fold.",
)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, set()),
        ({"title": "Folding coloured records"}, {"subtitle"}),
        ({"title": "Folding coloured records: a catalogue"}, {"truncated"}),
        ({"title": "Folding colored records: a catalogue of catalogues"}, {"typo"}),
        ({"title": "Sorting coloured records into catalogues"}, {"reworded"}),
        ({"title": PAPER.title.upper()}, {"case"}),
        ({"title": PAPER.title + "."}, {"punctuation"}),
        ({"title": PAPER.title.replace("o", "ö")}, {"accents"}),
        ({"title": PAPER.title.replace("records", "<i>records</i>")}, {"markup"}),
        ({"authors": ("Döe, Jane", "Roe, Richard")}, {"accents"}),
        ({"authors": ("Doe, J.", "Roe, R.")}, {"initials"}),
        ({"authors": ("Jane Doe", "Richard Roe")}, {"name-order"}),
        ({"authors": ("Doe, Jane",)}, {"fewer-authors"}),
        ({"authors": ()}, {"no-authors"}),
        ({"year": None}, {"no-year"}),
        ({"year": 2011}, {"year-off-by-one"}),
        ({"year": 2012}, set()),
        ({"publication": ""}, {"no-publication"}),
        ({"publication": "J Chem Phys"}, {"abbreviated"}),
        ({"volume": "", "pages": ""}, {"no-volume", "no-pages"}),
        ({"pages": "123-9"}, {"page-format"}),
        ({"abstract": ""}, {"no-abstract"}),
    ],
)
def test_a_difference_is_named(fields, expected):
    changed = replace(PAPER, **fields)
    assert differences(PAPER, changed) == expected
    assert differences(changed, PAPER) == expected


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if kind.startswith("no-")] + ["initials", "page-format", "case"]
)
def test_noise_that_was_made_is_found_again(kind):
    noisy = next(found for seed in range(20) if (found := KINDS[kind](PAPER, Random(seed))))
    assert kind in differences(PAPER, noisy)


def test_shares_are_of_all_pairs():
    number, share = shares([(PAPER, PAPER), (PAPER, replace(PAPER, year=None))])
    assert (number, share["no-year"], share["typo"]) == (2, 0.5, 0.0)
    assert shares([])[0] == 0
