"""Public records in place of Mendeley's, which are not public: users' documents, grouped by work."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha1
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from bibfold.records.formats.files import read_files
from bibfold.records.identifiers import normalised
from bibfold.records.model import Record
from evaluation.benchmark.measure import truth_of
from evaluation.noise.generate import NoisePlan, derive
from evaluation.pairs import Pair, make_pair
from evaluation.records import read_records
from evaluation.samples.pool import Pool
from evaluation.samples.sample import SamplePlan, grouped
from evaluation.samples.validation import source_signatures

REJECTED: Final = 1 - 410_535 / 457_443
"""The share of the paper's users' documents with an arXiv identifier that its validation rejects: so many made
documents get the identifier of another work."""

DOCUMENTS_PER_ID: Final = 410_535 / 180_951
"""How many validated documents the paper has for each canonical document that it makes of them with fingerprints."""

MOST_COPIES: Final = 50

Role = Literal["arxiv", "filehash"]
"""In whose place a stand-in is: documents with an arXiv identifier, or with a file."""


class StandIn(msgspec.Struct, frozen=True):
    """Users' documents in their order of arrival, and the source's own records, if any, which are not among them.

    `raw` groups all documents by identifier, `valid` only those that were validated.
    """

    name: str
    documents: Sequence[Record]
    imported: Sequence[Record]
    raw: Pool
    valid: Pool
    kinds: frozenset[str] = frozenset()


def records_of(folder: Path, most: int | None = None, source: str = "") -> list[Record]:
    """The first records of a set, or of one of its sources."""
    every = read_records(read_files([str(folder / "records.jsonl.gz")]))
    return list(islice((record for record in every if source in ("", record.source)), most))


def noisy(name: str, clean: Sequence[Record], role: Role, seed: int, times: int = 1) -> StandIn:
    """Noisy copies of clean records that carry the same identifier; a few carry that of another work."""
    rng = Random(seed)
    imported = [replace(record, identifiers={role: (_value(record, role, at),)}) for at, record in enumerate(clean)]
    another = 1 - 1 / DOCUMENTS_PER_ID
    plan = NoisePlan(1.0, 0.0, MOST_COPIES, seed, keep_identifiers=True, another=another, times=times)
    documents = list(_mislabelled(imported, plan, rng))
    rng.shuffle(documents)
    return by_identifiers(name, documents, imported, role)


def by_identifiers(name: str, documents: Sequence[Record], imported: Sequence[Record], kind: str) -> StandIn:
    """Documents that are grouped by an identifier and validated: files by their titles, others by the source's records.

    Of documents with a file, pairs with equal titles count as different works where the files differ.
    """
    files = kind == "filehash"
    plan = SamplePlan("filehash" if files else "random", pairs=1, by=(kind,), equal_titles=files)
    signatures = source_signatures(imported) if imported and not files else None
    raw = grouped(documents, replace(plan, validate=False))
    return StandIn(name, documents, imported, raw, grouped(documents, plan, signatures=signatures), plan.kinds)


def by_truth(name: str, folder: Path) -> StandIn:
    """The records of a set, grouped by its truth."""
    documents = records_of(folder)
    pool = grouped(documents, SamplePlan("random", pairs=1, validate=False), truth_of(folder))
    return StandIn(name, documents, (), pool, pool)


def carried(stand_in: StandIn) -> list[Pair]:
    """Pairs of each document and the source's record whose identifier it carries."""
    imported = {name: record.key for record in stand_in.imported for name in _names(record, stand_in)}
    return [
        make_pair(document.key, imported[name])
        for document in stand_in.documents
        for name in _names(document, stand_in)[:1]
        if name in imported
    ]


def sharing(records: Sequence[Record], kind: str) -> list[Pair]:
    """Pairs of successive records that carry the same identifier."""
    pool = grouped(records, SamplePlan("random", pairs=1, by=(kind,), validate=False))
    keys = [member.key for member in pool.members]
    return [make_pair(keys[first], keys[second]) for group in pool.groups for first, second in pairwise(group)]


def title_counts(records: Iterable[Record]) -> Mapping[str, int]:
    """How many records have each title, as it is written."""
    counts: dict[str, int] = {}
    for record in records:
        counts[record.title] = counts.get(record.title, 0) + 1
    return counts


def _names(record: Record, stand_in: StandIn) -> list[tuple[str, str]]:
    return [(kind, value) for kind, value in normalised(record) if kind in stand_in.kinds]


def _mislabelled(imported: Sequence[Record], plan: NoisePlan, rng: Random) -> Iterator[Record]:
    """The copies of all records; some get the identifier of a random other record."""
    for record in imported:
        for made in derive(record, plan):
            wrong = rng.random() < REJECTED
            yield replace(made.record, identifiers=rng.choice(imported).identifiers) if wrong else made.record


def _value(record: Record, role: Role, at: int) -> str:
    if role == "filehash":
        return sha1(record.key.encode(), usedforsecurity=False).hexdigest()
    return next(iter(record.identifiers.get(role, ())), f"{at // 100_000:04}.{at % 100_000:05}")
