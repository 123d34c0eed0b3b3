"""Records that share an identifier but are not one work are found out."""

import pytest

from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from evaluation.samples.pool import Member
from evaluation.samples.validation import by_majority, by_signature, by_source, keywords, signature, source_signatures

FOLDING = "folding duplicate records as they arrive"
MAPS = "a union catalogue of nautical maps"
ID_1 = {"arxiv": ("2001.00001",)}


def members(*titles):
    return [Member(f"x:{at}", title, title) for at, title in enumerate(titles)]


def accepted(verdicts):
    return [verdict.accepted for verdict in verdicts]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("on the origin of species", ["origin", "species"]),
        ("to be or not to be", ["to", "be", "or", "not", "to", "be"]),
        ("", []),
    ],
)
def test_keywords_are_the_words_that_are_no_stopwords(title, expected):
    assert keywords(title) == expected


@pytest.mark.parametrize(
    ("authors", "expected"),
    [
        (("García Márquez, Gabriel", "Doe, J."), "solitude marquez"),
        (("Jane van der Berg",), "solitude berg"),
        ((), "solitude"),
    ],
)
def test_a_signature_is_keywords_and_the_last_word_of_the_first_family_name(authors, expected):
    record = Record(source="x", id="1", title="Of solitude", authors=authors)
    assert signature(prepare(record)) == expected


def test_a_record_unlike_the_others_of_its_group_is_left_out():
    group = members(FOLDING, FOLDING.replace("arrive", "arive"), MAPS, FOLDING)
    assert accepted(by_signature(group)) == [True, True, False, True]


def test_a_record_without_a_title_is_no_version_of_anything():
    assert accepted(by_signature(members("", FOLDING, ""))) == [False, True, False]
    assert accepted(by_signature(members(""))) == [False]


def test_four_fifths_of_the_characters_are_enough_and_fewer_are_not():
    ten = "abcdefghij"
    assert accepted(by_signature(members(ten, ten, "abcdefghXX"))) == [True, True, True]
    assert accepted(by_signature(members(ten, ten, "abcdefgXXX"))) == [True, True, False]


def test_the_reference_is_the_member_nearest_to_all_others_wherever_it_stands():
    near = ["abcdefghij", "abcdefghiX", "abcdefghXj", "XXXXXXXXXX"]
    assert accepted(by_signature(members(*near))) == [True, True, True, False]
    assert accepted(by_signature(members(*reversed(near)))) == [False, True, True, True]


def test_the_members_with_the_title_of_the_majority_are_kept():
    assert accepted(by_majority(members(MAPS, FOLDING, FOLDING + "s", FOLDING))) == [False, True, True, True]


@pytest.mark.parametrize("titles", [(MAPS, FOLDING), (MAPS, MAPS, FOLDING, FOLDING), ("", "", MAPS)])
def test_without_a_majority_nothing_is_kept(titles):
    assert not any(accepted(by_majority(members(*titles))))


def test_the_sources_own_record_is_the_reference_where_it_is_given():
    sources = source_signatures(
        [
            Record(source="arxiv", id="1", title="Erdős-Rényi graphs", authors=("van der Berg, J.",), identifiers=ID_1),
            Record(source="arxiv", id="2", title="Nautical maps", identifiers={"arxiv": ("2001.00002",)}),
        ]
    )
    assert sources == {"arxiv:2001.00001": "erdos renyi graphs berg", "arxiv:2001.00002": "nautical maps"}
    group = [
        Member("x:1", "erdos renyi graph", "erdos renyi graph berg", ("arxiv:2001.00001",)),
        Member("x:2", "nautical maps", "nautical maps", ("arxiv:2001.00001",)),
        Member("x:3", "nautical maps", "nautical maps", ("arxiv:2001.00002",)),
        Member("x:4", "", "", ("arxiv:2001.00001",)),
        Member("x:5", "nautical maps", "nautical maps", ("arxiv:2001.00009",)),
    ]
    verdicts = by_source(group, sources)
    assert [verdict.accepted for verdict in verdicts] == [True, False, True, False, False]
    assert verdicts[0].similarity == pytest.approx(1 - 1 / 23)
    assert (verdicts[1].text, verdicts[1].reference) == ("nautical maps", "erdos renyi graphs berg")
    assert [verdict.accepted for verdict in by_source(group, sources, least=0.99)] == [False, False, True, False, False]
