"""What goes into the catalogue and comes out of it, as values; and how its clusters are named and numbered."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

import msgspec

from bibfold.catalogue.canonical import Canonical
from bibfold.errors import NotFound
from bibfold.records.model import Record

CHUNK: Final = 500
"""How many values one `IN` takes: every database allows that many."""

LONGEST_ID: Final = 19
"""How many characters a cluster's id can have: no more than 18 digits, which every database can hold."""

NEW: Final = 1 << 62
"""Numbers from here on are provisional: the first new cluster or record of a transaction is `NEW`, the second
`NEW + 1`. The write gives the real ones, in this order. All that is new counts as younger than all that is stored."""

PUBLISHED: Final = ""
"""The target of changes for the published index; other changes name the index that is being built."""

Verdicts = Mapping[str, Mapping[str, str]]
"""A person's decisions: for a record's key, the other keys and `same` or `different`."""


class Numbers(msgspec.Struct, frozen=True):
    """The numbers that a write gave to what was new, from `first` on."""

    first: int

    def real(self, no: int) -> int:
        """The real number for a provisional one; a real one stays."""
        return no if no < NEW else self.first + no - NEW


class StoredRecord(msgspec.Struct, frozen=True):
    """A record in the catalogue: its number, source, content digest, cluster and the run that wrote it.

    `file` stands for the file of a record whose id is a label there, and is empty where that is not known.
    """

    no: int
    source: str
    digest: bytes
    cluster: int
    run: int
    file: bytes | None = None


class PlacedRecord(msgspec.Struct, frozen=True):
    """A record on its way into a cluster; `no` is its number, provisional where the catalogue has none of its name.

    `other_name` is another name by which its source may delete it.
    """

    no: int
    key: str
    source: str
    content: bytes
    digest: bytes
    cluster: int
    file: bytes | None = None
    other_name: str | None = None


class Cluster(msgspec.Struct, frozen=True):
    """A cluster with its members by the number of each, in the order in which they came, and its canonical record."""

    no: int
    numbered: Mapping[int, Record]
    canonical: Canonical

    @property
    def members(self) -> list[Record]:
        """The records, oldest first."""
        return list(self.numbered.values())


class ClusterState(msgspec.Struct, frozen=True):
    """What is kept of a cluster itself; one of a single record needs no canonical record beside it."""

    size: int = 1
    canonical: Canonical | None = None
    merged_into: int | None = None


class Event(msgspec.Struct, frozen=True):
    """What happened to a cluster and why, with the profile, score and evidence of the comparison behind it, if any."""

    kind: str
    cluster: int
    cause: str
    record: str | None = None
    other: int | None = None
    profile: str | None = None
    score: float | None = None
    evidence: Any = None


class Review(msgspec.Struct, frozen=True):
    """A pair of records that a person should decide, with their comparison."""

    record: str
    against: str
    score: float
    comparison: Any


class Build(msgspec.Struct, frozen=True):
    """An index that is being built: what by, up to which cluster it is scanned, and how far it is committed."""

    index: str
    engine: str
    languages: tuple[str, ...]
    retriever: str
    last: int
    done: int = 0


class RepairState(msgspec.Struct, frozen=True):
    """How far a repair has got: by which settings and run, up to which cluster of those that were there."""

    settings: Mapping[str, Any]
    run: int
    last: int
    done: int = 0


def other_name(record: Record) -> str | None:
    """The name, beside its key, by which a source would delete a record: that of its OAI-PMH header."""
    identifier = record.extra.get("oai_identifier")
    return f"{record.source}:{identifier}" if isinstance(identifier, str) and identifier != record.id else None


def cluster_id(no: int) -> str:
    """A cluster's name from outside."""
    return f"c{no}"


def is_cluster_id(name: str) -> bool:
    """Whether a name may be a cluster's."""
    return name[:1] == "c" and name[1:].isdecimal() and len(name) <= LONGEST_ID


def cluster_no(name: str) -> int:
    """The number in a cluster's name."""
    if not is_cluster_id(name):
        raise NotFound(f"{name!r} is no cluster id: it looks like c12 (`bibfold show` also takes source:id)")
    return int(name[1:])


def chunks(values: Iterable[Any], size: int = CHUNK) -> Iterator[list[Any]]:
    """The values in lists of at most `size`."""
    rest = iter(values)
    while part := list(islice(rest, size)):
        yield part
