"""Streams: decompression, byte order marks, and breaks."""

import gzip
import random
import zlib
from collections.abc import Iterator

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from bibfold.errors import SettingsError
from bibfold.records.formats.streams import HEAD, Broken, Stream, checked_encoding, stream

TEXT = "".join(f"line {number} é\n" for number in range(500)).encode()


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


@pytest.mark.parametrize("size", [1, 7, 4096, 1 << 20])
@pytest.mark.parametrize(
    "data",
    [
        TEXT,
        gzip.compress(TEXT),
        gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]) + b"\0" * 512,
        zstandard.ZstdCompressor().compress(TEXT),
        zstandard.ZstdCompressor().compress(TEXT[:100]) + zstandard.ZstdCompressor().compress(TEXT[100:]),
        b"\xef\xbb\xbf" + TEXT,
        gzip.compress(b"\xef\xbb\xbf" + TEXT),
        TEXT.decode().encode("utf-16"),
        b"\xfe\xff" + TEXT.decode().encode("utf-16-be"),
        TEXT.decode().encode("utf-32"),
    ],
)
def test_what_a_stream_gives(data: bytes, size: int) -> None:
    assert stream(pieces(data, size)).read() == TEXT
    assert list(stream(pieces(data, size))) == TEXT.splitlines(keepends=True)


def test_the_head_can_be_looked_at() -> None:
    data = bytes(range(256)) * 1000
    source = stream(pieces(data, 100))
    assert source.peek() == data[:HEAD]
    assert source.read(5) == data[:5]
    assert source.read() == data[5:]


def test_xml_of_another_encoding_says_that_it_is_utf8_now() -> None:
    text = '<?xml version="1.0" encoding="UTF-16"?><a>é</a>'
    data = stream([text.encode("utf-16")]).read()
    assert data.decode() == '<?xml version="1.0" encoding="UTF-8"?><a>é</a>'


def drain(source: Stream, size: int, got: list[bytes]) -> None:
    while part := source.read(size):
        got.append(part)


@given(cut=st.integers(4, 5000), size=st.integers(1, 5000))
def test_all_before_a_break_is_given_and_then_it_is_raised(cut: int, size: int) -> None:
    data = gzip.compress(random.Random(1).randbytes(5000))[:cut]
    source = stream(pieces(data, 100))
    got: list[bytes] = []
    with pytest.raises(Broken, match="compressed data ends early"):
        drain(source, size, got)
    assert b"".join(got) == zlib.decompressobj(wbits=31).decompress(data)
    with pytest.raises(Broken, match="compressed data ends early"):
        source.read(1)


def test_zstd_that_was_cut_off_is_a_break() -> None:
    noise = random.Random(1).randbytes(1 << 18)
    source = stream([zstandard.ZstdCompressor().compress(noise)[:-100]])
    got: list[bytes] = []
    with pytest.raises(Broken, match="compressed data ends early"):
        drain(source, 1000, got)
    assert noise.startswith(b"".join(got))
    assert len(b"".join(got)) >= 1 << 17


def test_lines_before_a_break_are_given() -> None:
    text = b"first\nsecond\n" + random.Random(1).randbytes(5000)
    source = stream([gzip.compress(text)[:3000]])
    assert [next(source), next(source)] == [b"first\n", b"second\n"]


def test_damaged_data_is_a_break() -> None:
    text = random.Random(1).randbytes(5000)
    data = bytearray(gzip.compress(text))
    data[-6] ^= 0xFF
    source = stream([bytes(data)])
    got = source.read()
    assert text.startswith(got)
    assert len(got) > 3900
    with pytest.raises(Broken, match="compressed data is damaged"):
        source.read()


def test_text_that_is_not_what_its_mark_says_is_a_break() -> None:
    with pytest.raises(Broken, match="text is not UTF-16, as its byte order mark says"):
        stream([b"\xff\xfe\x00\xd8a"]).readlines()


@pytest.mark.parametrize("encoding", ["gbk", "cp1251", "utf-16-le"])
def test_an_encoding_that_is_named(encoding: str) -> None:
    text = {"gbk": "目录学", "cp1251": "Каталог"}.get(encoding, "Żółw") * 20_000
    assert stream([text.encode(encoding)], encoding).read().decode() == text


def test_an_encoding_that_is_not_there() -> None:
    assert checked_encoding("gbk") == "gbk"
    assert checked_encoding("") == ""
    with pytest.raises(SettingsError, match="unknown encoding 'klingon'; some are gbk"):
        checked_encoding("klingon")
