"""One tantivy index in its folder: writing documents to it, ranking and reading them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec
import tantivy

from bibfold.engines.base import FIELDS, FILLER, K1, TIES, Change, Document, Hit, Put, Query, order, reach, rounded
from bibfold.engines.tantivy_files import damaged_files
from bibfold.engines.tantivy_sharing import link_files, place_to_open, share_files
from bibfold.errors import EngineError, EngineUnavailable, IndexDamaged, IndexMissing, RecordError, WriteRejected
from bibfold.records.native import decode, encode

WRITER_MEMORY = 50_000_000
"""Bytes of written documents that are held in memory before they become a segment on disk."""

LONGEST_ID = 65_000
"""In bytes: tantivy leaves longer terms out, and the document could never be found by its id."""

PAGE = 50_000
"""So many documents are listed at once."""

FACTOR = 1 + K1
"""By this tantivy's scores are larger than the contract's."""

Scored = tuple[float, Any]
"""A score and the address of its document."""

SHOULD = tantivy.Occur.Should


def schema() -> Any:
    """The fields of a document: what is searched is indexed term by term, what is handed back is stored."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("order", fast=True)
    builder.add_bytes_field("terms", stored=True)
    builder.add_bytes_field("record", stored=True)
    return builder.build()


FAILURES = (OSError, ValueError, RuntimeError)
"""What tantivy raises, beside panics."""


