"""Records out of XML, one by one: safely, and on behind what is broken."""

import codecs
import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import IO, TypeVar
from xml.etree.ElementTree import Element

import msgspec

from bibfold.records.formats import Origin, charset
from bibfold.records.formats.attempt import attempt, too_large
from bibfold.records.formats.xml_parser import Break, Parser, Place
from bibfold.records.model import RAW_LIMIT, DeadLetter

Made = TypeVar("Made")

_BLOCK = 1 << 16
_OVERLAP = 1 << 10
_CONTROLS = bytes(set(range(0x20)) - {0x09, 0x0A, 0x0D})
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*encoding\s*=\s*["']([A-Za-z0-9._-]+)""")
_OTHER_ENCODINGS = ("iso", "cp", "koi8", "mac", "gb", "big5", "shift_jis", "euc", "hz", "tis")
_CUT_CHARACTER = re.compile(rb"[\xc2-\xf4][\x80-\xbf]{0,2}\Z")
_BEGIN = rb"<(?:!--.{0,9999}?-->|((?:[\w.-]+:)?(?:%s)(?=[\s/>])))"
_WRAPPED = re.compile(rb"(?:metadata|recordData)\b[^<>]{0,500}>\s{0,500}\Z")
_Aside = re.Pattern[bytes] | None
_ASIDES = ((b"<!--", re.compile(b"-->")), (b"<?", re.compile(rb"\?>")))


class Found(msgspec.Struct, frozen=True):
    """A record's element, and its number and place in the file."""

    element: Element
    number: int
    place: Place

    @property
    def position(self) -> str:
        """Number and place in words."""
        return f"record {self.number}, {self.place}"

    def letter(self, origin: Origin, reason: str) -> DeadLetter:
        """The dead letter for a record that is good XML and yet cannot be read."""
        text = charset.excerpt(" ".join("".join(self.element.itertext()).split()))
        return DeadLetter(file=origin.file, position=self.position, reason=reason, raw=text)


def records(
    stream: IO[bytes],
    origin: Origin,
    names: Collection[str],
    make: Callable[[Element, Origin], Made | None],
    notices: Collection[str] = (),
) -> Iterator[Made | DeadLetter]:
    """What is made of the elements of these names, where anything is; see `elements`."""
    for found in elements(stream, origin, names, notices):
        if isinstance(found, DeadLetter):
            yield found
        elif (made := attempt(make, found.element, origin, partial(found.letter, origin))) is not None:
            yield made


def elements(
    stream: IO[bytes], origin: Origin, names: Collection[str], notices: Collection[str] = ()
) -> Iterator[Found | DeadLetter]:
    """The outermost elements of these names; each may hold one other inside its `metadata`, as in OAI-PMH, or its
    `recordData`, as in SRU. Notices are elements that count only outside of them, such as an `error` of OAI-PMH.

    Where the XML breaks, the record that breaks is a dead letter and reading goes on at the next one. A break
    that takes no record with it, such as a malformed comment between two, is passed over. Characters that XML
    forbids are dropped, and bytes that are not UTF-8 read as Windows-1252, before the parser sees them.
    """
    return _Reading(stream, origin, names, notices).run()


