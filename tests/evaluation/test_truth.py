"""Files of known pairs: the forms they come in, and mistakes told with their line."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from bibfold.errors import InputError
from evaluation.truth import (
    Truth,
    contradicted,
    labelled,
    need_both,
    need_same,
    read_pairs,
    read_result,
    read_truth,
    without,
)

Write = Callable[..., str]


def test_the_forms(write: Write) -> None:
    expected = {("x:1", "x:2")}
    assert read_pairs(write("a.csv", b"a,b\nx:2,x:1\n")) == expected
    assert read_pairs(write("b.csv", b"\xef\xbb\xbfcluster,source,id\r\nc1,x,1\r\nc1,x,2\r\nc2,x,3\r\n")) == expected
    assert read_pairs(write("c.csv", b"a,b,score,decision\nx:1,x:2,0.9,same\nx:1,x:3,0.7,unsure\n")) == expected
    assert read_pairs(write("d.csv", b"label,a,b\nDuplicate,x:1,x:2\n0,x:1,x:4\n")) == expected
    assert read_pairs(write("e.csv.gz", gzip.compress(b"a,b\nx:1,x:2\n"))) == expected
    assert read_pairs(write("f.csv", b'a,b\n"x:1",x:2\n\n')) == expected


def test_a_header_alone_holds_no_pairs(write: Write) -> None:
    assert read_pairs(write("a.csv", b"a,b\n")) == set()


@pytest.mark.parametrize("read", [read_pairs, read_truth])
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"left,right\nx:1,x:2\n", "expected the columns a,b or cluster,source,id, found left, right"),
        (b"a,b\nx:1,x:2\nx:1\n", "line 3: expected 2 columns"),
        (b"a,b\nx:1,x:2,x:3\n", "line 2: expected 2 columns"),
        (b"a,b\nx:1,M\xfcller\n", "line 2: is not UTF-8 text"),
        (b"a,b\nx\ry,z\n", "after line 1: not CSV: new-line character seen in unquoted field"),
        (gzip.compress(b"a,b\n" + bytes(range(48, 123)) * 99, mtime=0)[:60], "compressed data ends early"),
        (b"a,b\nx:1,x:1\n", "line 2: x:1 is paired with itself; a pair is two records, source:id"),
        (b"a,b\nx:1,\n", "line 2: a record is not named"),
        (b"a,b,label\nx:1,x:2,same\nx:1,x:3,perhaps\n", "line 3: the label 'perhaps' is unknown; write same or diff"),
        (b"cluster,source,id\n1,x,1\n2,x,1\n", "line 3: x:1 stands in the clusters 1 and 2; keep one"),
    ],
)
def test_mistakes_are_told(write: Write, read: Callable[[str], object], content: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read(write("a.csv", content))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_pairs(str(tmp_path / "absent.csv"))


def test_pairs_without_labels_are_the_whole_truth(write: Write) -> None:
    truth = read_truth(write("a.csv", b"a,b,method\nx:2,x:1,random\n"))
    assert truth == Truth({("x:1", "x:2")}, set(), whole=True)
    assert truth.named == {"x:1", "x:2"}


def test_labelled_pairs_are_not_and_open_ones_are_left_out(write: Write) -> None:
    words = b"same different 1 0 true false yes no duplicate non-duplicate match non-match".split()
    rows = b"".join(b"x:%d,y:%d,%s\n" % (at, at, word) for at, word in enumerate(words))
    path = write("a.csv", b"a,b,label\n" + rows + b"x:90,y:90,\nx:91,y:91,Unsure\n")
    truth = read_truth(path)
    assert not truth.whole
    assert truth.same == {(f"x:{at}", f"y:{at}") for at in range(0, 12, 2)}
    assert truth.different == {(f"x:{at}", f"y:{at}") for at in range(1, 12, 2)}
    assert next(iter(labelled(path))) == ("x:0", "y:0", True)
    assert len(list(labelled(path))) == 12


def test_clusters_name_records_that_are_alone(write: Write) -> None:
    truth = read_truth(write("a.csv", b"cluster,source,id\n1,x,1\n1,x,2\n2,x,3\n"))
    assert (truth.same, truth.alone, truth.whole) == ({("x:1", "x:2")}, {"x:3"}, True)
    assert truth.named == {"x:1", "x:2", "x:3"}
    with pytest.raises(InputError, match="holds clusters; expected pairs with a label"):
        labelled(write("b.csv", b"cluster,source,id\n1,x,1\n"))


def test_an_empty_truth(write: Write) -> None:
    for content in (b"a,b\n", b"a,b,label\nx:1,x:2,unsure\n", b"cluster,source,id\n"):
        with pytest.raises(InputError, match="holds no pairs; draw some with `bibfold evaluate sample`"):
            read_truth(write("a.csv", content))


def test_contradictory_labels_are_named(write: Write) -> None:
    rows = b"".join(b"x:%d,y:1,same\ny:1,x:%d,different\n" % (at, at) for at in range(7))
    with pytest.raises(InputError, match=r"7 pairs are called both same and different: x:0 and y:1; .*; and 2 more"):
        read_truth(write("a.csv", b"a,b,label\n" + rows))


def test_a_contradiction_through_others_is_found() -> None:
    truth = Truth({("a", "b"), ("b", "c")}, {("a", "c"), ("a", "d")}, whole=False)
    assert contradicted(truth) == [("a", "c")]


def test_one_class_alone() -> None:
    with pytest.raises(
        InputError, match=r"t\.csv holds no pairs that are the same; recall cannot be measured; draw some"
    ):
        need_same(Truth(set(), {("a", "b")}, whole=False), "t.csv")
    with pytest.raises(InputError, match="holds no pairs that are different; precision cannot be measured; draw some"):
        need_both(Truth({("a", "b")}, set(), whole=False))
    need_both(Truth({("a", "b")}, set(), whole=True))


def test_only_judged_records_count(write: Write) -> None:
    path = write("a.csv", b"a,b\nd:1,s:1\nd:2,s:2\n")
    truth = read_truth(path, write("judged.txt", b"d:1\nd:3\n\n"))
    assert truth.same == {("d:1", "s:1")}
    assert truth.counts(("d:3", "s:9"))
    assert not truth.counts(("d:2", "s:9"))
    with pytest.raises(InputError, match="--judged names no record of the truth"):
        read_truth(path, write("others.txt", b"d:9\n"))


def test_without_unknown_records() -> None:
    truth = Truth({("a", "b"), ("c", "d")}, {("a", "c")}, whole=False, alone={"e", "f"})
    assert without(truth, {"c", "f"}) == Truth({("a", "b")}, set(), whole=False, alone={"e"})
    assert without(truth, set()) is truth


def test_a_result_is_read_as_it_stands(write: Write) -> None:
    assert read_result(write("a.csv", b"cluster,source,id\nc1,x,1\nc1,x,2\n")) == {"x:1": "c1", "x:2": "c1"}
    links = write("b.csv", b"a,b,score,decision,reason\nz:1,a:1,1,same,r\nz:2,a:1,1,unsure,r\n")
    assert read_result(links) == [("z:1", "a:1")]
