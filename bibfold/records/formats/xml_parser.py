"""The XML parser: expat without DTDs, entities or network, that can start inside open elements."""

from collections.abc import Collection
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate, XMLParserType, errors

import msgspec

DEEPEST = 200
"""How many elements may stand in each other."""

_WRAPPERS = frozenset({"metadata", "recordData"})
"""What holds a record inside another: OAI-PMH's and SRU's."""

_AFTER_ROOT = errors.codes[errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]


class Place(msgspec.Struct, frozen=True):
    """A place in the text: bytes before it, line, and bytes before it in the line."""

    index: int = 0
    line: int = 1
    column: int = 0

    def behind(self, data: bytes) -> "Place":
        """The place behind these bytes that begin here."""
        lines = data.count(b"\n")
        column = len(data) - data.rfind(b"\n") - 1 if lines else self.column + len(data)
        return Place(self.index + len(data), self.line + lines, column)

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column + 1}"


class Break(msgspec.Struct, frozen=True):
    """Why and where parsing stopped.

    By our choice (`refused`), because no more bytes came (`ended`), or because the root element was closed
    and something follows it (`rooted`).
    """

    reason: str
    place: Place
    refused: bool = False
    ended: bool = False
    rooted: bool = False


class _Refused(Exception):
    """Well-formed XML that is not read, and where it stands."""

    def __init__(self, reason: str, place: Place) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place


class Parser:
    """Gathers the outermost elements of some names, and of notices outside of them; good up to the first break.

    `ancestors` are the other elements that are open, `record` is where the open record began, and `last`
    where the last thing outside of records began. Names are local names, since prefixes and namespaces differ
    between systems that mean the same elements.
    """

    def __init__(self, names: Collection[str], notices: Collection[str], ancestors: list[str], start: Place) -> None:
        self.complete: list[tuple[Element, Place]] = []
        self.ancestors: list[str] = []
        self.record: Place | None = None
        self.start = self.last = start
        self._names = names
        self._outermost = {*names, *notices}
        self._inside: list[str] = []
        self._holds_another = False
        self._builder = TreeBuilder()
        head = "".join(f"<{name}>" for name in ancestors).encode()
        self._head = len(head)
        self._expat = self._with_handlers()
        self._expat.Parse(head)
        self.last = start

    def feed(self, block: bytes) -> Break | None:
        """Parse on; no bytes mean the end."""
        expat = self._expat
        try:
            expat.Parse(block, not block)
        except ExpatError as error:
            place = self._place(expat.ErrorByteIndex, error.lineno, error.offset)
            reason = ErrorString(error.code) if block else "the file ends"
            return Break(reason, place, ended=not block, rooted=error.code == _AFTER_ROOT)
        except _Refused as error:
            return Break(error.reason, error.place, refused=True)
        return None

    def _with_handlers(self) -> XMLParserType:
        expat = ParserCreate("UTF-8")
        expat.buffer_text = True
        expat.StartElementHandler = self._started
        expat.EndElementHandler = self._ended
        expat.EntityDeclHandler = self._entity_declared
        expat.SkippedEntityHandler = self._entity_skipped
        return expat

    def _started(self, name: str, attributes: dict[str, str]) -> None:
        local = name[name.find(":") + 1 :]
        inside = self._inside
        if len(inside) + len(self.ancestors) >= DEEPEST:
            raise self._refused(f"more than {DEEPEST} elements in each other")
        if not inside:
            if local not in self._outermost:
                self.ancestors.append(name)
                self.last = self._here()
                return
            self.record = self._here()
            self._holds_another = False
            self._builder = TreeBuilder()
            self._expat.CharacterDataHandler = self._builder.data
        elif local in self._names:
            if self._holds_another or not _WRAPPERS.intersection(inside[-2:]):
                raise self._refused(f"another <{name}> begins before this one has ended")
            self._holds_another = True
        inside.append(local)
        self._builder.start(local, attributes)

    def _ended(self, name: str) -> None:
        if not self._inside:
            self.ancestors.pop()
            self.last = self._here()
            return
        self._builder.end(self._inside.pop())
        if not self._inside and self.record:
            self._expat.CharacterDataHandler = None
            self.complete.append((self._builder.close(), self.record))
            self.last, self.record = self._here(), None

    def _entity_declared(self, name: str, *_: object) -> None:
        raise self._refused(f"the DTD declares the entity {name!r}; DTDs are not read: expand entities first")

    def _entity_skipped(self, name: str, _: bool) -> None:
        raise self._refused(f"the entity &{name}; comes from a DTD; DTDs are not read: expand entities first")

    def _refused(self, reason: str) -> _Refused:
        return _Refused(reason, self._here())

    def _here(self) -> Place:
        expat = self._expat
        return self._place(expat.CurrentByteIndex, expat.CurrentLineNumber, expat.CurrentColumnNumber)

    def _place(self, index: int, line: int, column: int) -> Place:
        start = self.start
        if line == 1:
            column += start.column - self._head
        return Place(start.index + index - self._head, start.line + line - 1, column)
