"""Authors as sources name them."""

import pytest

from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from lookup.compare import people


def _found(ours, theirs):
    one, other = (prepare(Record(source="x", id="1", authors=tuple(names))) for names in (ours, theirs))
    found, turned = people.similar(one, other), people.similar(other, one)
    assert (found is None) == (turned is None)
    if found:
        assert (found.score, found.share) == (turned.score, turned.share)
    return found


def test_absent_is_not_different():
    assert _found([], ["Doe, J"]) is None
    assert _found(["N/A"], ["Doe, J"]) is None


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["Doe, Jane", "Roe, R"], ["R. Roe", "J. Doe"]),
        (["Zhai, Q J"], ["Zhai Q"]),
        (["Ching-yi, Wu"], ["Wu, C. Y."]),
        (["van der Berg, Jan"], ["Jan Berg"]),
        (["Garcia-Molina, H."], ["H. Molina"]),
        (["Casati, F."], ["Castai, F."]),
        (["Aha", "D. W.", "Kibler", "D."], ["David W. Aha", "Dennis Kibler"]),
        (["Müller, Ä."], ["Muller, A."]),
    ],
)
def test_one_list_in_two_spellings(ours, theirs):
    assert _found(ours, theirs).score == 1.0


def test_a_list_cut_short_costs_little():
    assert 0.8 < _found(["Doe, J", "Roe, R", "Poe, E"], ["Doe, J"]).score < 0.9


def test_other_people():
    assert _found(["Doe, J"], ["Smith, A"]).score == 0
    assert _found(["Doe, J", "Roe, R"], ["Doe, J", "Poe, E"]).score == 0.5


def test_other_initials_are_doubtful():
    assert _found(["Wang, X"], ["Wang, J"]).score == 0.5


def test_several_authors_who_agree_say_more_than_one():
    shares = [_found(names, names).share for names in (["A, B"], ["A, B", "C, D"], ["A, B", "C, D", "E, F"])]
    assert shares == sorted(set(shares))
    assert _found(["Doe, J"], ["Smith, A"]).share == 1.0


def test_thousands_of_authors():
    crowd = [f"Author{number:05}, A" for number in range(10_000)]
    assert _found(crowd, crowd[::-1]).score == 1.0
    assert _found(crowd, [f"Writer{number:05}, A" for number in range(10_000)]).score == 0


def test_the_reason_names_a_lone_author():
    assert _found(["Zhai, Q J"], ["Zhai, Q"]).reason == "author Zhai Q J and Zhai Q: agree"
    assert _found(["Doe, J", "Roe, R"], ["Doe, J"]).reason == "authors: 1 of 1 and 2 agree"
