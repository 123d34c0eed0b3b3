"""The engine contract: what every search engine promises to the rest of bibfold."""

from collections.abc import Iterable, Mapping, Sequence
from math import floor, log10
from typing import ClassVar, Protocol, runtime_checkable

import msgspec

from bibfold.records.model import Record
from bibfold.records.prepare import NO_MARKS

FIELDS = ("title", "also", "identifier", "block")
"""The searchable fields of a document: title bigrams, other keys, identifiers, fingerprint blocks."""

Terms = Mapping[str, Sequence[str]]
"""For each of `FIELDS`, a set of terms: no repeats, no order, an absent field is empty, none is `FILLER`."""

Marks = tuple[int, ...]
"""`Prepared.marks`: where two records have different positive numbers at one place, they are different works."""

FILLER = " "
"""The term in an empty field, for engines that would leave the document out of the field's average."""

K1 = 1.2
B = 0.75

TIES = 1_000
"""So many documents are looked at to settle which ids come first at the cut: a title may recur without end."""

SCORE_DIGITS = 5
"""Engines add 32-bit floats in different orders; past this many digits a difference means nothing."""


class Document(msgspec.Struct, frozen=True, gc=False):
    """A canonical record as the index holds it: the cluster's id, its terms and the record to hand back.

    Its marks are for engines that use those of a query; an engine need not keep them.
    """

    id: str
    terms: Terms
    record: Record
    marks: Marks = NO_MARKS


class Put(msgspec.Struct, frozen=True, gc=False):
    """Add a document, or replace the one with the same id."""

    document: Document


class Delete(msgspec.Struct, frozen=True, gc=False):
    """Remove a document; no error where there is none."""

    id: str


Change = Put | Delete


class Query(msgspec.Struct, frozen=True, gc=False):
    """Terms to look for, any of them, in their fields.

    Of the best documents an engine may leave out those whose marks differ from the query's: they cannot be what
    is looked for, and it saves the trouble of handing them back.
    """

    terms: Terms
    marks: Marks = NO_MARKS


class Hit(msgspec.Struct, frozen=True, gc=False):
    """A document that shares a term with the query."""

    id: str
    score: float
    record: Record


class Engine(Protocol):
    """A search engine.

    Ranking is the same on all engines, and so are the scores but for the last digit. A document scores, over
    the fields of the query and the terms of each, the sum of BM25 with k1 = 1.2 and b = 0.75 over the field's
    set of terms (term frequency 1): idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5)), with N all documents of the
    index and n those that have the term, times 1 / (1 + k1 (1 - b + b length / average length)). A field's
    length is its number of terms, at least 1: an empty field counts as holding one term that no query has.
    The average is over lengths as they are; the length itself counts as `coarse` of it, since that is what
    engines keep of a length. Scores are `rounded`, then equal scores are ordered by id, also at the cut: of
    those that tie for the last place the smallest ids are given, as long as no more than `TIES` documents score
    as well or better; past that the engine's own order stands. Documents that were deleted or replaced may
    go on counting in N, n and the average until the engine merges its segments.

    Every verb but `create`, `drop` and `publish` takes an alias for an index, and raises `IndexMissing` where
    there is neither. One thread at a time may write to an index; any number may search meanwhile.
    """

    persistent: ClassVar[bool]
    """Whether committed documents outlive the process."""

    def create(self, index: str) -> None:
        """Make an empty index; an existing index or alias of this name is an `EngineError`."""

    def drop(self, index: str) -> None:
        """Remove an index; no error where there is none. An alias that pointed at it then points at nothing."""

    def indexes(self) -> list[str]:
        """The names of all indexes, sorted."""

    def publish(self, alias: str, index: str) -> None:
        """Point the alias at the index, in one step; `IndexMissing` where there is no such index.

        An alias that has the name of an index is an `EngineError`.
        """

    def published(self, alias: str) -> str | None:
        """The index that the alias points at, if any."""

    def write(self, index: str, changes: Iterable[Change]) -> int:
        """Take changes, in order, the last one for an id wins; visible to searches after `commit`.

        Returns how many were taken. Refused documents raise `WriteRejected` after the others were taken.
        """

    def commit(self, index: str) -> None:
        """Make what was written durable (where the engine is) and visible to every search that starts now."""

    def search(self, index: str, queries: Sequence[Query], limit: int) -> list[list[Hit]]:
        """For each query, in order, its best `limit` documents, best first."""

    def get(self, index: str, ids: Sequence[str]) -> list[Document | None]:
        """The committed documents with these ids, in order; None for one that is absent."""

    def ids(self, index: str) -> Iterable[str]:
        """The ids of all committed documents, in no particular order, streamed."""

    def count(self, index: str) -> int:
        """How many documents are committed."""

    def damage(self, index: str) -> Iterable[str]:
        """What is broken in the index's own files, streamed, as far as the engine can tell without its documents.

        Nothing for a server, which looks after its files by itself.
        """

    def ready(self) -> bool:
        """Whether the engine answers now, within about a second."""

    def close(self) -> None:
        """Let go of files and connections.

        What was not committed is lost, or, where a server has taken it already, comes with the next commit.
        """


@runtime_checkable
class Server(Engine, Protocol):
    """An engine that is a server of its own."""

    def version(self) -> str:
        """The server's name and version, asked for once, without patience; `EngineError` where it does not tell."""


def rounded(score: float) -> float:
    """The score to `SCORE_DIGITS` significant digits."""
    return round(score, SCORE_DIGITS - 1 - floor(log10(score)))


def coarse(length: int) -> int:
    """A field's length as Lucene and tantivy keep it, in a byte: exact to 40, then rounded down to 4 bits."""
    if length <= 40:
        return length
    shift = (length - 24).bit_length() - 4
    return 24 + ((length - 24) >> shift << shift)


def reach(limit: int) -> int:
    """How many hits to ask for so that those which tie at the cut are nearly always all among them."""
    return 2 * limit + 12


def order(id: str) -> int:
    """The first 8 bytes of an id as a number: ids of different numbers are ordered as their numbers are."""
    return int.from_bytes(id.encode(errors="surrogatepass")[:8].ljust(8, b"\0"))
