"""Text out of bytes: UTF-8, with single bytes of Windows-1252 between it read as what they mean."""

import codecs
import io
import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO

from bibfold.errors import RecordError
from bibfold.records.model import RAW_LIMIT

_UNREADABLE = re.compile("[\udc80-\udcff]")
_ERRORS = "bibfold-windows-1252"


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are not UTF-8 as Windows-1252; those undefined there as surrogates, for `check` to find."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(map(_character, error.object[error.start : error.end])), error.end


def _character(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(0xDC00 + byte)


codecs.register_error(_ERRORS, _as_windows_1252)


def decode(data: bytes) -> str:
    """The text of these bytes; `check` tells whether all of them could be read."""
    return data.decode("utf-8", _ERRORS)


BYTE_ORDER_MARK = "\ufeff"
"""Also found within a file, where several were joined into one."""


def lines(stream: IO[bytes], largest: int) -> Iterator[str]:
    """The lines of the stream, whether they end in LF, CR LF or CR; one that is too long comes in pieces."""
    return iter(partial(text(stream).readline, largest + 1), "")


def text(stream: IO[bytes], newline: str | None = None) -> io.TextIOWrapper:
    """The stream as a file of text."""
    return io.TextIOWrapper(stream, encoding="utf-8", errors=_ERRORS, newline=newline)


def pieces(stream: IO[bytes]) -> Callable[[int], str]:
    """A function that reads about so many characters more, as far as the stream goes."""
    decoder = codecs.getincrementaldecoder("utf-8")(_ERRORS)

    def read(size: int) -> str:
        text = ""
        data = b"more"
        while data and not text:
            data = stream.read(size)
            text = decoder.decode(data, final=not data)
        return text

    return read


def check(text: str) -> None:
    """Raise where a byte of this text could not be read."""
    if not text.isascii() and (bad := _UNREADABLE.search(text)):
        byte = ord(bad.group()) - 0xDC00
        raise RecordError("record", f"byte 0x{byte:02x} is neither UTF-8 nor Windows-1252")


def readable(text: str) -> str:
    """The text with `?` for what could not be read."""
    return text.encode("utf-8", "replace").decode("utf-8")


def from_shell(word: str) -> str:
    """A word of the command line as text: bytes of it that are not UTF-8 are read as those in files are."""
    return readable(decode(os.fsencode(word)))


def excerpt(text: str) -> str:
    """As much of a text as a dead letter keeps, readable."""
    return readable(text[:RAW_LIMIT].strip())
