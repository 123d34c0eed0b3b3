"""Bytes of a file or of stdin: decompressed, without byte order mark, and whole up to where they break."""

import codecs
import io
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, cast

import zstandard

from bibfold.errors import InputError, SettingsError

HEAD = 1 << 16
"""How many bytes of a stream can be looked at before it is read."""

_PIECE = 1 << 10  # compressed bytes at a time: little is lost before damage, and no piece grows large
_ENCODINGS = (
    (codecs.BOM_UTF8, ""),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(r"""(<\?xml[^>]*encoding=["'])[^"']*""")


class Broken(Exception):
    """The bytes stop making sense here: all that came before is good."""


class Stream(io.BufferedReader):
    """Buffered bytes; a read that meets a break gives what came before it, and only the next one raises."""

    def read(self, size: int | None = -1, /) -> bytes:
        left = -1 if size is None else size
        parts: list[bytes] = []
        while left:
            try:
                part = self.read1(left)
            except Broken:
                if not parts:
                    raise
                break
            if not part:
                break
            parts.append(part)
            left -= len(part) if left > 0 else 0
        return b"".join(parts)


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


_COMPRESSIONS: tuple[tuple[bytes, Callable[[], _Decompressor]], ...] = (
    (b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31)),
    (b"\x28\xb5\x2f\xfd", lambda: zstandard.ZstdDecompressor().decompressobj()),
)


def checked_encoding(name: str) -> str:
    """The name of an encoding of text; raises SettingsError where there is none of this name."""
    try:
        if name:
            b"".decode(name)
            "".encode(name)
    except LookupError:
        raise SettingsError(f"unknown encoding {name!r}; some are gbk, cp1251, latin-1, shift_jis, utf-16-le") from None
    return name


@contextmanager
def opened(path: str, encoding: str = "") -> Iterator[Stream]:
    """The stream of a file, or of stdin where the path is `-`; text of an encoding that is named comes as UTF-8."""
    if path == "-":
        stdin = cast(io.BufferedReader, sys.stdin.buffer)
        try:
            given = stream(iter(lambda: stdin.read1(HEAD), b""), encoding)
        except OSError as error:
            raise InputError(f"stdin: cannot be read: {error.strerror}") from error
        yield given
        return
    with _open(path) as file:
        yield stream(iter(lambda: file.read1(HEAD), b""), encoding)


def _open(path: str) -> io.BufferedReader:
    try:
        return Path(path).open("rb")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder; name the files in it") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be opened: {error.strerror}") from error


def stream(chunks: Iterable[bytes], encoding: str = "") -> Stream:
    """Chunks of bytes as a stream whose first `HEAD` bytes are there to `peek` at."""
    data = _decompressed(iter(chunks))
    data = _recoded(data, encoding, "replace") if encoding else _plain_utf8(data)
    return Stream(_Raw(_headed(data, HEAD)), HEAD)


class _Raw(io.RawIOBase):
    """An iterator of bytes as the file that a buffered reader wants; a break is raised again and again."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = memoryview(b"")
        self._broken: Broken | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._rest:
            if self._broken:
                raise self._broken
            try:
                self._rest = memoryview(next(self._chunks))
            except Broken as broken:
                self._broken = broken
            except StopIteration:
                return 0
        room = memoryview(buffer)
        size = min(len(room), len(self._rest))
        room[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def _headed(chunks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """The same bytes, with the first chunk of at least this size where there are so many."""
    head = bytearray()
    try:
        while len(head) < size and (chunk := next(chunks, None)) is not None:
            head += chunk
    except Broken:
        yield bytes(head)
        raise
    yield bytes(head)
    yield from chunks


def _peeked(chunks: Iterator[bytes], size: int) -> tuple[bytes, Iterator[bytes]]:
    headed = _headed(chunks, size)
    head = next(headed)
    return head, chain([head], headed)


def _decompressed(chunks: Iterator[bytes]) -> Iterator[bytes]:
    head, chunks = _peeked(chunks, 4)
    for magic, begin in _COMPRESSIONS:
        if head.startswith(magic):
            return _decompress(chunks, begin)
    return chunks


def _decompress(chunks: Iterator[bytes], begin: Callable[[], _Decompressor]) -> Iterator[bytes]:
    """The data of one or more compressed members, one after the other."""
    member = begin()
    for piece in _pieces(chunks):
        data = piece
        while data := data.lstrip(b"\0") if member.eof else data:
            if member.eof:
                member = begin()
            try:
                yield member.decompress(data)
            except (zlib.error, zstandard.ZstdError) as error:
                raise Broken(f"compressed data is damaged: {error}") from error
            data = member.unused_data if member.eof else b""
    if not member.eof:
        raise Broken("compressed data ends early: the file was cut off; fetch or copy it again")


def _pieces(chunks: Iterator[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), _PIECE):
            yield chunk[start : start + _PIECE]


def _plain_utf8(chunks: Iterator[bytes]) -> Iterator[bytes]:
    head, chunks = _peeked(chunks, 4)
    for mark, encoding in _ENCODINGS:
        if head.startswith(mark):
            return _recoded(chunks, encoding) if encoding else chain([next(chunks)[len(mark) :]], chunks)
    return chunks


def _recoded(chunks: Iterator[bytes], encoding: str, errors: str = "strict") -> Iterator[bytes]:
    """Text of another encoding as UTF-8, with the declaration of an XML file made to say so."""
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    try:
        for number, chunk in enumerate(_headed(chunks, HEAD)):
            text = decoder.decode(chunk)
            text = text if number else text.removeprefix("\ufeff")
            yield (text if number else _DECLARED.sub(r"\1UTF-8", text, count=1)).encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        raise Broken(f"text is not {encoding.upper()}, as its byte order mark says: {error}") from error
