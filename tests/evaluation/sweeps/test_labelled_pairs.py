"""A truth becomes pairs of places: each once, the earlier record first."""

import pytest

from bibfold.errors import InputError
from evaluation.sweeps.labelled_pairs import match_records, read_named_pairs


def _pairs(found):
    return [
        (found.keys[earlier], found.keys[later], bool(same))
        for earlier, later, same in zip(found.earlier, found.later, found.same, strict=True)
    ]


def test_pairs_are_places_in_the_order_of_the_records(make, label):
    records = [make("c", 2), make("b", 1), make("a", 0), make("z", 3)]
    found = label(records, "a,b,label", "x:a,x:b,different", "x:c,x:a,same")
    assert found.keys == ["x:c", "x:b", "x:a"]
    assert _pairs(found) == [("x:c", "x:a", True), ("x:b", "x:a", False)]
    assert not found.whole
    assert [record.title.split()[0] for record in found.prepared] == ["thermal", "a", "folding"]


def test_a_pair_that_stands_twice_counts_once(make, label):
    found = label([make("a"), make("b")], "a,b,label", "x:a,x:b,same", "x:b,x:a,same")
    assert _pairs(found) == [("x:a", "x:b", True)]


def test_of_two_records_with_one_key_the_first_counts(make, label):
    found = label([make("a", 0), make("b", 1), make("a", 2)], "a,b", "x:a,x:b")
    assert found.keys == ["x:a", "x:b"]
    assert found.prepared[0].title.startswith("folding")


def test_every_record_is_kept_where_it_is_asked_for(make, label):
    records = [make("a"), make("b"), make("c")]
    assert label(records, "a,b", "x:a,x:b", every=True).keys == ["x:a", "x:b", "x:c"]


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        (("a,b", "x:a,x:b"), True),
        (("cluster,source,id", "1,x,a", "1,x,b"), True),
        (("a,b,label", "x:a,x:b,same"), False),
        (("a,b,score,decision", "x:a,x:b,0.9,same"), False),
    ],
)
def test_a_truth_without_labels_is_whole(truth, lines, whole):
    named = read_named_pairs(truth(*lines))
    assert named.whole == whole
    assert sorted(named.names) == ["x:a", "x:b"]
    assert named.same.tolist() == [True]


def test_only_pairs_of_judged_records_count(make, truth):
    judged = truth("x:a", name="judged.txt")
    named = read_named_pairs(truth("a,b", "x:a,x:b", "x:c,x:d"), judged)
    found = match_records(named, [make("a"), make("b"), make("c")], every=True)
    assert _pairs(found) == [("x:a", "x:b", True)]
    assert found.judged.tolist() == [True, False, False]


def test_contradictions_are_named(truth):
    path = truth("a,b,label", "x:a,x:b,same", "x:b,x:a,different")
    with pytest.raises(InputError, match="1 pairs are called both same and different, such as x:a and x:b"):
        read_named_pairs(path)


def test_a_truth_in_which_nothing_counts_is_refused(truth):
    with pytest.raises(InputError, match="holds no pairs that count"):
        read_named_pairs(truth("a,b,label", "x:a,x:b,"))


def test_unknown_records_stop_the_run_unless_they_may_be_skipped(make, label):
    lines = ("a,b", "x:a,x:b", "x:a,x:gone")
    with pytest.raises(InputError, match="x:gone"):
        label([make("a"), make("b")], *lines)
    found = label([make("a"), make("b")], *lines, skip_unknown=True)
    assert found.unknown == ["x:gone"]
    assert _pairs(found) == [("x:a", "x:b", True)]


def test_nothing_is_left_where_all_records_are_unknown(label):
    assert _pairs(label([], "a,b", "x:a,x:b", skip_unknown=True)) == []
