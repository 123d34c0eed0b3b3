"""Authors as sources name them."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings

from lookup.evidence import Evidence
from lookup.fields import people
from lookup.pairs import Pairs
from tests.lookup.baseline import baseline
from tests.lookup.examples import batches, finding, many, prepared


def _found(ours: Sequence[str], theirs: Sequence[str], comparator: str = "people.similar") -> Evidence | None:
    return finding(comparator, prepared(authors=tuple(ours)), prepared(authors=tuple(theirs)))


def _similar(ours: Sequence[str], theirs: Sequence[str]) -> Evidence:
    found = _found(ours, theirs)
    assert found is not None
    return found


@pytest.mark.parametrize("comparator", ["people.similar", "people.strings"])
@pytest.mark.parametrize("ours", [[], ["N/A"]])
def test_absent_is_not_different(comparator: str, ours: list[str]) -> None:
    assert _found(ours, ["Doe, J"], comparator) is None
    assert _found(ours, [], comparator) is None


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
def test_one_list_in_two_spellings(ours: list[str], theirs: list[str]) -> None:
    assert _similar(ours, theirs).score == 1.0


def test_a_list_cut_short_costs_little() -> None:
    assert 0.8 < _similar(["Doe, J", "Roe, R", "Poe, E"], ["Doe, J"]).score < 0.9


@pytest.mark.parametrize(
    ("ours", "theirs", "score"),
    [
        (["Doe, J"], ["Smith, A"], 0),
        (["Doe, J", "Roe, R"], ["Doe, J", "Poe, E"], 0.5),
        (["Wang, X"], ["Wang, J"], 0.5),
        (["Wang, X", "Wang, J"], ["Wang, J", "Wang, L"], 0.75),
        (["Wang, X", "Wang, J"], ["Wang, J", "Wang, X"], 1),
        (["Wang, X", "Wang, J"], ["Wang, J", "Li, X"], 0.5),
    ],
)
def test_other_people_and_other_initials(ours: list[str], theirs: list[str], score: float) -> None:
    assert _similar(ours, theirs).score == score


def test_slips_in_a_long_list_count_once_a_name_agrees() -> None:
    misspelt = (
        ["Casati, F", "Garcia, H", "Miller, A", "Berger, J"],
        ["Castai, F", "Gracia, H", "Milller, A", "Breger, J"],
    )
    assert _similar(*misspelt).score == 0
    assert _similar(["Doe, J", *misspelt[0]], ["Doe, J", *misspelt[1]]).score == 1


def test_several_authors_who_agree_say_more_than_one() -> None:
    shares = [_similar(names, names).weight for names in (["A, B"], ["A, B", "C, D"], ["A, B", "C, D", "E, F"])]
    assert shares == sorted(set(shares))
    assert _similar(["Doe, J"], ["Smith, A"]).weight == 1.0


def test_thousands_of_authors() -> None:
    crowd = [f"Author{number:05}, A" for number in range(10_000)]
    assert _similar(crowd, crowd[::-1]).score == 1.0
    assert _similar(crowd, [f"Writer{number:05}, A" for number in range(10_000)]).score == 0


def test_names_as_words() -> None:
    found = _found(["Doe, Jane", "Roe, R"], ["Roe, R"], "people.strings")
    assert found == Evidence("x", 2 / 4, 1.0, "authors: 2 of 4 words shared")


@pytest.mark.parametrize(
    ("ours", "theirs", "reason"),
    [
        (["Zhai, Q J"], ["Zhai, Q"], "author Zhai Q J and Zhai Q: agree"),
        (["Doe, J", "Roe, R"], ["Doe, J"], "authors: 1 of 1 and 2 agree"),
        (["Doe, J", "Roe, R"], ["Doe, J", "Roe, R"], "authors: the same 2"),
        (["Wang, X"], ["Wang, J"], "authors: 0.5 of 1 and 1 agree"),
    ],
)
def test_reasons(ours: list[str], theirs: list[str], reason: str) -> None:
    assert _similar(ours, theirs).reason == reason


def _check_batch_against_look(pairs: Pairs) -> None:
    """A pair that the batch decides scores as a look would have it; an open one scores no less."""
    batch = people.similar(pairs)
    share, is_open = (np.broadcast_to(values, pairs.size) for values in (batch.share, batch.open))
    for pair in np.flatnonzero(~batch.missing).tolist():
        found = people.look(*pairs.records(pair))
        if is_open[pair]:
            assert found.score <= batch.score[pair] + 1e-12
            assert found.share <= share[pair] + 1e-12
        else:
            assert (found.score, found.share) == pytest.approx((batch.score[pair], share[pair]), abs=1e-12)


@given(batches)
@settings(max_examples=40)
def test_the_batch_agrees_with_a_look(pairs: Pairs) -> None:
    _check_batch_against_look(pairs)
    _check_batch_against_look(many(pairs))


def test_the_batch_agrees_with_a_look_at_real_pairs() -> None:
    _check_batch_against_look(baseline().pairs())
