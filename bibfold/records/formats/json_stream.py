"""The works in a stream of JSON, one at a time: lines, an array, or pages that hold an array of items."""

import json
import re
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

from bibfold.records.formats import LARGEST
from bibfold.records.formats.attempt import too_large
from bibfold.records.formats.charset import pieces
from bibfold.records.model import RAW_LIMIT

_BETWEEN = re.compile(r"[\s,]*")
_PAGE = re.compile(
    r'\{\s*"(?:status|message(?:-type|-version)?|items|facets|total-results|query|items-per-page'
    r'|meta|results|group_by|data|links|included)"\s*:'
)
_WORKS = re.compile(r'"(?:items|results|data)"\s*:\s*(\[)|"(?:message|data)"\s*:\s*(?=\{)')
_IN_STRING = re.compile(r'\\.|"', re.DOTALL)
_OUTSIDE = re.compile(r'["{}]')
_CUT = "cut off: the file ends before its last array or page is closed"
_MARK = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}]', re.DOTALL)
_LINE_END = re.compile("\n")
_NEXT_LINE = re.compile(r"\n\s*(\S)")
_FEW = 64
_NEAR = 1 << 20  # how far into a page its works may begin, and how far on a bad work may end

_decode = json.JSONDecoder().raw_decode


class Item(NamedTuple):
    """A value with its text; where it is not JSON, the reason why."""

    text: str
    value: Any = None
    reason: str = ""


class _Text:
    """Text that grows as it is read and shrinks as it is used."""

    def __init__(self, read: Callable[[int], str], size: int) -> None:
        self._read = read
        self._size = size
        self.text = "\n"  # so that every place has a character before it
        self.place = 1

    def grow(self) -> bool:
        """Read as much again as is left; whether there was more."""
        left = self.text[self.place - 1 :]
        more = self._read(max(self._size, len(left)))
        self.text, self.place = left + more, 1
        return bool(more)

    def matches(self, pattern: re.Pattern[str]) -> bool:
        """Whether the pattern, of a few characters, matches here."""
        while len(self.text) - self.place < _FEW and self.grow():
            pass
        return pattern.match(self.text, self.place) is not None

    def next(self) -> str:
        """The next character that is neither space nor comma, or nothing at the end."""
        while True:
            between = _BETWEEN.match(self.text, self.place)
            self.place = between.end() if between else self.place
            if self.place < len(self.text) or not self.grow():
                return self.text[self.place : self.place + 1]

    def find(self, pattern: re.Pattern[str], limit: int) -> re.Match[str] | None:
        """The first match from here on, no further than the limit."""
        while not (found := pattern.search(self.text, self.place)):
            if len(self.text) - self.place > limit or not self.grow():
                return None
        return found

    def cut(self, end: int) -> str:
        """The text from here to an end, which is used by that."""
        begin, self.place = self.place, end
        return self.text[begin:end]


def items(stream: IO[bytes], largest: int = LARGEST, size: int = 1 << 18) -> Iterator[Item]:
    """The objects at the top, in an array or in pages; `size` is how much is read at a time.

    Where the text ends inside an array or a page, the last item says that it was cut off.
    """
    text = _Text(pieces(stream), size)
    open_arrays = 0
    item = Item("")
    while mark := text.next():
        if mark in "[]":
            open_arrays = max(open_arrays + (1 if mark == "[" else -1), 0)
            text.place += 1
        elif mark == "{" and text.matches(_PAGE):
            for item in _page(text, largest):
                yield item
        else:
            item = _item(text, largest) if mark == "{" else Item(_cut_line(text), reason="not JSON: expected an object")
            yield item
    if open_arrays and not item.reason:
        yield Item("", reason=_CUT)


def _page(text: _Text, largest: int) -> Iterator[Item]:
    """The works of a page: those of its items, or the one that is its message."""
    depth = 0
    item = Item("")
    while text.matches(_PAGE) and (found := text.find(_WORKS, _NEAR)):
        depth += 1
        text.place = found.end()
        if found[1]:
            while text.next() not in ("]", ""):
                item = _item(text, largest)
                yield item
            break
    else:
        item = _item(text, largest)
        yield item
    if not _close(text, depth) and not item.reason:
        yield Item("", reason=_CUT)


def _item(text: _Text, largest: int) -> Item:
    """The value that begins here; more is read while it may be unfinished."""
    while True:
        try:
            value, end = _decode(text.text, text.place)
            large = end - text.place > largest
            return Item(text.cut(end)[:RAW_LIMIT], reason=too_large(largest)) if large else Item(text.cut(end), value)
        except json.JSONDecodeError as error:
            unfinished = error.pos > len(text.text) - 16 or error.msg.startswith("Unterminated")
            if unfinished and len(text.text) - text.place > largest:
                return _skipped(text, too_large(largest))
            if not (unfinished and text.grow()):
                return _bad(text, f"not JSON: {error.msg}")
        except RecursionError:
            return _bad(text, "nested too deeply")
        except ValueError as error:  # a number of thousands of digits
            return _bad(text, f"not JSON that can be read: {error}")


def _skipped(text: _Text, reason: str) -> Item:
    """The beginning of an object that is too large; the rest is passed over, up to its closing brace."""
    begin = text.text[text.place : text.place + RAW_LIMIT]
    depth, quoted = 0, False
    while True:
        while mark := (_IN_STRING if quoted else _OUTSIDE).search(text.text, text.place):
            text.place = mark.end()
            sign = mark.group()
            quoted = quoted != (sign == '"')
            depth += {"{": 1, "}": -1}.get(sign, 0)
            if depth == 0:
                return Item(begin, reason=reason)
        text.place = max(text.place, len(text.text) - 1)  # an escape may be cut in two
        if not text.grow():
            return Item(begin, reason=f"{reason}; the file ends inside it")


def _bad(text: _Text, reason: str) -> Item:
    """What is not JSON: its line where the next line begins an object, or else up to its closing brace."""
    line = text.find(_NEXT_LINE, _NEAR)
    at_line_start = text.text[text.place - 1] == "\n"
    if text.text[text.place] != "{" or (at_line_start and line and line[1] == "{"):
        return Item(_cut_line(text), reason=reason)
    while len(text.text) - text.place <= _NEAR:
        for mark, depth in _braces(text.text, text.place):
            if depth == 0:
                return Item(text.cut(mark.end()), reason=reason)
        if not text.grow():
            break
    lost = Item(text.text[text.place : text.place + RAW_LIMIT], reason=f"{reason}; what follows is lost")
    text.place = len(text.text)
    while text.grow():
        text.place = len(text.text)
    return lost


def _cut_line(text: _Text) -> str:
    end = text.find(_LINE_END, _NEAR)
    return text.cut(end.end() if end else len(text.text))


def _close(text: _Text, depth: int) -> bool:
    """Go past the braces that are still open; whether they are closed at all."""
    while depth:
        for mark, level in _braces(text.text, text.place, depth):
            if level == 0:
                text.place = mark.end()
                return True
        if not text.grow():
            text.place = len(text.text)
            return False
    return True


def _braces(text: str, place: int, depth: int = 0) -> Iterator[tuple[re.Match[str], int]]:
    """The braces outside strings, each with how many are open after it."""
    for mark in _MARK.finditer(text, place):
        if mark.group() in "{}":
            depth += 1 if mark.group() == "{" else -1
            yield mark, depth
