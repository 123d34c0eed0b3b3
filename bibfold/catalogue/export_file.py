"""Writes the canonical records into a file, whole or not at all, or to standard output."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from bibfold.catalogue.exports import canonical_lines, canonical_records, former_ids
from bibfold.catalogue.store import Catalogue
from bibfold.errors import InputError
from bibfold.records.formats import writer


def export(catalogue: Catalogue, format: str, out: Path | None, *, former: bool = False) -> None:
    """Write the canonical records in a format, or the ids that no longer stand, to a file or else standard output."""
    write = None if format == "jsonl" else writer(format)
    with catalogue.reading() as connection, _written(out) as file:
        if former:
            file.writelines(former_ids(connection))
        elif write is None:
            file.writelines(canonical_lines(connection))
        else:
            write(canonical_records(connection), file)


@contextmanager
def _written(out: Path | None) -> Iterator[IO[bytes]]:
    """Standard output, or a file that takes its name when it is whole; a device or pipe is written to as it is."""
    if out is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        target = out.resolve()
        if target.exists() and not target.is_file():
            with target.open("wb") as device:
                yield device
            return
        with _replacing(target) as file:
            yield file
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}; name another file") from error


@contextmanager
def _replacing(target: Path) -> Iterator[IO[bytes]]:
    unfinished = target.with_name(f".unfinished-{target.name}")
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(target)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
