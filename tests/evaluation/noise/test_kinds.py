"""Each kind of noise does what it says, to what there is."""

from random import Random

import pytest
from msgspec.structs import replace

from bibfold.records.model import Record
from evaluation.noise.imprint import (
    abbreviated,
    no_abstract,
    no_pages,
    no_publication,
    no_volume,
    no_year,
    page_format,
    year_off_by_one,
)
from evaluation.noise.mix import KINDS
from evaluation.noise.names import accents, fewer_authors, initials, name_order, no_authors
from evaluation.noise.spelling import case, markup, ocr, punctuation, reworded, subtitle, truncated, typo

FULL = Record(
    source="x",
    id="1",
    title="Folding the colour records: an über-catalogue",
    authors=("Müller, Jane Anne", "Richard van der Roe", "Poe, E."),
    publication="Journal of Chemical Physics",
    year=2010,
    volume="12",
    issue="3",
    pages="123-129",
    abstract="We fold.",
)
SEEDS = range(200)


def values(kind, field, record=FULL):
    return {getattr(noisy, field) for seed in SEEDS if (noisy := kind(record, Random(seed)))}


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_changes_a_full_record_and_nothing_of_its_name(name):
    noisy = [found for seed in range(20) if (found := KINDS[name](FULL, Random(seed)))]
    assert noisy
    assert all(record.key == FULL.key for record in noisy)
    assert any(record != FULL for record in noisy)


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_finds_nothing_in_an_empty_record(name):
    bare = Record(source="x", id="1")
    assert all(KINDS[name](bare, Random(seed)) in (None, bare) for seed in range(20))


def test_a_slip_of_the_pen_is_one_or_two_letters():
    assert all(abs(len(title) - len(FULL.title)) <= 2 for title in values(typo, "title"))
    assert len(values(typo, "title")) > 50


def test_a_scan_confuses_letters_and_parts_words():
    titles = values(ocr, "title", Record(source="x", id="1", title="Modern burning"))
    assert "Modem burning" in titles
    assert "Mod- ern burning" in titles


def test_words_are_dropped_swapped_and_spelt_otherwise():
    titles = values(reworded, "title")
    assert "Folding colour records: an über-catalogue" in titles
    assert "Folding the color records: an über-catalogue" in titles
    assert "the Folding colour records: an über-catalogue" in titles


def test_a_cut_title_is_the_beginning_of_the_whole():
    for title in values(truncated, "title"):
        assert FULL.title.startswith(title.removesuffix("..."))
        assert len(title.split()) >= 4


def test_a_subtitle_goes_from_its_field_or_from_the_title():
    assert values(subtitle, "title") == {"Folding the colour records"}
    assert values(subtitle, "subtitle", Record(source="x", id="1", title="Maps", subtitle="an atlas")) == {""}
    assert values(subtitle, "title", Record(source="x", id="1", title="On maps")) == set()


def test_case_is_that_of_other_sources():
    assert values(case, "title") == {
        FULL.title.upper(),
        FULL.title.lower(),
        FULL.title.title(),
    }
    assert FULL.title.capitalize() in values(case, "title", replace(FULL, title=FULL.title.upper()))


def test_punctuation_leaves_the_words():
    assert {title.replace(".", "").lower().split()[0] for title in values(punctuation, "title")} == {"folding"}
    assert f"{FULL.title}." in values(punctuation, "title")


def test_markup_stands_around_a_word():
    assert any("<i>" in title for title in values(markup, "title"))
    assert values(markup, "title", Record(source="x", id="1", title="The <i>E. coli</i> genome")) == set()


def test_marks_on_letters_are_dropped_written_out_or_misread():
    assert {names[0] for names in values(accents, "authors")} == {
        "Muller, Jane Anne",
        "Mueller, Jane Anne",
        "MÃ¼ller, Jane Anne",
    }
    assert values(accents, "title", Record(source="x", id="1", title="plain")) == set()


def test_given_names_are_cut_to_their_first_letters():
    assert {names[0] for names in values(initials, "authors")} == {
        "Müller, J. A.",
        "Müller, JA",
        "J. A. Müller",
        "Müller JA",
    }
    assert {names[1] for names in values(initials, "authors")} >= {"van der Roe, R.", "van der Roe R"}


def test_names_are_turned_round():
    assert {names[:2] for names in values(name_order, "authors")} == {
        ("Jane Anne Müller", "Richard van der Roe"),
        ("Jane Anne, Müller", "Richard, van der Roe"),
    }


def test_authors_are_cut_short_but_never_all_of_them():
    lists = values(fewer_authors, "authors")
    assert lists == {FULL.authors[:1], FULL.authors[:2], (*FULL.authors[:1], "et al."), (*FULL.authors[:2], "et al.")}
    assert values(fewer_authors, "authors", Record(source="x", id="1", authors=("Doe",))) == set()


def test_publications_are_abbreviated():
    assert values(abbreviated, "publication") == {"J Chem Phys", "J. Chem. Phys.", "JCP"}


def test_pages_are_written_in_other_ways():
    assert values(page_format, "pages") == {"123--129", "pp. 123-129", "123", "123-9"}
    assert values(page_format, "pages", Record(source="x", id="1", pages="e12")) == set()


@pytest.mark.parametrize(
    ("kind", "field", "expected"),
    [
        (no_year, "year", {None}),
        (year_off_by_one, "year", {2009, 2011}),
        (no_publication, "publication", {""}),
        (no_volume, "volume", {""}),
        (no_volume, "issue", {""}),
        (no_pages, "pages", {""}),
        (no_authors, "authors", {()}),
        (no_abstract, "abstract", {""}),
    ],
)
def test_what_is_missing_or_off(kind, field, expected):
    assert values(kind, field) == expected
