"""One tantivy index in its folder: writing documents to it, ranking and reading them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
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
"""In bytes: tantivy leaves longer terms out, and the document could never be found by its id."""

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
            raise EngineUnavailable(f"{folder}: another process or engine is writing to this index") from error
        if any(sign in reason for sign in ("PermissionDenied", "ReadOnlyFilesystem", "StorageFull")):
            raise EngineUnavailable(f"{folder}: cannot be used: {reason}") from error
        raise EngineError(f"{folder}: the index is damaged, run `bibfold reindex`: {reason}") from error


class TantivyIndex:
    """An open index. Its one writer is opened by the first write and kept, since it merges in the background."""

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
            raise EngineError(f"{folder}: the index has the fields of another bibfold, run `bibfold reindex`")

    def write(self, changes: Iterable[Change]) -> int:
        """Take the changes; see the engine contract."""
        self._stamp()
        taken, refused = 0, {}
        with self._lock, errors_at(self._folder):
            if self._writer is None:
                self._writer = self._index.writer(WRITER_MEMORY, 1)
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
        with self._lock, errors_at(self._folder):
            if self._writer is not None:
                self._writer.commit()
                self._seen = None

    def search(self, queries: Sequence[Query], limit: int) -> list[list[Hit]]:
        """For each query its best documents."""
        searcher = self._searcher()
        with errors_at(self._folder):
            return [self._best(searcher, query, limit) if limit > 0 else [] for query in queries]

    def get(self, ids: Sequence[str]) -> list[Document | None]:
        """The documents with these ids."""
        searcher, found = self._searcher(), {}
        wanted = list(filter(_encodable, dict.fromkeys(ids)))
        with errors_at(self._folder):
            for start in range(0, len(wanted), PAGE):
                some = wanted[start : start + PAGE]
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

    def close(self) -> None:
        """Let go of the writer, once its merges are done."""
        with self._lock, errors_at(self._folder):
            writer, self._writer = self._writer, None
            if writer is not None:
                writer.wait_merging_threads()

    def _stamp(self) -> object:
        """What changes with every commit, also another process's."""
        try:
            meta = (self._folder / "meta.json").stat()
        except FileNotFoundError as error:
            if self._folder.is_dir():
                raise EngineError(f"{self._folder}: holds no index, run `bibfold reindex`") from error
            raise IndexMissing(f"{self._folder}: no such index, run `bibfold reindex`") from error
        except OSError as error:
            raise EngineUnavailable(f"{self._folder}: {error.strerror}") from error
        return meta.st_ino, meta.st_mtime_ns, meta.st_size

    def _searcher(self) -> Any:
        """The index as it is now; what is committed later does not change it."""
        stamp = self._stamp()
        with self._lock, errors_at(self._folder):
            if stamp != self._seen:
                self._index.reload()
                self._seen = stamp
            return self._index.searcher()

    def _ids(self, searcher: Any) -> Iterator[str]:
        everything = tantivy.Query.all_query()
        with errors_at(self._folder):
            for start in range(0, searcher.num_docs, PAGE):
                for _, address in searcher.search(everything, PAGE, count=False, offset=start).hits:
                    yield searcher.doc(address).get_first("id")

    def _take(self, change: Change) -> str | None:
        """Hand a change to the writer, or say why it is refused."""
        if isinstance(change, Put):
            id = change.document.id
            if len(id.encode(errors="surrogatepass")) > LONGEST_ID:
                return f"the id is longer than {LONGEST_ID} bytes"
            try:
                stored = _stored(change.document)
            except UnicodeEncodeError as error:
                return f"not Unicode text: {error}"
            self._writer.delete_documents_by_term("id", id)
            self._writer.add_document(stored)
        elif _encodable(change.id):
            self._writer.delete_documents_by_term("id", change.id)
        return None

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
        found = [(-score, stored.get_first("id"), stored) for score, stored in ranked]
        found.sort(key=lambda hit: hit[:2])
        return [Hit(id, -score, decode(stored.get_first("record"))) for score, id, stored in found[:limit]]


def _with_ties(searcher: Any, query: Any, limit: int) -> list[tuple[float, Any]]:
    """Score and stored document of the best hits, down to all of those that tie for the last place."""
    most = searcher.num_docs + 1
    wide = min(reach(limit), most)
    while hits := searcher.search(query, wide, count=False).hits:
        cut = rounded(hits[:limit][-1][0] / FACTOR)
        if len(hits) < wide or rounded(hits[-1][0] / FACTOR) < cut:
            scored = ((rounded(score / FACTOR), address) for score, address in hits)
            kept = takewhile(lambda hit: hit[0] >= cut, scored)
            return [(score, searcher.doc(address)) for score, address in kept]
        wide = min(4 * wide, most)
    return []


def _stored(document: Document) -> Any:
    stored = tantivy.Document()
    stored.add_text("id", document.id)
    for field in FIELDS:
        for term in document.terms.get(field) or (FILLER,):
            stored.add_text(field, term)
    stored.add_bytes("terms", msgspec.json.encode(document.terms))
    stored.add_bytes("record", encode(document.record))
    return stored


def _document(stored: Any) -> Document:
    terms = msgspec.json.decode(stored.get_first("terms"), type=dict[str, list[str]])
    return Document(stored.get_first("id"), terms, decode(stored.get_first("record")))


def _encodable(text: str) -> bool:
    """Whether tantivy can take the text; nothing that holds half a surrogate pair is in an index."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
