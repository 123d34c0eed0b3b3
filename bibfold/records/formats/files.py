"""Files as records: opened, decompressed, of a format found by their content, each record with a name."""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

import msgspec

from bibfold.errors import BibfoldError, InputError
from bibfold.records.formats import FORMATS, LARGEST, Origin, reader
from bibfold.records.formats.attempt import failure
from bibfold.records.formats.charset import from_shell
from bibfold.records.formats.detect import detect
from bibfold.records.formats.streams import Broken, Stream, opened
from bibfold.records.formats.values import unique
from bibfold.records.model import DeadLetter, Deletion, Item, Record
from bibfold.records.native import to_native

COMPRESSED = (".gz", ".zst", ".zstd", ".gzip")
_LABELLING = frozenset({"bibtex", "ris", "csv", "endnote", "csl-json", "enw", "xlsx"})
"""Formats whose ids are labels or row numbers: a second record of a source and id, in the same file or in another,
is another record."""

_encode = msgspec.json.Encoder(order="sorted").encode


class Unit(NamedTuple):
    """Input that was given at once: a file, standard input, a harvested page, a request.

    `source` is that of its records that do not name one. `file` is there where the ids of these are labels: a digest
    of the file's place, empty where it has none.
    """

    items: Iterable[Item]
    source: str = ""
    file: bytes | None = None


class Files(msgspec.Struct, frozen=True):
    """Files to be read, and how; iterate over it for their records, one file after the other (see `read_file`).

    Files of the same name get sources that tell them apart: the name with its endings, or with its folder. Raises
    InputError at once where a file is not there, not when those before it have been read. One of many that cannot be
    read at all is a dead letter, unless `strict`.
    """

    paths: tuple[str, ...]
    format: str | None = None
    source: str | None = None
    columns: Mapping[str, str] = {}
    encoding: str = ""
    largest: int = LARGEST
    strict: bool = False

    def __post_init__(self) -> None:
        for path in self.paths:
            if path != "-" and not Path(path).exists():
                raise InputError(f"{path}: no such file")

    def __iter__(self) -> Iterator[Record | DeadLetter]:
        names = source_names(self.paths)
        for path in self.paths:
            try:
                yield from read_file(
                    path,
                    format=self.format,
                    source=self.source or names[path],
                    columns=self.columns,
                    encoding=self.encoding,
                    largest=self.largest,
                )
            except InputError as error:
                yield self._letter(path, error)

    def units(self) -> Iterator[Unit]:
        """The files one by one, with deletions; labels stay as they are, however often they recur."""
        names = source_names(self.paths)
        for path in self.paths:
            try:
                with opened(path, self.encoding) as stream:
                    source = self.source or names[path]
                    origin = Origin(shown_path(path), source, self.columns, self.largest)
                    name, items = _items(stream, self.format, origin)
                    place = _place(path) if name in _LABELLING else None
                    yield Unit(self._readable(identified(items), path), origin.source, place)
            except InputError as error:
                yield Unit([self._letter(path, error)])

    def _readable(self, items: Iterator[Item], path: str) -> Iterator[Item]:
        try:
            yield from items
        except InputError as error:
            yield self._letter(path, error)

    def _letter(self, path: str, error: InputError) -> DeadLetter:
        """What is kept of a file that cannot be read; the error itself where it is to stop the run."""
        if self.strict or len(self.paths) == 1:
            raise error
        file = shown_path(path)
        return DeadLetter(file=file, position="whole file", reason=str(error).removeprefix(f"{file}: "))


Read = Callable[[Sequence[str]], Files]
"""Takes paths for the files that are to be read."""


def read_files(
    paths: Sequence[str],
    *,
    format: str | None = None,
    source: str | None = None,
    columns: Mapping[str, str] = {},
) -> Iterator[Record | DeadLetter]:
    """The records of several files; see `Files`."""
    return iter(Files(tuple(paths), format, source, columns))