class _Reading:
    """One pass over a stream: the bytes that may still be needed, and the parser of the moment."""

    def __init__(self, stream: IO[bytes], origin: Origin, names: Collection[str], notices: Collection[str]) -> None:
        self._blocks = (good for block in _utf8(stream) if (good := block.translate(None, _CONTROLS)))
        self._origin = origin
        self._names = names
        self._notices = notices
        self._begin = re.compile(_BEGIN % "|".join(names).encode(), re.DOTALL)
        self._held = bytearray()
        self._from = Place()
        self._parser = Parser(names, notices, [], self._from)
        self._number = 0
        self._over = False

    def run(self) -> Iterator[Found | DeadLetter]:
        block = self._more()
        while True:
            self._held += block
            broken = self._parser.feed(block)
            for element, place in self._parser.complete:
                self._number += 1
                yield Found(element, self._number, place)
            self._parser.complete.clear()
            broken = broken or self._too_large()
            if broken:
                aside = self._aside(broken)
                yield from self._letters(broken, aside)
                if not self._go_on(broken, aside):
                    if aside:
                        yield self._letter(str(broken.place), f"{broken.reason}, in what never ends", b"")
                    return
                block = bytes(self._held)
                self._held.clear()
            elif block:
                block = self._more()
            else:
                return

    def _more(self) -> bytes:
        """As much again as is held, since the parser reads what it cannot finish from its start each time."""
        blocks = [next(self._blocks, b"")]
        size = len(blocks[0])
        while size < len(self._held) and (block := next(self._blocks, b"")):
            blocks.append(block)
            size += len(block)
        return b"".join(blocks)

    def _too_large(self) -> Break | None:
        """Forget what is done with, and break where too much is left."""
        self._forget(self._offset(self._parser.record or self._parser.last))
        if len(self._held) <= self._origin.largest:
            return None
        place = self._from.behind(bytes(self._held))
        return Break(too_large(self._origin.largest), place, refused=True)

    def _letters(self, broken: Break, aside: _Aside) -> Iterator[DeadLetter]:
        """What a break costs: the record that is open or whose first tag breaks, or the rest of the file."""
        parser, place = self._parser, broken.place
        begun = self._offset(parser.record or parser.last)
        raw = bytes(self._held[begun : begun + 4 * RAW_LIMIT])
        if parser.record or (not aside and self._begins(begun, self._offset(place)) is not None):
            self._number += 1
            where = f" (the record begins on {parser.record})" if parser.record else ""
            yield self._letter(f"record {self._number}, {place}", f"{broken.reason}{where}", raw)
        elif broken.refused:
            yield self._letter(str(place), broken.reason, raw)
        elif broken.ended and parser.ancestors and not self._over:
            yield self._letter(str(place), f"the file ends before </{parser.ancestors[-1]}>", raw)
        elif broken.ended and not parser.start.index:
            yield self._letter(str(place), "the file holds no XML element", raw)
        self._over = broken.ended

    def _letter(self, position: str, reason: str, raw: bytes) -> DeadLetter:
        text = raw.decode("utf-8", "replace")[:RAW_LIMIT]
        return DeadLetter(file=self._origin.file, position=position, reason=reason, raw=text)

    def _go_on(self, broken: Break, aside: _Aside) -> bool:
        """Set a new parser where reading can go on, its first bytes held; False where nothing is left."""
        parser, at = self._parser, self._offset(broken.place)
        moved = broken.place.index > parser.start.index
        found: int | None = at
        if aside:
            found = self._search(max(at - 2, 0), aside)
        elif not (broken.rooted and moved):
            found = self._search(at if moved else at + 1, None)
        if found is None:
            return False
        self._forget(found)
        self._parser = Parser(self._names, self._notices, parser.ancestors, self._from)
        return True

    def _aside(self, broken: Break) -> _Aside:
        """What ends the comment or processing instruction that breaks between records."""
        if self._parser.record or broken.ended:
            return None
        first, at = self._offset(self._parser.last), self._offset(broken.place)
        for begin, end in _ASIDES:
            begun = self._held.rfind(begin, first, at + len(begin))
            if begun >= 0 and not end.search(self._held, begun + len(begin), at):
                return end
        return None

    def _search(self, at: int, aside: _Aside) -> int | None:
        """Where in the held bytes to go on, reading and forgetting as far as it takes: behind what is aside,
        or at the next record.
        """
        while True:
            if aside:
                ended = aside.search(self._held, at)
                found = ended.end() if ended else None
            else:
                found = self._begins(at, len(self._held))
            if found is not None:
                return found
            block = next(self._blocks, b"")
            if not block:
                return None
            self._forget(max(at, len(self._held) - _OVERLAP))
            self._held += block
            at = 0

    def _begins(self, start: int, end: int) -> int | None:
        """Where in the held bytes a record begins, outside of comments and of another record's metadata."""
        for found in self._begin.finditer(self._held, start, end):
            at = found.start()
            if found[1] and not _WRAPPED.search(self._held, max(at - _OVERLAP, start), at):
                return at
        return None

    def _offset(self, place: Place) -> int:
        return max(place.index - self._from.index, 0)

    def _forget(self, size: int) -> None:
        self._from = self._from.behind(bytes(self._held[:size]))
        del self._held[:size]


def _utf8(stream: IO[bytes]) -> Iterator[bytes]:
    """The stream as blocks of UTF-8, whatever encoding its declaration names."""
    block = stream.read(_BLOCK)
    declared = _DECLARED.match(block)
    try:
        encoding = codecs.lookup(declared[1].decode("ascii")).name if declared else ""
    except LookupError:
        encoding = ""
    if not encoding.startswith(_OTHER_ENCODINGS):
        yield from _repaired(block, stream)
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    while block:
        yield decoder.decode(block).encode()
        block = stream.read(_BLOCK)
    yield decoder.decode(b"", True).encode()


def _repaired(block: bytes, stream: IO[bytes]) -> Iterator[bytes]:
    """Blocks cut between characters; what can be read in no way stays as bytes that the parser refuses."""
    while block:
        cut = _CUT_CHARACTER.search(block, max(len(block) - 3, 0))
        rest = cut.group() if cut else b""
        yield charset.decode(block[: len(block) - len(rest)]).encode("utf-8", "surrogatepass")
        more = stream.read(_BLOCK)
        block = rest + more
        if not more:
            yield charset.decode(rest).encode("utf-8", "surrogatepass")
            return
