"""MARC-8 becomes the text it stands for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bibfold.records.formats.marc8 import decode


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain", "plain"),
        (b"", ""),
        (b"M\xe8uller", "Müller"),
        (b"Dvo\xe9r\xe2ak", "Dvořák"),
        (b"Vi\xf2\xe3et Nam", "Việt Nam"),
        (b"\xa1\xb2d\xb5", "Łødæ"),
        (b"\xebt\xecsar", "t︠s︡ar"),
        (b"\x1b(2lzexd\x1b(B : a", "לתורה : a"),
        (b"\x1b(NkNIGA\x1b(B", "Книга"),
        (b"\x1b)N\xcb\xce\x1b)!E M\xe8u", "кн Mü"),
        (b"33 \x1bp1\x1bs/\x1bb3\x1bs", "33 ¹/₃"),
        (b"\x1b$1!0d!=O\x1b(B", "人彙"),
        (b"\x1b$1!0d !=O\x1b(B", "人 彙"),
        (b"&#x30AB;", "カ"),
        (b"&#xD800;", "&#xD800;"),
        (b"a\xffb", "a\ufffdb"),
        (b"a\x1b", "a"),
        (b"a\xe2", "a"),
        (b"\x88The \x89cat", "The cat"),
    ],
)
def test_bytes_are_decoded(data: bytes, text: str) -> None:
    assert decode(data) == text


@settings(deadline=None)
@given(st.binary())
def test_no_bytes_raise(data: bytes) -> None:
    assert isinstance(decode(data), str)
