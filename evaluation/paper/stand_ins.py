"""Public records that stand in for Mendeley's, which are not public: users' documents, by the work that they are."""

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
from evaluation.noise.generate import Plan as Noise
from evaluation.noise.generate import made_of
from evaluation.pairs import Key, pair
from evaluation.records import read_records
from evaluation.samples.pool import Pool
from evaluation.samples.sample import Plan, grouped

MISLABELLED: Final = 0.02
"""The share of documents that carry the identifier of another work, as users' documents now and then do."""

Kind = Literal["arxiv", "filehash"]


class StandIn(msgspec.Struct, frozen=True):
    """Users' documents in the order in which they come, and what they were made of, if known.

    `raw` groups all of them by the identifiers that they carry, `valid` those that are like the others of their group.
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
    """Clean records, each with noisy copies that carry the same identifier, but for those that carry a wrong one."""
    dice = Random(seed)
    imported = [replace(record, identifiers={kind: (_value(record, kind),)}) for record in clean]
    documents = list(_mislabelled(_copies(imported, seed), kind, dice))
    dice.shuffle(documents)
    plan = Plan("filehash" if kind == "filehash" else "random", pairs=1, by=(kind,))
    raw = grouped(documents, replace(plan, validate=False))
    return StandIn(name, documents, imported, raw, grouped(documents, plan))


def by_truth(name: str, folder: Path) -> StandIn:
    """The records of a set as its truth groups them."""
    documents = records_of(folder)
    pool = grouped(documents, Plan("random", pairs=1, validate=False), truth_of(folder))
    return StandIn(name, documents, (), pool, pool)


def carried(stand_in: StandIn, kind: Kind) -> list[Key]:
    """Each document that was made, with the imported record whose identifier it carries."""
    imported = {record.identifiers[kind][0]: record.key for record in stand_in.imported}
    made = (document for document in stand_in.documents if "noise_of" in document.extra)
    return [pair(document.key, imported[document.identifiers[kind][0]]) for document in made]


def sharing(records: Sequence[Record], kind: str) -> list[Key]:
    """Records that carry the same identifier, each with the next."""
    pool = grouped(records, Plan("random", pairs=1, by=(kind,), validate=False))
    keys = [member.key for member in pool.members]
    return [pair(keys[one], keys[other]) for group in pool.groups for one, other in pairwise(group)]


def _copies(records: Iterable[Record], seed: int) -> Iterator[Record]:
    plan = Noise(rate=1.0, near_misses=0.0, seed=seed, keep_identifiers=True)
    for record in records:
        yield record
        yield from (made.record for made in made_of(record, plan))


def _mislabelled(documents: Iterable[Record], kind: Kind, dice: Random) -> Iterator[Record]:
    """The documents, some of which carry the identifiers of one that came long before."""
    past: list[Record] = []
    for document in documents:
        past.append(document)
        wrong = "noise_of" in document.extra and dice.random() < MISLABELLED
        yield replace(document, identifiers=dice.choice(past).identifiers) if wrong else document


def _value(record: Record, kind: Kind) -> str:
    if kind == "filehash":
        return sha1(record.key.encode(), usedforsecurity=False).hexdigest()
    return record.identifiers[kind][0]
