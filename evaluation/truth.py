"""Reads known pairs and the results that are measured against them."""

import csv
from collections.abc import Iterator, Mapping

from bibfold.errors import InputError
from bibfold.lines import whole_lines
from evaluation.pairs import Key, pair, pairs_of


def read_pairs(path: str) -> set[Key]:
    """The pairs in a CSV file: `a,b` as in a truth, links or pairs file, or `cluster,source,id`.

    Where the file has a `decision` or `label` column, only the pairs called the same count.
    """
    rows = csv.DictReader(_text(path))
    try:
        header = list(rows.fieldnames or ())
        if {"cluster", "source", "id"} <= set(header):
            return pairs_of((row["cluster"], f"{row['source']}:{row['id']}") for row in _whole(rows, path))
        if {"a", "b"} <= set(header):
            return {pair(row["a"], row["b"]) for row in _whole(rows, path) if _is_same(row)}
    except csv.Error as error:
        raise InputError(f"{path}, after line {rows.line_num}: not CSV: {error}") from error
    raise InputError(f"{path}: expected the columns a,b or cluster,source,id, found {', '.join(header) or 'none'}")


def _is_same(row: Mapping[str, str]) -> bool:
    word = row.get("decision") or row.get("label") or "same"
    return word.lower() in ("same", "1", "true", "yes", "duplicate", "match")


def _whole(rows: "csv.DictReader[str]", path: str) -> Iterator[Mapping[str, str]]:
    for row in rows:
        if None in row or None in row.values():
            raise InputError(f"{path}, line {rows.line_num}: expected {len(rows.fieldnames or ())} columns")
        yield row


def _text(path: str) -> Iterator[str]:
    for number, line in enumerate(whole_lines(path), start=1):
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            raise InputError(f"{path}, line {number}: is not UTF-8 text: {error.reason}") from error
