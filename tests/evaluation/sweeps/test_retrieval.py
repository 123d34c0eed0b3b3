"""Recall at N on records whose candidates can be named by hand."""

import pytest

from evaluation.sweeps.proposals import indexed
from evaluation.sweeps.retrieval import CUTS, SearchMethod, queries, recall, search_methods


def _recall(pairs, method, layers=()):
    with indexed(pairs.prepared, layers) as index:
        return recall(index, pairs, method)


def test_every_way_of_both_retrievers():
    names = [method.name for method in search_methods(("bigrams", "fingerprint"), (False, True))]
    assert names == [
        "title",
        "title + other keys",
        "fingerprint",
        "title + identifiers",
        "title + other keys + identifiers",
        "fingerprint + identifiers",
    ]
    assert [method.retriever for method in search_methods(("fingerprint",), (False,))] == ["fingerprint"]


@pytest.fixture
def crowd(make):
    """A record whose twin has a longer title, so that others with its exact title come before it."""
    return [
        make("a", title="Maps of the northern sea", authors=("Poe, Edgar",)),
        make("b", title="Maps of the northern sea", authors=("Roe, Jane",)),
        make("c", title="Maps of the northern sea", authors=("Doe, John",)),
        make("d", title="Maps of the northern sea and of the coasts around it", authors=("Poe, Edgar",)),
    ]


def test_the_rank_of_the_partner_decides(crowd, label):
    found = _recall(label(crowd, "a,b", "x:a,x:d", every=True), SearchMethod(("title",)))
    assert dict(zip(CUTS, found.either, strict=True)) == {1: 1, 2: 1, 5: 1, 10: 1, 20: 1, 50: 1, 100: 1}
    assert found.queries == 2
    assert found.candidates == 3
    backwards = _recall(label([crowd[3], *crowd[:3]], "a,b", "x:a,x:d", every=True), SearchMethod(("title",)))
    assert dict(zip(CUTS, backwards.later, strict=True)) == {1: 0, 2: 0, 5: 1, 10: 1, 20: 1, 50: 1, 100: 1}
    assert backwards.partner[0] == 0.5


def test_other_keys_bring_the_partner_to_the_front(crowd, label):
    pairs = label([crowd[3], *crowd[:3]], "a,b", "x:a,x:d", every=True)
    assert _recall(pairs, SearchMethod(("title", "also"))).later[0] == 1


def test_identifiers_bring_the_partner_to_the_front(make, label):
    doi = {"doi": ("10.1000/1",)}
    records = [make("a", identifiers=doi), make("b", 1, identifiers=doi)]
    pairs = label(records, "a,b", "x:a,x:b", every=True)
    assert _recall(pairs, SearchMethod(("title",))).either[-1] == 0
    assert _recall(pairs, SearchMethod(("title",), identifiers=True)).either[0] == 1


def test_fingerprints_find_equal_titles_alone(crowd, label):
    pairs = label(crowd, "a,b", "x:a,x:b", "x:a,x:d", every=True)
    found = _recall(pairs, SearchMethod(()))
    assert found.either[-1] == 0.5
    assert found.partner[-1] == pytest.approx(2 / 3)


def test_only_records_of_true_pairs_are_asked_for(crowd, label):
    pairs = label(crowd, "a,b,label", "x:a,x:d,same", "x:a,x:b,different", every=True)
    assert [pairs.keys[place] for place in queries(pairs)] == ["x:a", "x:d"]


def test_engines_agree(crowd, label):
    pairs = label(crowd, "a,b", "x:a,x:d", "x:b,x:c", every=True)
    memory, tantivy = (
        _recall(pairs, SearchMethod(("title",)), [{"engine": engine}]) for engine in ("memory", "tantivy")
    )
    assert (memory.either, memory.later, memory.partner) == (tantivy.either, tantivy.later, tantivy.partner)
