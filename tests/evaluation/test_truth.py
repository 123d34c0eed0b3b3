"""Files of known pairs: the forms they come in, and mistakes told with their line."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from bibfold.errors import InputError
from evaluation.truth import read_pairs

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


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"left,right\nx:1,x:2\n", "expected the columns a,b or cluster,source,id, found left, right"),
        (b"a,b\nx:1,x:2\nx:1\n", "line 3: expected 2 columns"),
        (b"a,b\nx:1,x:2,x:3\n", "line 2: expected 2 columns"),
        (b"a,b\nx:1,M\xfcller\n", "line 2: is not UTF-8 text"),
        (b"a,b\nx\ry,z\n", "after line 1: not CSV: new-line character seen in unquoted field"),
        (gzip.compress(b"a,b\n" + bytes(range(48, 123)) * 99)[:60], "compressed data ends early"),
    ],
)
def test_mistakes_are_told(write: Write, content: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_pairs(write("a.csv", content))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_pairs(str(tmp_path / "absent.csv"))