def is_panic(error: BaseException) -> bool:
    """Whether tantivy panicked: what it read makes no sense. No module offers the class, which is no `Exception`."""
    return type(error).__module__ == "pyo3_runtime"


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Turn what goes wrong when the folder is read into an error that says what to do."""
    try:
        yield
    except OSError as error:
        raise EngineUnavailable(f"{folder}: {error.strerror or error}") from error
    except (*FAILURES, ArithmeticError, RecordError) as error:
        if "PermissionDenied" in str(error) or "ReadOnlyFilesystem" in str(error):
            raise EngineUnavailable(f"{folder}: may not be used by this user: {error}") from error
        raise IndexDamaged(folder, error) from error
    except BaseException as error:
        if is_panic(error):
            raise IndexDamaged(folder, error) from error
        raise


class TantivyIndex:
    """An open index. Its one writer is opened by the first write and kept, since it merges in the background."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._refreshing = Lock()
        self._writing = Lock()
        self._writer: Any = None
        self._seen: object = None
        self._stamp()
        with self._reading():
            self._place = place_to_open(folder, self)
            self._index = tantivy.Index.open(str(self._place))
            self._index.config_reader("manual")
        self._schema = self._index.schema
        if self._schema != schema():
            raise EngineError(f"{folder}: the index has the fields of another bibfold, run `bibfold reindex`")

    def write(self, changes: Iterable[Change]) -> int:
        """Take the changes; see the engine contract."""
        self._stamp()
        taken, refused = 0, {}
        with self._writing:
            self._open_writer()
            for change in changes:
                if reason := self._take(change):
                    refused[change.document.id if isinstance(change, Put) else change.id] = reason
                else:
                    taken += 1
        if refused:
            raise WriteRejected(refused)
        return taken

    def commit(self) -> None:
        """Make what was written durable and visible."""
        self._stamp()
        with self._writing:
            if self._writer is not None:
                with self._giving_up():
                    self._writer.commit()
                self._seen = None
                share_files(self._folder)

    def search(self, queries: Sequence[Query], limit: int) -> list[list[Hit]]:
        """For each query its best documents."""
        searcher = self._searcher()
        with self._reading():
            return [self._best(searcher, query, limit) if limit > 0 else [] for query in queries]

    def get(self, ids: Sequence[str]) -> list[Document | None]:
        """The documents with these ids."""
        searcher, found = self._searcher(), {}
        findable = list(filter(_encodable, dict.fromkeys(ids)))
        with self._reading():
            for start in range(0, len(findable), PAGE):
                some = findable[start : start + PAGE]
                query = tantivy.Query.term_set_query(self._schema, "id", some)
                for _, address in searcher.search(query, len(some), count=False).hits:
                    document = _document(searcher.doc(address))
                    found[document.id] = document
        return [found.get(id) for id in ids]

    def ids(self) -> Iterator[str]:
        """The ids of all documents that are committed now."""
        return self._ids(self._searcher())

    def count(self) -> int:
        """How many documents there are."""
        return int(self._searcher().num_docs)

    def damage(self) -> Iterator[str]:
        """What is wrong with the files of what is committed now."""
        with self._reading():
            yield from damaged_files(self._folder)

    def there(self) -> bool:
        """Whether the index was not dropped meanwhile, by another process."""
        return self._folder.is_dir()

    def close(self) -> None:
        """Let go of the writer, once its merges are done."""
        with self._writing:
            if self._writer is not None:
                with self._giving_up():
                    self._writer.wait_merging_threads()
                self._writer = None
                share_files(self._folder)

    def _stamp(self) -> object:
        """What changes with every commit, also another process's."""
        try:
            meta = (self._folder / "meta.json").stat()
        except FileNotFoundError as error:
            if self._folder.is_dir():
                raise IndexDamaged(self._folder, "it holds no index") from error
            raise IndexMissing(f"{self._folder}: no such index, run `bibfold reindex`") from error
        except OSError as error:
            raise EngineUnavailable(f"{self._folder}: {error.strerror}") from error
        return meta.st_ino, meta.st_mtime_ns, meta.st_size

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn what goes wrong into an error that says what to do; an index that was dropped meanwhile is missing."""
        try:
            with reading(self._folder):
                yield
        except EngineError:
            self._stamp()
            raise

    def _searcher(self) -> Any:
        """The index as it is now; what is committed later does not change it."""
        stamp = self._stamp()
        with self._refreshing, self._reading():
            if stamp != self._seen:
                if self._place != self._folder:
                    link_files(self._folder, self._place)
                self._index.reload()
                self._seen = stamp
            return self._index.searcher()

    def _ids(self, searcher: Any) -> Iterator[str]:
        everything = tantivy.Query.all_query()
        with self._reading():
            for start in range(0, searcher.num_docs, PAGE):
                for _, address in searcher.search(everything, PAGE, count=False, offset=start).hits:
                    yield _id(searcher.doc(address))

    def _open_writer(self) -> None:
        if self._writer is None:
            with self._giving_up():
                self._writer = self._index.writer(WRITER_MEMORY, 1)

    def _take(self, change: Change) -> str | None:
        """Hand a change to the writer, or say why it is refused."""
        id, stored = change.document.id if isinstance(change, Put) else change.id, None
        if isinstance(change, Put):
            if len(id.encode(errors="surrogatepass")) > LONGEST_ID:
                return f"the id is longer than {LONGEST_ID} bytes"
            try:
                stored = _stored(change.document)
            except UnicodeEncodeError as error:
                return f"not Unicode text: {error}"
        elif not _encodable(id):
            return None
        with self._giving_up():
            self._writer.delete_documents_by_term("id", id)
            if stored is not None:
                self._writer.add_document(stored)
        return None

    @contextmanager
    def _giving_up(self) -> Iterator[None]:
        """Turn a failure of the writer into ours; the writer is given up with what was not committed."""
        try:
            yield
        except BaseException as error:
            if not (isinstance(error, FAILURES) or is_panic(error)):
                raise
            self._writer = None
            raise self._failure(error) from error

    def _failure(self, error: BaseException) -> EngineError:
        if "LockBusy" in str(error):
            return EngineUnavailable(f"{self._folder}: another process is writing to this index, stop it first")
        if is_panic(error) or "corrupt" in str(error).lower() or "InvalidData" in str(error):
            return IndexDamaged(self._folder, error)
        return EngineUnavailable(f"{self._folder}: cannot be written, is the disk full or read-only? {error}")

    def _best(self, searcher: Any, query: Query, limit: int) -> list[Hit]:
        clauses = [
            (SHOULD, tantivy.Query.term_query(self._schema, field, term, "basic"))
            for field in FIELDS
            for term in query.terms.get(field, ())
            if _encodable(term)
        ]
        if not clauses:
            return []
        ranked = _with_ties(searcher, tantivy.Query.boolean_query(clauses), limit)
        stored = [(-score, searcher.doc(address)) for score, address in ranked]
        stored.sort(key=lambda hit: (hit[0], _id(hit[1])))
        return [Hit(_id(one), -score, decode(_bytes(one, "record"))) for score, one in stored[:limit]]


def _with_ties(searcher: Any, query: Any, limit: int) -> list[Scored]:
    """The best hits, and of those that tie for the last place all that may get it."""
    most = max(TIES, limit)
    wide = min(reach(limit), most)
    while hits := searcher.search(query, wide, count=False).hits:
        cut = rounded(hits[:limit][-1][0] / FACTOR)
        if len(hits) < wide or wide == most or rounded(hits[-1][0] / FACTOR) < cut:
            return _settled(searcher, list(_down_to(cut, hits)), limit)
        wide = min(4 * wide, most)
    return []


def _down_to(cut: float, hits: Iterable[Scored]) -> Iterator[Scored]:
    for score, address in hits:
        if (ours := rounded(score / FACTOR)) < cut:
            return
        yield ours, address


def _settled(searcher: Any, hits: list[Scored], limit: int) -> list[Scored]:
    """The hits without those at the end that others of the same score surely come before."""
    if len(hits) <= limit:
        return hits
    above = [hit for hit in hits if hit[0] > hits[-1][0]]
    tied = hits[len(above) :]
    orders = searcher.fast_field_values("order", [address for _, address in tied])
    if None in orders:
        raise ValueError("a document has lost its order")
    last = sorted(orders)[limit - len(above) - 1]
    return above + [hit for hit, order in zip(tied, orders, strict=True) if order <= last]


def _stored(document: Document) -> Any:
    stored = tantivy.Document()
    stored.add_text("id", document.id)
    stored.add_unsigned("order", order(document.id))
    for field in FIELDS:
        for term in document.terms.get(field) or (FILLER,):
            stored.add_text(field, term)
    stored.add_bytes("terms", msgspec.json.encode(document.terms))
    stored.add_bytes("record", encode(document.record))
    return stored


def _document(stored: Any) -> Document:
    terms = msgspec.json.decode(_bytes(stored, "terms"), type=dict[str, list[str]])
    return Document(_id(stored), terms, decode(_bytes(stored, "record")))


def _id(stored: Any) -> str:
    id = stored.get_first("id")
    if not isinstance(id, str):
        raise ValueError("a document has lost its id")
    return id


def _bytes(stored: Any, field: str) -> bytes:
    value = stored.get_first(field)
    if not isinstance(value, bytes):
        raise ValueError(f"a document has lost its {field}")
    return value


def _encodable(text: str) -> bool:
    """Whether tantivy can take the text; nothing that holds half a surrogate pair is in an index."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