def read_file(
    path: str,
    *,
    format: str | None = None,
    source: str | None = None,
    columns: Mapping[str, str] = {},
    encoding: str = "",
    largest: int = LARGEST,
) -> Iterator[Record | DeadLetter]:
    """The records of a file (`-` is stdin), and a dead letter for each that cannot be read.

    Records that name no source get the given one, or else the file's name without its endings. One without id
    gets a hash of its content; one of more than `largest` bytes is a dead letter. `encoding` is for text whose encoding
    cannot be told from it. Deletions are left out. Raises InputError where the file cannot be read at all.
    """
    with opened(path, encoding) as stream:
        origin = Origin(shown_path(path), source or source_names([path])[path], columns, largest)
        name, items = _items(stream, format, origin)
        for item in identified(items, labelled=name in _LABELLING):
            if not isinstance(item, Deletion):
                yield item


def _items(stream: Stream, format: str | None, origin: Origin) -> tuple[str, Iterator[Item]]:
    """The format of an open file, and what its reader finds."""
    head = _head(stream, origin.file)
    name = format or detect(head, origin.file)
    return name, _unbroken(reader(name)(stream, origin), origin.file, name)


def _place(path: str) -> bytes:
    """A digest of where a file lies; nothing tells two standard inputs apart."""
    whole = os.fsencode(Path(path).resolve())
    return b"" if path == "-" else hashlib.blake2b(whole, digest_size=8).digest()


def shown_path(path: str) -> str:
    """The name of a file in messages, and in what is kept."""
    return "stdin" if path == "-" else from_shell(path)


def source_names(paths: Sequence[str]) -> Mapping[str, str]:
    """For each path the shortest of stem, name, folder and name that no other path has."""
    names = {path: _names(path) for path in dict.fromkeys(paths)}
    counts = [Counter(forms[length] for forms in names.values()) for length in range(3)]
    return {
        path: next((form for form, count in zip(forms, counts, strict=True) if count[form] == 1), path)
        for path, forms in names.items()
    }


def _names(path: str) -> tuple[str, str, str]:
    """Three names for a path, from short to long."""
    if path == "-":
        return "stdin", "stdin", "stdin"
    whole = PurePath(shown_path(path))
    endings = {ending for form in FORMATS.values() for ending in form.endings} | {".txt", ".json"}
    stem = PurePath(whole.name)
    if stem.suffix.lower() in COMPRESSED:
        stem = stem.with_suffix("")
    if stem.suffix.lower() in endings:
        stem = stem.with_suffix("")
    return stem.name, whole.name, f"{whole.parent.name}/{whole.name}"


def _head(stream: Stream, file: str) -> bytes:
    try:
        head = stream.peek()
    except Broken as broken:
        raise InputError(f"{file}: {broken}") from broken
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    if not head.strip():
        raise InputError(f"{file}: is empty; was its export or download finished?")
    return head


def _unbroken(items: Iterator[Item], file: str, format: str) -> Iterator[Item]:
    """The items up to where the file breaks, and then a dead letter that says so; one, too, where there are none."""
    count = 0
    try:
        for item in items:
            count += 1
            yield item
        if not count:
            reason = f"no record in this file; is it {FORMATS[format].title}?"
            yield DeadLetter(file=file, position="whole file", reason=reason)
    except Broken as broken:
        yield DeadLetter(file=file, position=f"after record {count}", reason=str(broken))
    except OSError as error:
        raise InputError(f"{file}: cannot be read after record {count}: {error.strerror}") from error
    except BibfoldError:
        raise
    except Exception as error:  # noqa: BLE001 - no input may end a run
        reason = f"{failure(error)}; the rest of the file is not read"
        yield DeadLetter(file=file, position=f"after record {count}", reason=reason)


def identified(items: Iterable[Item], *, labelled: bool = False) -> Iterator[Item]:
    """The items with an id for each record: its own, or a hash of its content; repeated labels are numbered."""
    seen: dict[str, int] = {}
    for item in items:
        if isinstance(item, Record) and (labelled or not item.id):
            place = f"{item.source}:"
            key = unique(place + (item.id or content_hash(item)), seen)
            yield msgspec.structs.replace(item, id=key.removeprefix(place))
        else:
            yield item


def content_hash(record: Record) -> str:
    """Twelve digits that stand for all that a record says, its id aside."""
    data = to_native(record)
    del data["id"]
    return hashlib.blake2b(_encode(data)).hexdigest()[:12]
