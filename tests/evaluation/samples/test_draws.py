"""Each way of drawing: pairs are what they are called, none comes twice, the same seed draws the same."""

from itertools import combinations
from random import Random

import pytest

from bibfold.records.model import Record
from evaluation.pairs import make_pair
from evaluation.samples.pool import by_clusters
from evaluation.samples.random_pairs import random_pairs
from evaluation.samples.sampled_pairs import SampleRequest, count
from evaluation.samples.search import neighbour_pairs, ranked_hits, select_pairs
from evaluation.samples.windows import title_pairs, uncertain_pairs
from evaluation.truth import Truth

NOUNS = "maps terns noise mosaics proteins records detectors catalogues stars rivers".split()
METHODS = [random_pairs, title_pairs, uncertain_pairs, neighbour_pairs]


def pool_of(works=40, copies=3):
    """Works with titles of common words, so that different ones are near each other; copies differ a little."""
    records, same = [], set()
    for work in range(works):
        title = f"on the {NOUNS[work % 10]} of {NOUNS[work // 10]} and other matters"
        keys = [f"{work}-{copy}" for copy in range(copies)]
        records += [Record(source="x", id=key, title=title[: len(title) - at]) for at, key in enumerate(keys)]
        same |= {make_pair(f"x:{a}", f"x:{b}") for a, b in combinations(keys, 2)}
    return by_clusters(records, Truth(same, set(), whole=True))


def request(pairs, seed=1):
    return SampleRequest(pairs, Random(seed))


@pytest.mark.parametrize("method", METHODS)
def test_pairs_are_what_they_are_called_and_none_comes_twice(method):
    pool = pool_of()
    sampled = method(pool, request(50))
    assert count(sampled, same=True) > 10
    assert count(sampled, same=False) > 10
    assert all(pool.same(pair.first, pair.second) == pair.same for pair in sampled)
    assert len({frozenset((pair.first, pair.second)) for pair in sampled}) == len(sampled)
    assert all(len({pair.first, pair.second}) == 2 for pair in sampled)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_draws_the_same_pairs_and_another_seed_others(method):
    pool = pool_of()
    assert method(pool, request(50)) == method(pool, request(50))
    assert method(pool, request(50)) != method(pool, request(50, seed=2))


@pytest.mark.parametrize("method", METHODS)
def test_no_more_are_drawn_than_were_asked_for(method):
    sampled = method(pool_of(), request(5))
    assert (count(sampled, same=True), count(sampled, same=False)) == (5, 5)


@pytest.mark.parametrize("method", METHODS)
def test_a_draw_ends_where_there_are_no_more_pairs(method):
    sampled = method(pool_of(works=2, copies=3), request(1000))
    assert count(sampled, same=True) <= 6
    assert count(sampled, same=False) <= 9


def test_random_pairs_are_as_many_of_the_same_as_of_different_works():
    sampled = random_pairs(pool_of(works=6, copies=2), request(1000))
    assert (count(sampled, same=True), count(sampled, same=False)) == (6, 6)


def test_random_pairs_come_two_by_two_from_one_record():
    sampled = random_pairs(pool_of(), request(20))
    assert all(twin.first == stranger.first for twin, stranger in zip(sampled[::2], sampled[1::2], strict=True))


def test_title_pairs_have_a_keyword_in_common():
    titles = {"1": "red maps", "2": "blue maps", "3": "silver terns"}
    records = [Record(source="x", id=id, title=title) for id, title in titles.items()]
    pool = by_clusters(records, Truth(set(), set(), whole=True))
    seen = {frozenset((pair.first, pair.second)) for seed in range(60) for pair in title_pairs(pool, request(9, seed))}
    assert seen == {frozenset((0, 1))}


def test_a_fifth_of_the_pairs_of_the_same_work_is_drawn_by_title():
    pool = pool_of(works=90, copies=4)
    sampled = title_pairs(pool, request(10_000))
    assert 70 < count(sampled, same=True) < 150  # of 540, so 108 on average
    assert {pair.probability for pair in sampled if pair.same} == {0.2}


def the_probability(method, pool):
    """The only probability with which pairs of a small pool are accepted, whatever the seed."""
    (probability,) = {pair.probability for seed in range(20) for pair in method(pool, request(1, seed))}
    return probability


def test_the_chance_of_a_title_pair_is_its_similarity_squared():
    titles = ("abcd maps", "abxx maps")
    pool = by_clusters(
        [Record(source="x", id=str(at), title=title) for at, title in enumerate(titles)],
        Truth(set(), set(), whole=True),
    )
    assert the_probability(title_pairs, pool) == pytest.approx((7 / 9) ** 2)


