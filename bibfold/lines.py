"""Lines of files that are read whole or not at all: pairs to compare, labelled pairs."""

from collections.abc import Iterator

from bibfold.errors import InputError
from bibfold.records.formats.streams import Broken, opened


def whole_lines(path: str) -> Iterator[bytes]:
    """The lines of a file, or of stdin where the path is `-`; raises InputError where it breaks or is empty."""
    empty = True
    with opened(path) as stream:
        try:
            for line in stream:
                empty = False
                yield line
        except Broken as broken:
            raise InputError(f"{path}: {broken}") from broken
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if empty:
        raise InputError(f"{path}: is empty; was its export or download finished?")
