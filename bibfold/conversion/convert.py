"""Reads records in any format and writes them in another: no index, no catalogue, nothing folded."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from bibfold.outputs import Output, as_output, output_file
from bibfold.records.formats import DEFAULTS, Options, writer
from bibfold.records.formats.files import Files, source_names
from bibfold.records.model import DeadLetter, Record
from bibfold.shell import printed


class Converted(msgspec.Struct, kw_only=True):
    """How many records were written, in which format, and how much could not be read."""

    to: str
    records: int = 0
    dead_letters: int = 0


def convert(
    stream: Iterable[Record | DeadLetter],
    to: str,
    out: Path | Output | None,
    options: Options = DEFAULTS,
    letter: Callable[[DeadLetter], None] = lambda _: None,
) -> Converted:
    """Write the records of a stream in a format, to standard output where no file is given.

    What could not be read is handed to `letter`, and the stream goes on.
    """
    write = writer(to)
    counts = Converted(to=to)
    if isinstance(stream, Files):
        names = {stream.source} if stream.source else set(source_names(stream.paths).values())
        options = msgspec.structs.replace(options, file_sources=frozenset(names))
    place = printed() if out is None else output_file(as_output(out, "bibfold convert"))
    with place as file:
        write(_readable(stream, counts, letter), file, options)
        file.flush()
    return counts


def _readable(
    stream: Iterable[Record | DeadLetter], counts: Converted, letter: Callable[[DeadLetter], None]
) -> Iterator[Record]:
    for item in stream:
        if isinstance(item, Record):
            counts.records += 1
            yield item
        else:
            counts.dead_letters += 1
            letter(item)
