"""Precision, recall, F1 and closure on pairs small enough to count by hand."""

from itertools import pairwise

from evaluation.pairs import Score, closure, make_pair, pairs_of, score


def test_a_pair_has_no_order() -> None:
    assert make_pair("b", "a") == make_pair("a", "b") == ("a", "b")


def test_counts_and_shares() -> None:
    found = score({("a", "b"), ("a", "c"), ("d", "e")}, {("a", "b"), ("a", "c"), ("b", "c"), ("f", "g")})
    assert found == Score(2, 1, 2)
    assert (found.precision, found.recall, found.f1) == (2 / 3, 1 / 2, 4 / 7)


def test_nothing_found_and_nothing_to_find() -> None:
    assert score(set(), set()) == Score(0, 0, 0)
    assert (Score(0, 0, 0).precision, Score(0, 0, 0).recall, Score(0, 0, 0).f1) == (1, 1, 1)
    assert (Score(0, 0, 2).precision, Score(0, 0, 2).recall, Score(0, 0, 2).f1) == (1, 0, 0)


def test_all_pairs_of_a_cluster() -> None:
    members = [("1", "c"), ("1", "a"), ("2", "d"), ("1", "b")]
    assert pairs_of(members) == {("a", "b"), ("a", "c"), ("b", "c")}


def test_pairs_chain_into_clusters() -> None:
    clusters = closure([("a", "b"), ("c", "d"), ("b", "c"), ("y", "z")])
    assert len({clusters[key] for key in "abcd"}) == 1
    assert clusters["y"] == clusters["z"] != clusters["a"]
    assert set(clusters) == set("abcdyz")


def test_a_long_chain() -> None:
    keys = [f"{at:05}" for at in range(20_000)]
    assert len(set(closure(pairwise(keys)).values())) == 1
