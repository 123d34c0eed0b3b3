"""A folder of small sets under the names of those that the paper's tables are made from."""

import gzip
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from bibfold.records.formats.files import read_files
from bibfold.records.model import Record
from bibfold.records.native import encode
from evaluation.benchmark.sets import SHIPPED
from evaluation.records import read_records

NUMBER = 150


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of DBLP and ACM, which ship, in the place of arXiv's and the others'."""
    folder = tmp_path_factory.mktemp("sets")
    records = list(read_records(read_files([str(SHIPPED / "dblp-acm" / "records.jsonl.gz")])))
    dblp, acm = ([record for record in records if record.source == source] for source in ("dblp", "acm"))
    arxiv = [_as(record, "arxiv", at, publication="") for at, record in enumerate(islice(dblp, NUMBER))]
    pairs = [
        (record, replace(record, source="cora", id=f"{record.id}-2", title=record.title.upper()))
        for record in dblp[:20]
    ]
    _write(folder / "arxiv", arxiv)
    _write(folder / "acl", [_as(record, "acl", at) for at, record in enumerate(acm[:NUMBER])])
    _write(folder / "cora", (record for pair in pairs for record in pair), pairs)
    _write(folder / "arxiv-revisions", (record for pair in pairs for record in pair), pairs)
    shared = [
        replace(record, identifiers={"doi": (f"10.1000/{at}",)}) for at, pair in enumerate(pairs) for record in pair
    ]
    _write(folder / "diabetes", shared)
    return folder


def _as(record: Record, source: str, at: int, **fields: str) -> Record:
    return replace(record, source=source, identifiers={"arxiv": (f"2001.{at:05}",)}, **fields)


def _write(folder: Path, records: Iterable[Record], pairs: Iterable[tuple[Record, Record]] = ()) -> None:
    folder.mkdir()
    (folder / "records.jsonl.gz").write_bytes(gzip.compress(b"".join(encode(record) + b"\n" for record in records)))
    lines = ["a,b", *(f"{record.key},{second.key}" for record, second in pairs)]
    if len(lines) > 1:
        (folder / "gold.csv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
