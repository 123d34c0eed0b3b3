"""One tantivy index in its folder: writing documents to it, ranking and reading them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec
import tantivy

from bibfold.engines.base import FIELDS, FILLER, K1, Change, Document, Hit, Put, Query, reach, rounded
from bibfold.errors import EngineError, EngineUnavailable, IndexMissing, WriteRejected
from bibfold.records.native import decode, encode

WRITER_MEMORY = 50_000_000
"""Bytes of written documents that are held in memory before they become a segment on disk."""

LONGEST_ID = 65_000
"""In bytes; tantivy leaves longer terms out of the index, so that the document could never be replaced."""

PAGE = 50_000
"""So many documents are listed at once."""

FACTOR = 1 + K1
"""By this tantivy's scores are larger than the contract's."""

SHOULD = tantivy.Occur.Should


def schema() -> Any:
    """The fields of a document: what is searched is indexed term by term, what is handed back is stored."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("terms", stored=True)
    builder.add_bytes_field("record", stored=True)
    return builder.build()


@contextmanager
def errors_at(folder: Path) -> Iterator[None]:
    """Turn what goes wrong with the folder into an error that says what to do."""
    try:
        yield
    except OSError as error:
        raise EngineUnavailable(f"{folder}: {error.strerror or error}") from error
    except (ValueError, RuntimeError) as error:
        reason = str(error)
        if "LockBusy" in reason:
            raise EngineUnavailable(f"{folder}: another process is writing to this index") from error
        if any(sign in reason for sign in ("PermissionDenied", "ReadOnlyFilesystem", "StorageFull")):
            raise EngineUnavailable(f"{folder}: cannot be used: {reason}") from error
        raise EngineError(f"{folder}: the index is damaged, run `bibfold reindex`: {reason}") from error


class TantivyIndex:
    """An index that is open, its writer and its readers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._writer: Any = None
        self._seen: object = None
        self._stamp()
        with errors_at(folder):
            self._index = tantivy.Index.open(str(folder))
            self._index.config_reader("manual")
        self._schema = self._index.schema
        if self._schema != schema():
            raise EngineError(f"{folder}: the index has other fields than this bibfold's, run `bibfold reindex`")

    def write(self, changes: Iterable[Change]) -> int:
        self._stamp()
        taken, refused = 0, {}
        with self._lock, errors_at(self._folder):
            if self._writer is None:
                self._writer = self._index.writer(WRITER_MEMORY, 1)
            for change in changes:
                try:
                    self._take(change)
                    taken += 1
                except UnicodeEncodeError as error:
                    ...
        if refused:
            raise WriteRejected(refused)
        return taken
