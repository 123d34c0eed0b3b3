"""A folder of small sets, under the names of the public ones."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from bibfold.records.model import Record
from bibfold.records.native import encode


@pytest.fixture
def sets(tmp_path: Path, make: Callable[..., Record]) -> Path:
    """stroke: five records of three works; dblp-acm: two links, one of them retitled; acl: three works, two alike."""
    folder = tmp_path / "sets"
    reworded = "Seekarten im Verbundkatalog"
    stroke = [make(id, work) for id, work in (("a", 0), ("b", 0), ("c", 1), ("e", 2))]
    stroke.append(make("d", 1, title=reworded, authors=("Unbekannt, Niemand",), year=1950))
    linked = [make(f"{work}", work, source) for source in ("dblp", "acm") for work in (0, 1, 2)]
    _write(folder / "stroke", stroke, "x:a,x:b\nx:c,x:d\n")
    _write(folder / "dblp-acm", linked, "dblp:0,acm:0\ndblp:1,acm:1\n")
    twins = [
        make("1", 0, identifiers={"doi": ("10.1000/1",)}),
        make("2", 0, identifiers={"doi": ("10.1000/2",)}),
        make("3", 3),
    ]
    _write(folder / "acl", twins, "")
    return folder


def _write(folder: Path, records: list[Record], pairs: str) -> None:
    folder.mkdir(parents=True)
    (folder / "records.jsonl.gz").write_bytes(gzip.compress(b"".join(encode(data_set) + b"\n" for data_set in records)))
    if pairs:
        (folder / "gold.csv.gz").write_bytes(gzip.compress(f"a,b\n{pairs}".encode()))
