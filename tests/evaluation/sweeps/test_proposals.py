"""Where a truth names no different pairs, those that the index proposes stand for them."""

from evaluation.sweeps.labelled_pairs import match_records, read_named_pairs
from evaluation.sweeps.proposals import indexed, proposed, with_proposed


def _pairs(found, *, same):
    return {
        (found.keys[earlier], found.keys[later])
        for earlier, later, is_same in zip(found.earlier, found.later, found.same, strict=True)
        if is_same == same
    }


def test_pairs_that_share_keys_and_are_not_the_same_are_different(make, label):
    records = [make("a"), make("b"), make("c", title="Folding duplicate records by hand", authors=()), make("d", 1)]
    pairs = label(records, "a,b", "x:a,x:b", every=True)
    found = with_proposed(pairs, [])
    assert found.proposed
    assert _pairs(found, same=True) == {("x:a", "x:b")}
    assert _pairs(found, same=False) == {("x:a", "x:c"), ("x:b", "x:c")}


def test_across_sources_leaves_out_pairs_of_one_source(make, label):
    records = [make("a"), make("b", source="y"), make("c"), make("d", source="y")]
    pairs = label(records, "a,b", "x:a,y:b", every=True)
    assert _pairs(with_proposed(pairs, []), same=False) == {
        ("x:a", "x:c"), ("x:a", "y:d"), ("y:b", "x:c"), ("y:b", "y:d"), ("x:c", "y:d"),
    }  # fmt: skip
    assert _pairs(with_proposed(pairs, [], across=True), same=False) == {
        ("x:a", "y:d"), ("y:b", "x:c"), ("x:c", "y:d"),
    }  # fmt: skip


def test_pairs_of_which_no_record_is_judged_are_not_proposed(make, truth):
    named = read_named_pairs(truth("a,b", "x:a,x:b"), truth("x:a", name="judged.txt"))
    found = with_proposed(match_records(named, [make("a"), make("b"), make("c")], every=True), [])
    assert _pairs(found, same=False) == {("x:a", "x:c")}


def test_both_retrievers_work_on_one_index_and_leave_the_record_itself_out(make, label):
    records = [make("a"), make("b"), make("c", 1)]
    pairs = label(records, "a,b", "x:a,x:b", every=True)
    for retriever in ("bigrams", "fingerprint"):
        with indexed(pairs.prepared, [{"retriever": retriever}]) as index:
            assert index.retrieval.retriever == retriever
            ((done, found),) = proposed(index, range(3), index.retrieval)
        assert done == 3
        assert [values.tolist() for values in found] == [[0, 1], [1, 0], [1, 1]]


def test_candidates_are_ranked_without_the_record_itself(make, label):
    pairs = label([make("a"), make("b"), make("c"), make("d", 1)], "a,b", "x:a,x:b", every=True)
    with indexed(pairs.prepared, []) as index:
        ((done, found),) = proposed(index, [1, 3, 2], index.retrieval)
    assert done == 3
    assert found.queries.tolist() == [1, 1, 2, 2]
    assert found.ranks.tolist() == [1, 2, 1, 2]
    assert {*zip(found.queries.tolist(), found.candidates.tolist(), strict=True)} == {(1, 0), (1, 2), (2, 0), (2, 1)}


def test_progress_is_told(make, label):
    pairs = label([make("a"), make("b")], "a,b", "x:a,x:b", every=True)
    calls = []
    with_proposed(pairs, [], on_progress=calls.append)
    assert calls == [2]
