"""Public records in place of Mendeley's, which are not public: users' documents, grouped by work."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha1
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from bibfold.records.formats.files import read_files
from bibfold.records.model import Record
from evaluation.benchmark.measure import truth_of
from evaluation.noise.generate import NoisePlan, derive
from evaluation.pairs import Pair, make_pair
from evaluation.records import read_records
from evaluation.samples.pool import Pool
from evaluation.samples.sample import SamplePlan, grouped

MISLABELLED: Final = 0.02
"""The share of documents with the identifier of another work, as some users' documents have."""

Kind = Literal["arxiv", "filehash"]


class StandIn(msgspec.Struct, frozen=True):
    """Users' documents in their order of arrival, and the records that they were derived from, if any.

    `raw` groups all documents by identifier, `valid` only those that are like the others of their group.
    """

    name: str
    documents: Sequence[Record]
    imported: Sequence[Record]
    raw: Pool
    valid: Pool


def records_of(folder: Path, most: int | None = None) -> list[Record]:
    """The first records of a set."""
    return list(islice(read_records(read_files([str(folder / "records.jsonl.gz")])), most))


def noisy(name: str, clean: Sequence[Record], kind: Kind, seed: int) -> StandIn:
    """Clean records, each with noisy copies that carry the same identifier; a few copies carry a wrong one."""
    rng = Random(seed)
    imported = [replace(record, identifiers={kind: (_value(record, kind),)}) for record in clean]
    documents = list(_mislabelled(_copies(imported, seed), kind, rng))
    rng.shuffle(documents)
    plan = SamplePlan("filehash" if kind == "filehash" else "random", pairs=1, by=(kind,))
    raw = grouped(documents, replace(plan, validate=False))
    return StandIn(name, documents, imported, raw, grouped(documents, plan))


def by_truth(name: str, folder: Path) -> StandIn:
    """The records of a set, grouped by its truth."""
    documents = records_of(folder)
    pool = grouped(documents, SamplePlan("random", pairs=1, validate=False), truth_of(folder))
    return StandIn(name, documents, (), pool, pool)


def carried(stand_in: StandIn, kind: Kind) -> list[Pair]:
    """Pairs of each noisy copy and the imported record whose identifier it carries."""
    imported = {record.identifiers[kind][0]: record.key for record in stand_in.imported}
    made = (document for document in stand_in.documents if "noise_of" in document.extra)
    return [make_pair(document.key, imported[document.identifiers[kind][0]]) for document in made]


def sharing(records: Sequence[Record], kind: str) -> list[Pair]:
    """Pairs of successive records that carry the same identifier."""
    pool = grouped(records, SamplePlan("random", pairs=1, by=(kind,), validate=False))
    keys = [member.key for member in pool.members]
    return [make_pair(keys[first], keys[second]) for group in pool.groups for first, second in pairwise(group)]


def _copies(records: Iterable[Record], seed: int) -> Iterator[Record]:
    plan = NoisePlan(rate=1.0, near_misses=0.0, seed=seed, keep_identifiers=True)
    for record in records:
        yield record
        yield from (made.record for made in derive(record, plan))


def _mislabelled(documents: Iterable[Record], kind: Kind, rng: Random) -> Iterator[Record]:
    """The documents; some copies get the identifiers of a random earlier document."""
    past: list[Record] = []
    for document in documents:
        past.append(document)
        wrong = "noise_of" in document.extra and rng.random() < MISLABELLED
        yield replace(document, identifiers=rng.choice(past).identifiers) if wrong else document


def _value(record: Record, kind: Kind) -> str:
    if kind == "filehash":
        return sha1(record.key.encode(), usedforsecurity=False).hexdigest()
    return record.identifiers[kind][0]
