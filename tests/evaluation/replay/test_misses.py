"""Each way to lose a pair is told apart, with what there is to say of it."""

from collections.abc import Callable

import msgspec
import pytest

from bibfold.records.model import Record
from evaluation.comparisons import compare_pairs
from evaluation.records import by_key
from evaluation.replay.misses import BELOW, CHAINED, NOT_RETRIEVED, VETOED, Miss, costliest, explain_misses, worst_first
from evaluation.replay.replay import replay_records
from evaluation.replay.texts import noise_rows
from evaluation.truth import Truth
from lookup.matcher import Matcher
from lookup.profile import Part, Profile
from lookup.profiles import BIBFOLD, MENDELEY
from lookup.retrieve import Retrieval

Make = Callable[..., Record]


@pytest.fixture
def lost(records: list[Record], truth: Truth) -> dict[str, Miss]:
    """The lost pairs by the name of their work."""
    with replay_records(lambda: iter(records), truth) as result:
        return {miss.a[2:].partition("-")[0]: miss for miss in explain_misses(result, by_key(records))}


def test_every_cause(lost: dict[str, Miss]) -> None:
    causes = {name: miss.cause for name, miss in lost.items()}
    assert causes == {"far": NOT_RETRIEVED, "low": BELOW, "part": VETOED, "chain": CHAINED}


def test_not_retrieved(lost: dict[str, Miss]) -> None:
    assert (lost["far"].rank, lost["far"].shared) == (None, ())
    assert lost["far"].detail == "not among 1,000; shares no key"


def test_below_threshold_names_the_field(lost: dict[str, Miss]) -> None:
    assert lost["low"].comparison.decision == "different"
    assert lost["low"].detail.startswith(f"{lost['low'].field} costs 0.")
    assert lost["low"].shared == ("bigrams",)


def test_the_veto_is_told(lost: dict[str, Miss]) -> None:
    assert lost["part"].detail == "numbers in the titles: 1 against 2"


def test_chained_apart_tells_how_each_compares_with_the_others_cluster(lost: dict[str, Miss]) -> None:
    assert lost["chain"].comparison.decision == "same"
    assert "x:chain-c against c" in lost["chain"].detail
    assert "of 2: different" in lost["chain"].detail
    assert "doi 10.1000/two against 10.1000/one" in lost["chain"].detail


def test_the_rank_of_what_was_crowded_out(make: Make) -> None:
    places = ("Rome", "Athens", "Oslo")
    crowd = [
        make(f"n{at}", title=f"Folding duplicate records in old {place}", authors=("Poe, E.",), year=1900 + 9 * at)
        for at, place in enumerate(places)
    ]
    last = make("b", title="Old Rome, old Athens: duplicate records in old Oslo", authors=("Moe, M.",), year=2019)
    records = [make("a"), *crowd, last]
    truth = Truth({("x:a", "x:b")}, set(), whole=True)
    with replay_records(lambda: iter(records), truth, [{"top_n": 1, "batch_size": 1}]) as result:
        (miss,) = explain_misses(result, by_key(records))
    assert (miss.cause, miss.rank) == (NOT_RETRIEVED, 4)
    assert miss.detail == "rank 4 in the end; shares bigrams"


def test_the_field_that_costs_most(make: Make) -> None:
    first = make("1", publication="Journal of Catalogues")
    second = make("2", publication="", year=2018)
    # of 30: the publication, missing on one side, takes 7; the year 2 x (1 - 1/1.5)
    ((field, cost),) = _costliest(first, second, MENDELEY)
    assert field == "publication"
    assert cost == pytest.approx(7 / 30)
    ((field, cost),) = _costliest(first, second, BIBFOLD)
    assert field == "year"
    assert cost > 0
    assert _costliest(first, msgspec.structs.replace(first, id="3"), BIBFOLD) == [("", 0.0)]


def test_a_field_that_is_left_out_or_fails_costs_what_it_would_bring(make: Make) -> None:
    first, second = make("1"), make("2", title="Noise in gravitational wave antennas")
    title, year = Part("title", "titles.words_shared", 3), Part("year", "years.near", 1)
    left_out = Profile("p", "", (msgspec.structs.replace(title, least=0.5), year), same=0.9, unsure=0.9)
    assert _costliest(first, second, left_out) == [("", 0.0)]
    failed = Profile("p", "", (msgspec.structs.replace(title, needed=0.5), year), same=0.9, unsure=0.9)
    assert _costliest(first, second, failed) == [("title", 1.0)]


def _costliest(first: Record, second: Record, profile: Profile) -> list[tuple[str, float]]:
    records = by_key([first, second])
    return costliest(compare_pairs(Matcher(profile, Retrieval()), records, [(first.key, second.key)]))


def test_the_best_scores_come_first(lost: dict[str, Miss]) -> None:
    scores = [miss.comparison.score for miss in worst_first(lost.values())]
    assert scores == sorted(scores, reverse=True)


def test_of_every_two_clusters_one_at_a_time(lost: dict[str, Miss]) -> None:
    high, low = lost["chain"], lost["low"]
    same_clusters = msgspec.structs.replace(high, a="x:z")
    assert worst_first([same_clusters, low, high]) == [high, low, same_clusters]


def test_kinds_of_noise_are_told(make: Make) -> None:
    records = [
        make("a"),
        make("b", title="Verdoppelte", authors=(), extra={"noise": ["ocr", "truncated"]}),
        make("c", title="Gefaltete", authors=(), extra={"noise": ["ocr"]}),
    ]
    truth = Truth({("x:a", "x:b"), ("x:b", "x:c")}, set(), whole=True)
    with replay_records(lambda: iter(records), truth) as result:
        lost = explain_misses(result, by_key(records))
    assert [miss.noise for miss in lost] == [("ocr", "truncated"), ("ocr", "truncated")]
    assert noise_rows(lost) == [("ocr", 2, 2, 0, 0, 0), ("truncated", 2, 2, 0, 0, 0)]
