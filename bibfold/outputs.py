"""Where a command may write: over nothing that it reads, that a catalogue needs or that somebody made by hand.

A hidden file in the folder of the results, `.bibfold.json`, says which command wrote which of them, and how each was
left. What it does not vouch for is replaced only on demand.
"""

import csv
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any, Final

import msgspec

from bibfold.errors import InputError
from bibfold.files import replaced, replaced_together

MARKER: Final = ".bibfold.json"
DATABASE: Final = "catalogue.sqlite"
"""The file that makes a folder a catalogue."""

_LABELS: Final = {b"label", b"reviewed"}
_HEAD: Final = 1 << 16


class Output(msgspec.Struct, frozen=True):
    """Where a command writes, the files that it reads, and whether it may replace what it did not write."""

    path: Path
    command: str
    inputs: tuple[str, ...] = ()
    force: bool = False


def as_output(out: Path | Output, command: str) -> Output:
    """A bare path as the output of a command."""
    return out if isinstance(out, Output) else Output(out, command)


class Written(msgspec.Struct, frozen=True):
    """A result as it was left: by which command, its size and when it was changed last."""

    command: str
    size: int
    changed: int


@contextmanager
def output_file(output: Output) -> Iterator[IO[bytes]]:
    """The output as a file that takes its name when it is whole; a device or pipe is written to as it is."""
    with _translated(output):
        target = output.path.resolve()
        if target.exists() and not target.is_file():
            with target.open("wb") as device:
                yield device
            return
        check_output(output)
        target.parent.mkdir(parents=True, exist_ok=True)
        with replaced(target) as file:
            yield file
        _mark(target.parent, [target.name], output.command)


@contextmanager
def output_table(output: Output) -> Iterator[Any]:
    """A writer of CSV rows into a file (see `output_file`)."""
    with output_file(output) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="")
        yield csv.writer(text, lineterminator="\n")
        text.detach()


@contextmanager
def output_folder(output: Output, names: Sequence[str] = ()) -> Iterator[Path]:
    """A folder to write into, whose files move to the output at the end; a run that fails leaves it as it was.

    The files that are known beforehand are named, so that a refusal comes before the work.
    """
    with _translated(output):
        check_output(output, names)
        with replaced_together(output.path) as unfinished:
            yield unfinished
            written = [file.name for file in unfinished.iterdir()]
            check_output(output, written)
        _mark(output.path, written, output.command)


def check_output(output: Output, names: Sequence[str] | None = None) -> None:
    """Refuse an output that would destroy something: the file itself, or those of these names if it is a folder."""
    path = output.path.resolve()
    folder = path.parent if names is None else path
    if home := next((place for place in (path, *path.parents) if (place / DATABASE).is_file()), None):
        raise InputError(f"{output.path} lies in the catalogue {home}; name another place")
    read = [status for given in output.inputs if (status := _status(given))]
    marked = _marked(folder)
    for name in (path.name,) if names is None else names:
        shown = output.path if names is None else output.path / name
        found = _status(str(folder / name))
        if found is None:
            continue
        if any(os.path.samestat(found, other) for other in read):
            raise InputError(f"{shown} is a file that this command reads; name another place")
        if marked.get(name) == Written(output.command, found.st_size, found.st_mtime_ns) or not S_ISREG(found.st_mode):
            continue
        if _holds_labels(folder / name):
            raise InputError(f"{shown} holds labels, perhaps a person's work; name another place, or move it away")
        if not output.force:
            raise InputError(
                f"{shown} is there already, and `{output.command}` did not write it, or it was changed since; name "
                "another place, or replace it with --force"
            )


def _holds_labels(path: Path) -> bool:
    """Whether a file is a table of labelled pairs."""
    with path.open("rb") as file:
        header = file.read(_HEAD).removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    return not _LABELS.isdisjoint(cell.strip(b' "\r').lower() for cell in header.split(b","))


def _status(path: str) -> os.stat_result | None:
    with suppress(OSError, ValueError, AttributeError):
        return os.fstat(sys.stdin.fileno()) if path == "-" else Path(path).stat()
    return None


def _marked(folder: Path) -> dict[str, Written]:
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode((folder / MARKER).read_bytes(), type=dict[str, Written])
    return {}


def _mark(folder: Path, names: Sequence[str], command: str) -> None:
    marked = {name: written for name, written in _marked(folder).items() if (folder / name).exists()}
    for name in names:
        status = (folder / name).stat()
        marked[name] = Written(command, status.st_size, status.st_mtime_ns)
    with replaced(folder / MARKER) as file:
        file.write(msgspec.json.format(msgspec.json.encode(marked)) + b"\n")


@contextmanager
def _translated(output: Output) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{output.path} cannot be written: {error.strerror or error}; name another place") from error
