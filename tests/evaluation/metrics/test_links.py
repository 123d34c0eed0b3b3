"""Links counted by hand, one to one and one to many."""

from evaluation.metrics.links import Linkage, Side, linkage, oriented


def test_one_to_one() -> None:
    true = [("l1", "r1"), ("l2", "r2"), ("l3", "r3"), ("l4", "r4")]
    found = [("l1", "r1"), ("l2", "r3"), ("l5", "r5")]
    # l1 right; l2 wrong, l5 wrong though it has none; l3 and l4 missed. r1 right; r3, r5 wrong; r2, r4 missed
    assert linkage(found, true) == Linkage(1, 2, 3, Side(1, 0, 2, 2), Side(1, 0, 2, 2), 0, 0)


def test_one_to_many() -> None:
    true = [("l1", "r1"), ("l1", "r2"), ("l2", "r3")]
    found = [("l1", "r1"), ("l2", "r3"), ("l2", "r4")]
    # l1 lacks one, l2 has one too many
    assert linkage(found, true) == Linkage(2, 1, 1, Side(0, 2, 0, 0), Side(2, 0, 1, 1), 1, 0)


def test_a_record_in_two_links_is_crowded_on_its_side() -> None:
    counted = linkage([("l1", "r1"), ("l2", "r1")], [("l1", "r1")])
    assert (counted.crowded_left, counted.crowded_right) == (0, 1)


def test_true_links_are_turned_as_the_found_ones_stand() -> None:
    assert oriented([("z", "a")], [("a", "z"), ("a", "y"), ("b", "z"), ("m", "n")]) == [
        ("z", "a"),
        ("y", "a"),
        ("z", "b"),
        ("m", "n"),
    ]
