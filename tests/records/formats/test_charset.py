"""Text out of bytes."""

import io

import pytest

from bibfold.errors import RecordError
from bibfold.records.formats.charset import check, decode, excerpt, lines
from bibfold.records.model import RAW_LIMIT


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("é – 日本".encode(), "é – 日本"),
        (b"caf\xe9 \x93q\x94", "café “q”"),
        (b"caf\xe9 and \xc3\xa9", "café and é"),
        (b"end \xe2\x80", "end â€"),
    ],
)
def test_decode(data: bytes, text: str) -> None:
    assert decode(data) == text
    check(text)


@pytest.mark.parametrize("byte", [0x81, 0x8D, 0x8F, 0x90, 0x9D])
def test_bytes_that_mean_nothing(byte: int) -> None:
    with pytest.raises(RecordError, match=f"byte 0x{byte:02x} is neither UTF-8 nor Windows-1252"):
        check(decode(b"caf\xc3\xa9 " + bytes([byte])))


def test_lines_end_in_many_ways() -> None:
    assert list(lines(io.BytesIO(b"a\nb\r\nc\rd\xe9"), 100)) == ["a\n", "b\n", "c\n", "dé"]


def test_an_excerpt_is_short_and_can_be_written() -> None:
    assert excerpt(decode(b" a\x81b \n")) == "a?b"
    assert len(excerpt("x" * (RAW_LIMIT + 1))) == RAW_LIMIT
