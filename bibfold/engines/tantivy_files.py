"""The files of a tantivy index: whether each still holds what tantivy wrote, by the checksum at its end."""

import zlib
from collections.abc import Iterator
from os import SEEK_END
from pathlib import Path
from typing import BinaryIO

import msgspec

MAGIC = 1337
"""The number that every file of a segment ends with; before it stand the footer's length and the footer, JSON."""

PART = 1 << 20
"""So many bytes are read at once."""


class _Deletes(msgspec.Struct):
    opstamp: int


class _Segment(msgspec.Struct):
    segment_id: str
    deletes: _Deletes | None = None


class _Meta(msgspec.Struct):
    segments: list[_Segment]


class _Footer(msgspec.Struct):
    crc: int


COMPONENTS = ("store", "term", "idx", "pos", "fast", "fieldnorm")


def damaged_files(folder: Path) -> Iterator[str]:
    """For each file of an index that is not as it was written, what is wrong.

    A file that is gone because its segment was merged meanwhile is not damaged.
    """
    for name in _committed(folder):
        problem = _problem(folder / name)
        if problem and name in _committed(folder):
            yield f"{folder / name} {problem}"


def _committed(folder: Path) -> list[str]:
    """The names of the files that the last commit stands on."""
    meta = msgspec.json.decode((folder / "meta.json").read_bytes(), type=_Meta)
    names = []
    for segment in meta.segments:
        stem = segment.segment_id.replace("-", "")
        names += [f"{stem}.{ending}" for ending in COMPONENTS]
        names += [f"{stem}.{segment.deletes.opstamp}.del"] if segment.deletes else []
    return names


def _problem(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return None if _is_as_written(file) else "is not what was written: its checksum differs"
    except FileNotFoundError:
        return "is missing"
    except ValueError:
        return "is not what was written: its end cannot be read"


def _is_as_written(file: BinaryIO) -> bool:
    """Whether the checksum in the file's footer is that of what stands before it."""
    end = file.seek(0, SEEK_END)
    file.seek(max(0, end - 8))
    length, magic = int.from_bytes(file.read(4), "little"), int.from_bytes(file.read(4), "little")
    left = end - 8 - length
    if magic != MAGIC or left < 0:
        raise ValueError("no footer")
    file.seek(left)
    written = msgspec.json.decode(file.read(length), type=_Footer).crc
    file.seek(0)
    found = 0
    while left and (part := file.read(min(PART, left))):
        found = zlib.crc32(part, found)
        left -= len(part)
    return found == written
