"""Reads known pairs and the results that are measured against them."""

import csv
import io
from collections.abc import Iterator, Mapping

from bibfold.errors import InputError
from bibfold.records.formats.streams import opened
from evaluation.pairs import Key, pair, pairs_of


def read_pairs(path: str) -> set[Key]:
    """The pairs in a CSV file: `a,b` as in a truth, links or pairs file, or `cluster,source,id`.

    Where the file has a `decision` or `label` column, only the pairs called the same count.
    """
    rows = list(_rows(path))
    if not rows:
        return set()
    header = rows[0].keys()
    if {"cluster", "source", "id"} <= header:
        return pairs_of((row["cluster"], f"{row['source']}:{row['id']}") for row in rows)
    if {"a", "b"} <= header:
        return {pair(row["a"], row["b"]) for row in rows if _is_same(row)}
    raise InputError(f"{path}: expected the columns a,b or cluster,source,id, found {', '.join(header)}")


def _is_same(row: Mapping[str, str]) -> bool:
    word = row.get("decision") or row.get("label") or "same"
    return word.lower() in ("same", "1", "true", "yes", "duplicate", "match")


def _rows(path: str) -> Iterator[Mapping[str, str]]:
    with opened(path) as stream:
        yield from csv.DictReader(io.TextIOWrapper(stream, encoding="utf-8", newline=""))