def test_the_chance_of_an_uncertain_pair_grows_with_the_disagreement():
    titles = ("a b c", "c b a")  # measures 0.6, 1, 1/3 and 1: m = 2/3, d = 5/6, a = 2.9333/4
    records = [Record(source="x", id=str(at), title=title) for at, title in enumerate(titles)]
    apart = by_clusters(records, Truth(set(), set(), whole=True))
    assert the_probability(uncertain_pairs, apart) == pytest.approx((5 / 6) ** 2 * (0.6 + 1 + 1 / 3 + 1) / 4)
    together = by_clusters(records, Truth({("x:0", "x:1")}, set(), whole=True))
    assert the_probability(uncertain_pairs, together) == pytest.approx(5 / 6)


def test_no_record_is_set_against_more_of_those_before_than_the_window_holds():
    records = [Record(source="x", id=str(at), title="maps") for at in range(30)]
    sampled = title_pairs(by_clusters(records, Truth(set(), set(), whole=True)), request(10_000), window=2)
    assert len(sampled) == 1 + 28 * 2  # equal titles are drawn for certain


def near(*titles):
    """Titles in the engine's order for the first of them; the second is its copy."""
    records = [Record(source="x", id=str(at), title=title) for at, title in enumerate(titles)]
    return by_clusters(records, Truth({("x:0", "x:1")}, set(), whole=True))


def ranks(pool, **how):
    return {(pair.first, pair.second): pair.rank for pair in neighbour_pairs(pool, request(99), **how)}


def test_a_neighbour_has_the_rank_that_the_engine_gives_it_without_the_title_itself():
    pool = near("the maps of stars", "the maps of stars", "the maps of rivers")
    assert {rank for pair, rank in ranks(pool).items() if set(pair) == {0, 1}} == {1}


def test_a_title_itself_has_a_rank_where_it_is_asked_for():
    pool = near("maps of stars", "maps of stars seen", "rivers of gold")
    assert set(ranks(pool).values()) == {1}
    assert set(ranks(pool, count_self=True).values()) == {2}


def test_hits_count_only_where_a_different_work_stands_high_enough():
    pool = near("maps of old stars", "maps of old stars", "maps of rivers")
    alone = [pair for pair in neighbour_pairs(pool, request(99), min_rank=1) if pair.same]
    assert alone == []  # each copy finds the other first
    both = neighbour_pairs(pool, request(99), min_rank=2)
    assert count(both, same=True) == 1


def test_a_search_asks_for_as_many_neighbours_as_the_settings_say():
    assert max(pair.rank for pair in neighbour_pairs(pool_of(), request(10_000), [{"top_n": 3}], count_self=True)) == 3
    assert max(pair.rank for pair in neighbour_pairs(pool_of(), request(10_000), [{"top_n": 5}], count_self=True)) == 5


def test_every_engine_draws_the_same(tmp_path):
    pool = pool_of()
    memory = neighbour_pairs(pool, request(50))
    assert neighbour_pairs(pool, request(50), [{"engine": f"tantivy:{tmp_path}"}]) == memory


def test_different_works_within_some_bits_of_each_others_fingerprint():
    titles = [
        "on the folding of proteins",
        "the folding of proteins",
        "a survey of folding maps",
        "folding of proteins",
    ]
    records = [Record(source="x", id=str(at), title=title) for at, title in enumerate(titles)]
    pool = by_clusters(records, Truth({("x:0", "x:3")}, set(), whole=True))
    every = title_pairs(pool, request(50), bits=0, every=True)
    found = {(pair.first, pair.second) for pair in every if not pair.same}
    assert {tuple(sorted(pair)) for pair in found} == {(0, 1), (1, 3)}
    assert {tuple(sorted((p.first, p.second))) for p in title_pairs(pool, request(50), bits=64, every=True)} >= {(0, 2)}
    assert count(title_pairs(pool, request(50), bits=0), same=False) <= 2


def test_hits_that_were_found_once_are_selected_from_as_a_search_does():
    pool = pool_of()
    hits = list(ranked_hits(pool, request(30)))
    for min_rank in (None, 1, 3):
        selected = select_pairs(pool, request(30), hits, min_rank=min_rank, count_self=True)
        assert selected == neighbour_pairs(pool, request(30), min_rank=min_rank, count_self=True)
