"""Lets several users share an index folder of tantivy, and those read it who may not write to it."""

import os
import shutil
import weakref
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

from bibfold.files import share


def share_files(folder: Path) -> None:
    """Give the index's files the rights of its folder; tantivy makes some of them for their owner alone."""
    with suppress(FileNotFoundError):
        for file in folder.iterdir():
            share(file)


def place_to_open(folder: Path, user: object) -> Path:
    """Where the index can be opened: its folder, or one of links to its files that is removed with its user.

    tantivy takes a lock even to read, for which it must be able to write into the folder.
    """
    if os.access(folder, os.W_OK):
        return folder
    links = Path(mkdtemp(prefix="bibfold-"))
    weakref.finalize(user, shutil.rmtree, links, ignore_errors=True)
    link_files(folder, links)
    return links


def link_files(folder: Path, links: Path) -> None:
    """Link to the files that came to the index since."""
    for file in folder.absolute().iterdir():
        if file.suffix != ".lock" and not (links / file.name).is_symlink():
            (links / file.name).symlink_to(file)
