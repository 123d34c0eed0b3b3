"""Formats of tagged lines: the lines of each record, and the record or dead letter made of them."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.attempt import attempt, too_large
from bibfold.records.formats.charset import check, excerpt
from bibfold.records.formats.values import Fields
from bibfold.records.model import RAW_LIMIT, DeadLetter, Record


class Block(NamedTuple):
    """The lines of a record and the number of the first; `ended` where the format's end mark follows them.

    `reason` says why it cannot be read, where it cannot.
    """

    number: int
    lines: list[str]
    ended: bool = True
    reason: str = ""


def blocks(
    lines: Iterable[str], marks: re.Pattern[str], largest: int, hints: tuple[str, ...] = ("",)
) -> Iterator[Block]:
    """The lines of each record, from one that begins a record to one that ends it or begins the next.

    The groups of `marks` are `begin`, `end`, and `loose` for lines that begin a record only where none is open.
    Other lines between records are passed over. Of a record that is too large only the first lines are kept. `hints`,
    what a line that begins or ends a record may start with, spare most lines a closer look.
    """
    block: list[str] = []
    begin = size = 0
    for number, line in enumerate(lines, 1):
        if block and not line.startswith(hints):
            size += len(line)
            if size <= largest:
                block.append(line)
            continue
        mark = marks.match(line)
        kind = mark.lastgroup if mark else None
        if not block:
            if kind in ("begin", "loose"):
                block, begin, size = [line], number, len(line)
        elif kind == "begin":
            yield _block(begin, block, size, largest, ended=False)
            block, begin, size = [line], number, len(line)
        elif kind == "end":
            yield _block(begin, block, size, largest, ended=True)
            block = []
        else:
            size += len(line)
            if size <= largest:
                block.append(line)
    if block:
        yield _block(begin, block, size, largest, ended=False)


def _block(begin: int, lines: list[str], size: int, largest: int, *, ended: bool) -> Block:
    if size > largest:
        return Block(begin, ["".join(lines)[:RAW_LIMIT]], ended, too_large(largest))
    return Block(begin, lines, ended)


def whole(found: Iterable[Block], end: str) -> Iterator[Block]:
    """The blocks, the last with a reason where the file was cut off in it.

    That it has no end mark says so, unless others before it have none either: some programs write none.
    """
    last: Block | None = None
    unended = False
    for block in found:
        if last:
            unended = unended or not last.ended
            yield last
        last = block
    if last and not last.ended and not unended and not last.reason:
        last = last._replace(reason=f"cut off: the file ends before the record's {end}")
    if last:
        yield last


def records(
    found: Iterator[Block], make: Callable[[list[str], Origin], Record], origin: Origin, missing: str
) -> Iterator[Record | DeadLetter]:
    """The record of each block; where there is none, a dead letter that says what is `missing`."""
    first = next(found, None)
    if first is None:
        yield DeadLetter(file=origin.file, position="whole file", reason=missing)
        return

    def made(block: Block, origin: Origin) -> Record:
        if block.reason:
            raise RecordError("record", block.reason)
        check("".join(block.lines))
        return make(block.lines, origin)

    for block in chain([first], found):

        def letter(reason: str, block: Block = block) -> DeadLetter:
            raw = excerpt("".join(block.lines))
            return DeadLetter(file=origin.file, position=f"line {block.number}", reason=reason, raw=raw)

        yield attempt(made, block, origin, letter)


def fields(block: Iterable[str], tag: re.Pattern[str], join: str) -> Fields:
    """The values of each tag; a line without one goes on with the value before it, put behind `join`."""
    values: list[tuple[str, list[str]]] = []
    match = tag.match
    for line in block:
        if found := match(line):
            name, value = found.groups("")
            values.append((name, [value]))
        elif values:
            values[-1][1].append(line.strip())
    gathered: Fields = {}
    for name, parts in values:
        if text := (parts[0] if len(parts) == 1 else join.join(parts)).strip():
            gathered.setdefault(name, []).append(text)
    return gathered
