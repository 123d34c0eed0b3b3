"""Where a truth names no different pairs, those that the index proposes stand for them."""

from evaluation.sweeps.labelled_pairs import match_records, read_named_pairs
from evaluation.sweeps.proposals import batches, indexed, with_proposed


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
            found = [answer for _, answers in batches(index, range(3), index.retrieval) for answer in answers]
        assert found == [[1], [0], []]


def test_progress_is_told(make, label):
    pairs = label([make("a"), make("b")], "a,b", "x:a,x:b", every=True)
    calls = []
    with_proposed(pairs, [], on_progress=calls.append)
    assert calls == [2]
