"""Reads MARC 21 in its exchange form (ISO 2709), whole or damaged."""

import re
from collections.abc import Iterator
from typing import IO

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.attempt import attempt, too_large
from bibfold.records.formats.marc import Field, Marc, control, field
from bibfold.records.formats.marc_charset import Decoder, decoder
from bibfold.records.formats.marc_local import from_marc
from bibfold.records.model import RAW_LIMIT, DeadLetter, Deletion, Item, Record

_LEADER, _ENTRY = 24, 12
_RECORD_END, _FIELD_END, _SUBFIELD = b"\x1d", b"\x1e", b"\x1f"
_DIRECTORY = re.compile(rb"(?:\w{3}\d{9})+")
_BLANKS = re.compile(rb"[ \t\r\n\0\x1a]*")
_BLOCK = 1 << 20


def read(stream: IO[bytes], origin: Origin) -> Iterator[Item]:
    """The records, a deletion for each that is marked as deleted, a dead letter for each that is past repair."""
    for number, (offset, data) in enumerate(_frames(stream, origin.largest), 1):

        def letter(reason: str, number: int = number, offset: int = offset, data: bytes = data) -> DeadLetter:
            raw = data[:RAW_LIMIT].decode("utf-8", "backslashreplace")[:RAW_LIMIT]
            return DeadLetter(file=origin.file, position=f"record {number} at byte {offset}", reason=reason, raw=raw)

        yield attempt(_record, data, origin, letter)


def _record(data: bytes, origin: Origin) -> Record | Deletion:
    if not data.endswith(_RECORD_END):
        large = len(data) >= origin.largest
        raise RecordError("record", too_large(origin.largest) if large else "cut off by the end of the file")
    return from_marc(parse(data), origin)


def parse(data: bytes) -> Marc:
    """One record with its end mark.

    Where the directory's lengths are wrong (too long for their digits, or counted in characters), the end
    marks of the fields tell them apart, as long as there are as many fields as directory entries.
    """
    leader = data[:_LEADER].decode("latin-1")
    base = data.find(_FIELD_END) + 1
    if len(leader) < _LEADER or base <= _LEADER + 1:
        raise RecordError("record", "no leader and directory at its start")
    directory = data[_LEADER : base - 1]
    if len(directory) % _ENTRY and _DIRECTORY.fullmatch(early := data[_ENTRY + (base - 1) % _ENTRY : base - 1]):
        directory = early  # the leader lacks some of its bytes
    if len(directory) % _ENTRY:
        raise RecordError("record", f"a directory of {len(directory)} bytes, not a multiple of {_ENTRY}")
    entries = [directory[at : at + _ENTRY] for at in range(0, len(directory), _ENTRY)]
    decode = decoder(data, says_utf8=leader[9] == "a")
    fields = tuple(_field(tag, content, decode) for tag, content in _contents(entries, data[base:-1]))
    if any("\ufffd" in value for each in fields if each.tag == "245" for value in each.all("abnp")):
        raise RecordError("record", "the title (245) holds bytes of no known character set")
    return Marc(leader, fields)


def _contents(entries: list[bytes], data: bytes) -> Iterator[tuple[str, bytes]]:
    """Tag and bytes of each field, by the directory where it is right, else by the end marks."""
    tags = [entry[:3].decode("latin-1") for entry in entries]
    starts = [int(entry[7:]) if entry[7:].isdigit() else -1 for entry in entries]
    sizes = [int(entry[3:7]) if entry[3:7].isdigit() else -1 for entry in entries]
    contents = [data[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    if not all(content.find(_FIELD_END) == len(content) - 1 and content for content in contents):
        contents = data.split(_FIELD_END)[: -1 if data.endswith(_FIELD_END) else None]
        if len(contents) != len(entries):
            reason = f"the directory names {len(entries)} fields but {len(contents)} follow"
            raise RecordError("record", reason)
        in_order = sorted(range(len(entries)), key=starts.__getitem__)
        contents = [content for _, content in sorted(zip(in_order, contents, strict=True))]
    return ((tag, content.removesuffix(_FIELD_END)) for tag, content in zip(tags, contents, strict=True))


def _field(tag: str, content: bytes, decode: Decoder) -> Field:
    if tag.startswith("00"):
        return control(tag, decode(content))
    head, *pieces = content.split(_SUBFIELD)
    if not pieces and len(head) > 2:
        head, pieces = head[:2], [b"a" + head[2:]]
    subfields = ((text[:1], text[1:]) for text in map(decode, pieces) if text)
    return field(tag, head.decode("latin-1"), subfields)


def _frames(stream: IO[bytes], largest: int) -> Iterator[tuple[int, bytes]]:
    """Offset and bytes of each record: as long as its leader says if that ends it, else up to an end mark."""
    window = _Window(stream, largest)
    while window.skip_blanks():
        size = window.stated_size() or window.marked_size()
        offset, data = window.take(size)
        yield offset, data
        if not data.endswith(_RECORD_END):
            window.skip_to_end_mark()


class _Window:
    """The part of a stream that is being looked at."""

    def __init__(self, stream: IO[bytes], largest: int) -> None:
        self._stream = stream
        self._largest = largest
        self._data = b""
        self._at = 0
        self._offset = 0

    def skip_blanks(self) -> bool:
        """Go to the next byte that means something; False at the end."""
        while self._fill(1):
            self._at = _BLANKS.match(self._data, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._data):
                return True
        return False

    def stated_size(self) -> int:
        """The size that the leader gives, if the record does end there; else 0."""
        self._fill(_LEADER)
        digits = self._data[self._at : self._at + 5]
        size = int(digits) if digits.isdigit() else 0
        right = size > _LEADER and self._fill(size) and self._data[self._at + size - 1] == _RECORD_END[0]
        return size if right else 0

    def marked_size(self) -> int:
        """The size up to the next end mark, or of all that is left, or of as much as is read."""
        while not (size := self._to_mark()) and self._left() < self._largest and self._fill(self._left() + 1):
            pass
        return size or self._left()

    def skip_to_end_mark(self) -> None:
        while self._fill(1):
            size = self._to_mark()
            self.take(size or self._left())
            if size:
                return

    def take(self, size: int) -> tuple[int, bytes]:
        """Offset and bytes of what is next."""
        start = self._at
        self._at += size
        return self._offset + start, self._data[start : self._at]

    def _left(self) -> int:
        return len(self._data) - self._at

    def _to_mark(self) -> int:
        found = self._data.find(_RECORD_END, self._at)
        return found + 1 - self._at if found >= 0 else 0

    def _fill(self, size: int) -> bool:
        """Have this many bytes to look at; False where the stream ends before."""
        while self._left() < size:
            more = self._stream.read(_BLOCK)
            if not more:
                return False
            self._offset += self._at
            self._data = self._data[self._at :] + more
            self._at = 0
        return True
