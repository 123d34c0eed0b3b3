"""Where a truth names no different pairs, those that the index proposes stand for them."""

from evaluation.sweeps.known import known, read_named
from evaluation.sweeps.proposals import batches, indexed, with_proposed


def _pairs(found, *, same):
    return {
        (found.keys[one], found.keys[other])
        for one, other, is_same in zip(found.earlier, found.later, found.same, strict=True)
        if is_same == same
    }


def test_pairs_that_share_keys_and_are_not_the_same_are_different(make, knows):
    records = [make("a"), make("b"), make("c", title="Folding duplicate records by hand", authors=()), make("d", 1)]
    held = knows(records, "a,b", "x:a,x:b", every=True)
    found = with_proposed(held, [])
    assert found.proposed
    assert _pairs(found, same=True) == {("x:a", "x:b")}
    assert _pairs(found, same=False) == {("x:a", "x:c"), ("x:b", "x:c")}


def test_across_sources_leaves_out_pairs_of_one_source(make, knows):
    records = [make("a"), make("b", source="y"), make("c"), make("d", source="y")]
    held = knows(records, "a,b", "x:a,y:b", every=True)
    assert _pairs(with_proposed(held, []), same=False) == {
        ("x:a", "x:c"), ("x:a", "y:d"), ("y:b", "x:c"), ("y:b", "y:d"), ("x:c", "y:d"),
    }  # fmt: skip
    assert _pairs(with_proposed(held, [], across=True), same=False) == {
        ("x:a", "y:d"), ("y:b", "x:c"), ("x:c", "y:d"),
    }  # fmt: skip


def test_pairs_of_which_no_record_is_judged_are_not_proposed(make, truth):
    named = read_named(truth("a,b", "x:a,x:b"), truth("x:a", name="judged.txt"))
    found = with_proposed(known(named, [make("a"), make("b"), make("c")], every=True), [])
    assert _pairs(found, same=False) == {("x:a", "x:c")}


def test_both_retrievers_work_on_one_index_and_leave_the_record_itself_out(make, knows):
    records = [make("a"), make("b"), make("c", 1)]
    held = knows(records, "a,b", "x:a,x:b", every=True)
    for retriever in ("bigrams", "fingerprint"):
        with indexed(held.prepared, [{"retriever": retriever}]) as index:
            assert index.wanted.retriever == retriever
            found = [answer for _, answers in batches(index, range(3), index.wanted) for answer in answers]
        assert found == [[1], [0], []]


def test_progress_is_told(make, knows):
    held = knows([make("a"), make("b")], "a,b", "x:a,x:b", every=True)
    told = []
    with_proposed(held, [], told=told.append)
    assert told == [2]
