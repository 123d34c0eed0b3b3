"""Records become groups by a majority of `same` pairs, whatever order they stand in, and as people decided."""

from collections.abc import Iterable

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.partition import MAJORITY, Relations, partition

Pairs = Iterable[tuple[int, int]]


def table(size: int, pairs: Pairs, value: float = 1.0) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    found = np.zeros((size, size))
    for one, other in pairs:
        found[one, other] = found[other, one] = value
    return found


def groups(
    size: int, same: Pairs, *, better: Pairs = (), vetoed: Pairs = (), one_work: Pairs = (), two_works: Pairs = ()
) -> list[list[int]]:
    """The groups of so many records, of which these pairs are the same, some with a better score."""
    same = list(same)
    score = np.maximum(table(size, same, 0.8), table(size, better, 0.9))
    decided = (table(size, one_work) - table(size, two_works)).astype(np.int8)
    labels = partition(
        Relations(table(size, same) + np.eye(size) > 0, score, table(size, vetoed) > 0, decided)
    ).tolist()
    return [[place for place in range(size) if labels[place] == label] for label in sorted(set(labels))]


CHAIN = [(0, 1), (1, 2)]
SQUARE = [(0, 1), (1, 2), (2, 3), (3, 0)]
CLIQUE = [(0, 1), (0, 2), (1, 2)]


def test_records_that_are_all_the_same_are_one_work() -> None:
    assert groups(3, CLIQUE) == [[0, 1, 2]]


def test_records_of_which_none_are_the_same_stay_alone() -> None:
    assert groups(3, []) == [[0], [1], [2]]


def test_a_chain_breaks_at_its_weaker_pair() -> None:
    assert groups(3, CHAIN, better=[(0, 1)]) == [[0, 1], [2]]
    assert groups(3, CHAIN, better=[(1, 2)]) == [[0], [1, 2]]


def test_of_equal_pairs_the_first_counts() -> None:
    assert groups(3, CHAIN) == [[0, 1], [2]]


def test_half_of_the_pairs_is_no_majority() -> None:
    assert groups(4, SQUARE) == [[0, 1], [2, 3]]
    assert groups(4, [*SQUARE, (0, 2)], better=[(0, 1), (2, 3)]) == [[0, 1, 2, 3]]


def test_one_strange_pair_does_not_keep_a_record_out() -> None:
    everything = [(one, other) for other in range(5) for one in range(other)]
    assert groups(5, [pair for pair in everything if pair != (0, 4)]) == [[0, 1, 2, 3, 4]]


def test_a_veto_between_any_two_keeps_groups_apart() -> None:
    assert groups(3, [*CHAIN, (0, 2)], better=[(0, 1)], vetoed=[(0, 2)]) == [[0, 1], [2]]


def test_a_person_brings_records_together() -> None:
    assert groups(2, [], one_work=[(0, 1)]) == [[0, 1]]
    assert groups(2, [], one_work=[(0, 1)], vetoed=[(0, 1)]) == [[0, 1]]
    assert groups(3, [], one_work=CHAIN) == [[0, 1, 2]]


def test_a_person_keeps_records_apart() -> None:
    assert groups(3, CLIQUE, better=[(0, 1)], two_works=[(0, 2)]) == [[0, 1], [2]]


def test_where_decisions_contradict_each_other_different_counts() -> None:
    assert groups(3, [], one_work=CHAIN, two_works=[(0, 2)]) == [[0, 1], [2]]


def test_who_agrees_with_either_of_two_that_a_person_joined_may_join_both() -> None:
    assert groups(3, [(1, 2)], one_work=[(0, 1)], vetoed=[(0, 1), (0, 2)]) == [[0, 1, 2]]
    assert groups(3, [(1, 2)], one_work=[(0, 1)], vetoed=[(0, 1), (0, 2), (1, 2)]) == [[0, 1], [2]]
    assert groups(3, [], one_work=[(0, 1)], vetoed=[(0, 1), (0, 2)]) == [[0, 1], [2]]


@st.composite
def relations(draw: st.DrawFn) -> Relations:
    size = draw(st.integers(1, 9))
    every = [(one, other) for other in range(size) for one in range(other)]
    some = st.sets(st.sampled_from(every)) if every else st.just(set[tuple[int, int]]())
    same, vetoed, words = draw(some), draw(some), draw(some)
    scores = table(size, ())
    for one, other in every:
        scores[one, other] = scores[other, one] = draw(st.sampled_from([0.0, 0.5, 0.8, 0.9]))
    decided = table(size, [pair for pair in words if sum(pair) % 3 == 0]) - table(
        size, [pair for pair in words if sum(pair) % 3 == 1]
    )
    return Relations(table(size, same) + np.eye(size) > 0, scores, table(size, vetoed) > 0, decided.astype(np.int8))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(relations())
def test_no_two_groups_are_left_that_should_be_one_and_none_holds_what_was_decided_to_be_different(
    given_: Relations,
) -> None:
    labels = partition(given_)
    assert (labels <= np.arange(len(labels))).all()
    assert not ((given_.decided < 0) & (labels[:, None] == labels)).any()
    kept_apart = (given_.decided < 0) | (given_.vetoed & (given_.decided <= 0))
    same = (given_.same | (given_.decided > 0)) & (given_.decided >= 0)
    for one in set(labels.tolist()):
        for other in set(labels.tolist()) - {one}:
            block = np.ix_(labels == one, labels == other)
            assert kept_apart[block].any() or same[block].mean() <= MAJORITY


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(relations())
def test_the_same_tables_give_the_same_groups(given_: Relations) -> None:
    before = [lines.copy() for lines in given_]
    assert partition(given_).tolist() == partition(given_).tolist()
    assert all((lines == was).all() for lines, was in zip(given_, before, strict=True)), "and are left as they were"


def test_many_records_are_no_trouble() -> None:
    size = 400
    near = [(one, other) for other in range(size) for one in range(max(0, other - 3), other)]
    assert sum(map(len, groups(size, near))) == size
