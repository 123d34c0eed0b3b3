"""Pairs within a batch: either finds the other, what differs by a mark does not come, possible pairs come first."""

from collections.abc import Callable, Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bibfold.records.keys import KeySettings
from bibfold.records.model import Record
from ingest.incoming import Forms, forms
from ingest.neighbours import Neighbours, neighbours
from lookup.matcher import Matcher
from lookup.profiles import BIBFOLD, MENDELEY_TITLE, PROFILES
from lookup.retrieve import Retrieval, Retriever

Make = Callable[..., Record]
Pair = tuple[int, int]

KEYS = KeySettings()


def matcher(profile: str = "bibfold", top_n: int = 10, retriever: Retriever = "bigrams") -> Matcher:
    keys = KeySettings(fingerprints=retriever == "fingerprint")
    chosen = PROFILES[profile]
    return Matcher(chosen, Retrieval(chosen.searched, top_n, retriever, keys=keys))


def ready(records: Sequence[Record], settings: KeySettings = KEYS) -> list[Forms]:
    return [forms(record, settings) for record in records]


def pairs(found: Neighbours) -> list[Pair]:
    later, earlier = found.pairs
    return list(zip(later.tolist(), earlier.tolist(), strict=True))


def possible(found: Neighbours) -> list[Pair]:
    return pairs(found)[: found.possible]


@pytest.mark.parametrize("number", [0, 1])
def test_fewer_than_two_records_have_no_neighbours(make: Make, number: int) -> None:
    found = neighbours(ready([make("1")] * number), matcher())
    assert (pairs(found), found.possible) == ([], 0)


def test_a_pair_is_of_a_later_and_an_earlier_place_and_comes_once(make: Make) -> None:
    works = [0, 1, 0, 1, 0]
    found = neighbours(ready([make(str(at), work) for at, work in enumerate(works)]), matcher())
    assert sorted(pairs(found)) == [(2, 0), (3, 1), (4, 0), (4, 2)]
    assert found.possible == 4


def test_nothing_in_common_is_no_pair(make: Make) -> None:
    assert pairs(neighbours(ready([make(str(work), work) for work in range(6)]), matcher())) == []


TITLES = ("alpha beta gamma delta", "alpha beta gamma delta epsilon", "alpha beta zeta eta theta iota kappa")
"""Each finds itself and, where one more is looked for, its nearest: the third the first, the first only the second."""


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_one_of_two_has_to_find_the_other_whichever_came_first(make: Make, order: tuple[int, ...]) -> None:
    batch = ready([make(str(at), title=TITLES[at], authors=(), year=None) for at in order])
    found = {frozenset(order[place] for place in pair) for pair in pairs(neighbours(batch, matcher(top_n=2)))}
    assert found == {frozenset({0, 1}), frozenset({0, 2})}


def test_possible_pairs_come_first(make: Make) -> None:
    titles = [make("").title, f"Erratum: {make('').title}"]
    batch = ready([make(str(at), title=titles[at % 2]) for at in range(4)])
    found = neighbours(batch, matcher())
    assert possible(found) == [(2, 0), (3, 1)]
    assert sorted(pairs(found)[2:]) == [(1, 0), (2, 1), (3, 0), (3, 2)]


def test_what_a_mark_tells_apart_is_not_possible(make: Make) -> None:
    dois = [{"doi": (f"10.1000/{at}",)} for at in (1, 2, 1)]
    batch = ready([make(str(at), identifiers=doi) for at, doi in enumerate(dois)])
    assert possible(neighbours(batch, matcher())) == [(2, 0)]
    assert "identifiers_differ" not in MENDELEY_TITLE.vetoes
    assert possible(neighbours(batch, matcher("mendeley-title"))) == [(1, 0), (2, 0), (2, 1)]


def test_records_that_share_an_identifier_find_each_other_whatever_their_titles(make: Make) -> None:
    doi = {"doi": ("10.1000/1",)}
    batch = ready([make("1", identifiers=doi), make("2", 1), make("3", 2, identifiers=doi)])
    assert pairs(neighbours(batch, matcher())) == [(2, 0)]


def test_by_fingerprints(make: Make) -> None:
    by_fingerprints = matcher(retriever="fingerprint")
    batch = ready([make("1"), make("2", 1), make("3")], by_fingerprints.retrieval.keys)
    assert pairs(neighbours(batch, by_fingerprints)) == [(2, 0)]


WORDS = st.sampled_from("union catalogue maps folded records libraries 1 2".split())
records = st.builds(
    lambda title, author, year, doi: Record(
        source="x", id="1", title=" ".join(title), authors=author, year=year, identifiers={"doi": doi} if doi else {}
    ),
    st.lists(WORDS, max_size=4),
    st.sampled_from([(), ("Doe, Jane", "Roe, Richard"), ("Doe, Jane",), ("Poe, Edgar", "Roe, Richard")]),
    st.sampled_from([None, 2001, 2002]),
    st.sampled_from([(), (), ("10.1000/1",), ("10.1000/2",), ("10.1000/1", "10.1000/2")]),
)


@settings(max_examples=150, deadline=None)
@given(batch=st.lists(records, max_size=8), profile=st.sampled_from(sorted(PROFILES)))
def test_against_looking_at_every_pair(batch: list[Record], profile: str) -> None:
    """With more room than records, a pair is found where the two share a term, unless marks tell them apart."""
    made, asked = ready(batch), matcher(profile, top_n=20)
    found = neighbours(made, asked)
    every = [(later, earlier) for earlier, later in combinations(range(len(batch)), 2)]
    searched = (*asked.profile.searched, "identifier")
    sharing = {pair for pair in every if _share(made, pair, searched)}
    ranked = {pair for pair in every if _share(made, pair, asked.profile.searched)}
    assert len(pairs(found)) == len(set(pairs(found)))
    assert {pair for pair in ranked if not _told_apart(made, pair, asked)} <= set(pairs(found)) <= sharing
    promising = {pair for pair in pairs(found) if _decision(made, pair, asked) != "different"}
    assert promising <= set(possible(found))


def _share(made: Sequence[Forms], pair: Pair, fields: Sequence[str]) -> bool:
    ours, theirs = (made[place].terms for place in pair)
    return any(set(ours.get(field, ())) & set(theirs.get(field, ())) for field in fields)


def _told_apart(made: Sequence[Forms], pair: Pair, asked: Matcher) -> bool:
    ours, theirs = (made[place].prepared.marks for place in pair)
    apart = any(a > 0 and b > 0 and a != b for a, b in zip(ours, theirs, strict=True))
    return apart and asked.profile.vetoes == BIBFOLD.vetoes


def _decision(made: Sequence[Forms], pair: Pair, asked: Matcher) -> str:
    ours, theirs = (made[place].prepared for place in pair)
    return asked.explain(ours, theirs).decision
