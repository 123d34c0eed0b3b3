"""How bibfold writes files: whole or not at all, on disk when it returns, with the rights that fit their place."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE, S_ISDIR
from typing import IO, Final, TextIO

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def replaced(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes its name when it is whole; until then, and if writing fails, what has the name stays.

    It is written under a random name in the same folder, which nobody can have prepared. A file that it replaces
    hands on its mode.
    """
    unfinished = path.with_name(f".unfinished-{token_hex(8)}")
    with os.fdopen(os.open(unfinished, _NEW, 0o666), "wb") as file:
        try:
            yield file
            _keep_mode(path, unfinished)
            file.flush()
            os.fsync(file.fileno())
            unfinished.replace(path)
        except BaseException:
            with suppress(OSError):
                unfinished.unlink()
            raise
    sync(path.parent)


@contextmanager
def replaced_text(path: Path, errors: str = "strict") -> Iterator[TextIO]:
    """The same for text, in UTF-8 with line ends as they are given."""
    with replaced(path) as file:
        text = TextIOWrapper(file, encoding="utf-8", errors=errors, newline="")
        yield text
        text.detach()


@contextmanager
def replaced_together(folder: Path) -> Iterator[Path]:
    """A new folder whose files move into `folder` at the end, all of them; if writing fails, none of them."""
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f".unfinished-{token_hex(8)}"
    unfinished.mkdir()
    try:
        yield unfinished
        files = sorted(unfinished.iterdir())
        for file in files:
            _keep_mode(folder / file.name, file)
            sync(file)
        for file in files:
            file.replace(folder / file.name)
        sync(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def sync(path: Path) -> None:
    """See to it that what a file holds, or a rename in a folder, outlives a power cut."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def share(path: Path) -> None:
    """Give a file or folder of ours the group of the folder it lies in, and the rights there, but for others' to write.

    So a group that may write to the folder may write to the file.
    """
    with suppress(PermissionError, FileNotFoundError):
        folder, own = path.parent.stat(), path.lstat()
        mode = S_IMODE(folder.st_mode) & (0o2775 if S_ISDIR(own.st_mode) else 0o664)
        if own.st_uid != os.geteuid() or (S_IMODE(own.st_mode), own.st_gid) == (mode, folder.st_gid):
            return
        with suppress(PermissionError):
            os.chown(path, -1, folder.st_gid, follow_symlinks=False)
        path.chmod(mode)


def _keep_mode(before: Path, now: Path) -> None:
    with suppress(FileNotFoundError, PermissionError):
        now.chmod(S_IMODE(before.stat().st_mode) & 0o777)
